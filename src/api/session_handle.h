// OrtSession: a session of the engine's with the log it writes to, and how one is loaded from the options.
#pragma once

#include "abi/env.h"
#include "runtime/session.h"

namespace sdx::api {

// A session of the model editor before it is finalized: the model that is being changed.
struct EditedModel {
  std::shared_ptr<onnx::Model> model;
  const OrtEnv* env = nullptr;
  OrtSessionOptions options;
};

}  // namespace sdx::api

struct OrtSession {
  OrtSession(std::string log_id, sdx::Severity lowest, sdx::LogFunction function, void* param)
      : logger(std::move(log_id), lowest, function, param), log_handle{&logger} {}

  sdx::Logger logger;  // outlives the engine's session
  OrtLogger log_handle;
  std::vector<std::shared_ptr<sdx::abi::LoadedLibrary>> libraries;  // outlive it, too
  std::unique_ptr<sdx::runtime::Session> engine;  // before an edited model is finalized: of the model as it was
  std::unique_ptr<sdx::api::EditedModel> edited;  // null: nothing is being edited
};

namespace sdx::api {

// A model by its path, by its bytes, or ready.
struct ModelSource {
  const char* path = nullptr;
  const void* bytes = nullptr;
  size_t size = 0;
  std::shared_ptr<onnx::Model> made = nullptr;
};

// Reads the model and changes it as the options say: initializers and dimensions that the caller gave. `options` may be
// null.
Result<std::shared_ptr<onnx::Model>> load_model(const ModelSource& source, const OrtSessionOptions* options);

std::map<std::string, int64_t> symbol_values(const OrtSessionOptions* options);
bool strict_shapes(const OrtSessionOptions* options);

Result<std::unique_ptr<OrtSession>> load_session(const OrtEnv& env, const ModelSource& source,
                                                 const OrtSessionOptions* options);

// Another model, and options, for a session that keeps its handle and its log.
Status reload_session(const OrtEnv& env, const ModelSource& source, const OrtSessionOptions* options,
                      OrtSession& session);

struct RunRequest {
  const OrtRunOptions* options = nullptr;  // may be null
  std::span<const char* const> input_names;
  std::span<const OrtValue* const> inputs;
  std::span<const char* const> output_names;
  std::span<OrtValue*> outputs;  // written in place where not null, else made
};
Status run_session(OrtSession& session, const RunRequest& request);

}  // namespace sdx::api
