// What Sardonyx offers beside ONNX Runtime's C API: a second small table over the same handles. For C11 and C++.
// Entry point: SdxGetApi(SDX_API_VERSION), in libsardonyx only. Handles come from onnxruntime_c_api.h.
//
// Every entry returns null on success, else a status that OrtApi's ReleaseStatus frees. Texts are UTF-8. No entry
// throws. Any entry may be called from any thread; a handle that an entry changes must not be in use on another one.
#ifndef SARDONYX_H_
#define SARDONYX_H_

#include "onnxruntime_c_api.h"

// The newest version of the table. It only ever grows at the end.
#define SDX_API_VERSION 4

#ifdef __cplusplus
extern "C" {
#endif

// Memory of the library's, read by the caller and given back with release_buffer. data[size] is 0, so a text is a C
// string.
typedef struct SdxBuffer {
  const char* data;
  size_t size;
} SdxBuffer;

// Which model: exactly one of path, bytes (read during the call only) and session is given; the others are null.
typedef struct SdxModelSource {
  const char* path;
  const void* bytes;
  size_t size;  // of bytes
  const OrtSession* session;
} SdxModelSource;

// Called on the thread that runs, every 50 ms or so while it runs. Nonzero: go on; 0: stop the run.
typedef int(ORT_API_CALL* SdxPollFunction)(void* param);

typedef struct SdxApi {
  uint32_t version;  // SDX_API_VERSION of the library: entries that came later than the caller's header are behind it

  const char*(ORT_API_CALL* product_version)(void)NO_EXCEPTION;  // "0.1.0", static

  void(ORT_API_CALL* release_buffer)(SdxBuffer* buffer) NO_EXCEPTION;  // clears it too

  // A model as JSON. `options` may be null; of them, free dimensions and the folder of external data are used.
  // {"path", "ir_version", "producer_name", "producer_version", "domain", "model_version", "graph_name", "doc",
  //  "opsets": {"ai.onnx": 17, ...}, "metadata": {key: text},
  //  "inputs": [{"name", "type", "kind", "shape"}], "overridable": [like inputs], "outputs": [like inputs],
  //  "symbols": [names, sorted],
  //  "values": [like inputs; an inner graph's have "graph": its place], "assumptions": [what a run is taken to keep:
  //    {"kind": "symbol", "symbol", "places": [texts]} (one size),
  //    {"kind": "declared", "value", "declared", "inferred"} (the model says something else),
  //    {"kind": "condition", "node", "condition"} (what a shape rule cannot decide)],
  //  "operators": [{"domain", "op", "count"}, sorted], "nodes": n (subgraphs' included),
  //  "weights": {"count", "elements", "bytes", "by_type": {"float": bytes}}, "functions": [{"domain", "name",
  //  "nodes"}], "warnings": [texts]}
  // "type" is "tensor(float)" and the like; "kind" is "tensor", "sequence", "map", "optional" or "sparse_tensor";
  // "shape" holds numbers, texts (symbols and expressions of them) and null (nothing known; among "values" a text like
  // "?7", the same for the same size), or is itself null where not even the rank is known.
  OrtStatus*(ORT_API_CALL* inspect)(const SdxModelSource* source, const OrtSessionOptions* options,
                                    SdxBuffer* json)NO_EXCEPTION;

  // The graph as text, one node a line. Of a path or bytes: as imported. Of a session: as it runs.
  OrtStatus*(ORT_API_CALL* dump_graph)(const SdxModelSource* source, const OrtSessionOptions* options,
                                       SdxBuffer* text)NO_EXCEPTION;

  // The bytes of a TensorProto, SequenceProto, MapProto, OptionalProto or SparseTensorProto, as the value's kind is.
  // `name` goes into the message and may be null.
  OrtStatus*(ORT_API_CALL* value_to_proto)(const OrtValue* value, const char* name, SdxBuffer* bytes)NO_EXCEPTION;

  // The reverse. Nothing in the bytes says which message they are: `kind` does. Copies the bytes.
  OrtStatus*(ORT_API_CALL* value_from_proto)(const void* bytes, size_t size, ONNXType kind,
                                             OrtValue** value)NO_EXCEPTION;

  // Every knob as JSON, sorted by name: [{"name", "environment", "type", "default", "current", "sentence"}].
  OrtStatus*(ORT_API_CALL* knobs)(SdxBuffer* json)NO_EXCEPTION;

  // Each run with these options stops with FAIL when it has taken this long. 0: no limit.
  OrtStatus*(ORT_API_CALL* run_options_set_time_limit)(OrtRunOptions* options, uint64_t nanoseconds)NO_EXCEPTION;

  // The elements of a tensor of any type but string, as doubles: complex ones as two each, packed ones unpacked.
  // `count` must be the number of doubles that takes.
  OrtStatus*(ORT_API_CALL* value_to_doubles)(const OrtValue* value, double* elements, size_t count)NO_EXCEPTION;

  // Each run with these options calls `poll` and stops with FAIL once it answers 0. Null: no polling.
  OrtStatus*(ORT_API_CALL* run_options_set_poll)(OrtRunOptions* options, SdxPollFunction poll, void* param)NO_EXCEPTION;

  // From version 2 on.

  // What a run of the session needs in memory, before the first one, as JSON:
  // {"formula": "max(4*batch*seq, ...) + 4*batch + 25557032",   arena + outputs + weights, in bytes
  //  "symbols": [names that a number is needed for, sorted],
  //  "bytes": {"arena", "outputs", "kept", "packed_weights", "weights", "packing", "bookkeeping", "total"},
  //  "schedule": [{"arena", "moved", "operations"}: of each step]}; both null unless every symbol has a number here.
  // "kept" holds what sequences and loops may keep hold of; memory and steps of subgraphs are not in it.
  OrtStatus*(ORT_API_CALL* plan_memory)(const OrtSession* session, const char* const* names, const int64_t* numbers,
                                        size_t count, SdxBuffer* json)NO_EXCEPTION;

  // Runs that begin after the call returns use these tensors, all of them, instead of the model's weights of those
  // names; runs that began before finish on the old ones. Each has the weight's own type and shape. The bytes are
  // copied. On failure nothing changes.
  OrtStatus*(ORT_API_CALL* replace_weights)(OrtSession* session, const char* const* names,
                                            const OrtValue* const* values, size_t count)NO_EXCEPTION;

  // How the session runs, as JSON: {"steps": n, "planned", "views", "in_place", "dynamic", "stages", "constants"}.
  OrtStatus*(ORT_API_CALL* plan_statistics)(const OrtSession* session, SdxBuffer* json)NO_EXCEPTION;

  // From version 3 on.

  // Why the session runs as it does, as JSON:
  // {"graph": name, "providers": [names in order of priority], "copies": n, between memories, "statistics": {as
  //    plan_statistics},
  //  "passes": [{"pass", "level", "exactness", "sentence", "ran": "yes"|"no", "rewrites": n, "microseconds": n}],
  //  "rewrites": [{"pass", "what": "Conv + Add", "origins": [the model's nodes]}, in order],
  //  "declined": [{"pass", "node", "reason"}: rewrites that nearly happened; with the session's config entry
  //    sardonyx.explain = 1],
  //  "placements": [{"node", "domain", "op", "graph": place of a subgraph's, "origins", "provider", "group": n of those
  //    compiled together, "refused": [{"provider", "reason"}]}: where each node went before later passes; with
  //    sardonyx.explain = 1 and other providers than the CPU],
  //  "steps": [{"node", "domain", "op", "graph": place of a subgraph's, "origins", "provider",
  //    "mode": "planned" | "view" (nothing to run) | "dynamic" (found while it runs), "kernel",
  //    "refused": [{"kernel", "reason"}: of those preferred to it], "outputs": [{"name", "fact": "f32[batch,10]"}]}],
  //  "memory": {as plan_memory without numbers}}
  OrtStatus*(ORT_API_CALL* explain)(const OrtSession* session, SdxBuffer* json)NO_EXCEPTION;

  // Every pass in the order in which they run, as JSON: [{"pass", "level": "basic"|"extended"|"layout", "exactness":
  // "bits"|"rounding", "sentence"}]. Config entries of a session: optimization.disable_specified_optimizers (names, ;
  // between), sardonyx.last_rewrite (no more rewrites than so many), sardonyx.kernels = reference (no kernels but the
  // plain ones), sardonyx.partition = cost (what providers would run is given back where copies to and from their
  // memory cost more than they save), sardonyx.precision = double (all floats have 64 bits, outputs too) or bf16 (the
  // operands of float32 products by constant matrices are rounded to bfloat16, sums are not; where the processor has no
  // such products nothing changes, and explain says so).
  OrtStatus*(ORT_API_CALL* passes)(SdxBuffer* json)NO_EXCEPTION;

  // Every operator that the library runs, as JSON, sorted by domain and name: [{"domain", "op", "since": the first
  // opset,
  //  "newest": that of the newest version, "deprecated": the opset from which on it is, or null, "provider",
  //  "kind": "optimized", "reference", "view" (nothing to run) or "rewritten" (as others, at import),
  //  "kernels": [names, the preferred one first], "types": [{"name": "T", "allowed": [texts]}] of the newest version,
  //  or null where the standard does not have the operator}]
  OrtStatus*(ORT_API_CALL* operators)(SdxBuffer* json)NO_EXCEPTION;

  // From version 4 on.

  // -1: runs with these options give way to others of the process that have a higher priority: they begin, and every
  // 50 ms or so go on, when none of those is under way, or after a pause of a second. 0: as runs without a priority.
  // 1: others give way. Runs that began before the process's first call of this are not waited for.
  OrtStatus*(ORT_API_CALL* run_options_set_priority)(OrtRunOptions* options, int priority)NO_EXCEPTION;
} SdxApi;

// Null for version 0 and for versions newer than the library.
ORT_EXPORT const SdxApi* ORT_API_CALL SdxGetApi(uint32_t version) NO_EXCEPTION;

#ifdef __cplusplus
}
#endif

#endif  // SARDONYX_H_
