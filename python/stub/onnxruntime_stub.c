// The file capi/libonnxruntime.so of the package, for programs that load it by that name. It has nothing of its own: the
// engine's library, which it is linked with, answers for it.
typedef int sdx_nothing;
