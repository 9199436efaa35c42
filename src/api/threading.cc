// Threading options of an environment.
#include "abi/options.h"
#include "answer.h"
#include "options_entry.h"
#include "tables.h"

namespace sdx::api {
namespace {

template <typename Set>
OrtStatus* change(OrtThreadingOptions* tp_options, Set set) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(tp_options);
    set(*tp_options);
    return {};
  });
}

OrtStatus* put_threads(OrtThreadingOptions* tp_options, int OrtThreadingOptions::*field, int threads) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(tp_options);
    SDX_TRY(check_thread_count(threads));
    tp_options->*field = threads;
    return {};
  });
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateThreadingOptions(OrtThreadingOptions** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    *out = new OrtThreadingOptions();
    return {};
  });
}

void ORT_API_CALL ReleaseThreadingOptions(OrtThreadingOptions* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL SetGlobalIntraOpNumThreads(OrtThreadingOptions* tp_options,
                                                     int intra_op_num_threads) noexcept {
  return put_threads(tp_options, &OrtThreadingOptions::intra_op_threads, intra_op_num_threads);
}
OrtStatusPtr ORT_API_CALL SetGlobalInterOpNumThreads(OrtThreadingOptions* tp_options,
                                                     int inter_op_num_threads) noexcept {
  return put_threads(tp_options, &OrtThreadingOptions::inter_op_threads, inter_op_num_threads);
}
OrtStatusPtr ORT_API_CALL SetGlobalSpinControl(OrtThreadingOptions* tp_options, int allow_spinning) noexcept {
  return change(tp_options, [&](OrtThreadingOptions& options) { options.allow_spinning = allow_spinning != 0; });
}
OrtStatusPtr ORT_API_CALL SetGlobalDenormalAsZero(OrtThreadingOptions* tp_options) noexcept {
  return change(tp_options, [](OrtThreadingOptions& options) { options.denormal_as_zero = true; });
}
OrtStatusPtr ORT_API_CALL SetGlobalIntraOpThreadAffinity(OrtThreadingOptions* tp_options,
                                                         const char* affinity_string) noexcept {
  return change(tp_options, [&](OrtThreadingOptions& options) {
    options.affinity = affinity_string == nullptr ? "" : affinity_string;
  });
}
OrtStatusPtr ORT_API_CALL SetGlobalCustomCreateThreadFn(OrtThreadingOptions* tp_options,
                                                        OrtCustomCreateThreadFn ort_custom_create_thread_fn) noexcept {
  return change(tp_options,
                [&](OrtThreadingOptions& options) { set_create_hook(options.hooks, ort_custom_create_thread_fn); });
}
OrtStatusPtr ORT_API_CALL SetGlobalCustomThreadCreationOptions(OrtThreadingOptions* tp_options,
                                                               void* ort_custom_thread_creation_options) noexcept {
  return change(tp_options,
                [&](OrtThreadingOptions& options) { options.hooks.options = ort_custom_thread_creation_options; });
}
OrtStatusPtr ORT_API_CALL SetGlobalCustomJoinThreadFn(OrtThreadingOptions* tp_options,
                                                      OrtCustomJoinThreadFn ort_custom_join_thread_fn) noexcept {
  return change(tp_options,
                [&](OrtThreadingOptions& options) { set_join_hook(options.hooks, ort_custom_join_thread_fn); });
}

}  // namespace ort_api
}  // namespace sdx::api
