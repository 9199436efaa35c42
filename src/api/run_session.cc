// One run: the caller's handles in, values of the engine's through, handles out.
#include <cstring>

#include "abi/lora_adapter.h"
#include "answer.h"
#include "base/few.h"
#include "base/small_vector.h"
#include "run_priority.h"
#include "session_handle.h"

namespace sdx::api {
namespace {

constexpr std::string_view kTerminated = "Exiting due to terminate flag being set to true.";

// What a run can be stopped by. On the stack of the thread that runs.
class RunStop {
 public:
  explicit RunStop(const OrtRunOptions& options) : options_(options), priority_(options.priority) {
    token_.watch(options.terminate);
    if (options.time_limit_ns > 0) token_.set_deadline(deadline_ = CancelToken::Clock::now() + limit());
    if (options.poll != nullptr || (priorities_used() && options.priority < 1))
      token_.set_poll([](void* self) { return static_cast<RunStop*>(self)->go_on(); }, this);
  }
  CancelToken& token() { return token_; }
  // Waits for runs of higher priority, a second at most and no longer than the run may go on. False: it may not.
  bool give_way() const {
    const auto end = CancelToken::Clock::now() + RunPriority::kLongestPause;
    while (priority_.gives_way() && !terminated() && CancelToken::Clock::now() < std::min(end, deadline_)) {
      if (options_.poll != nullptr && options_.poll(options_.poll_param) == 0) return false;
      std::this_thread::sleep_for(kPause);
    }
    return true;
  }
  bool terminated() const { return options_.terminate.load(std::memory_order_relaxed); }

 private:
  std::chrono::nanoseconds limit() const {
    constexpr uint64_t kLongest = 1'000'000'000'000'000'000;  // 30 years: the clock's sum cannot overflow
    return std::chrono::nanoseconds(static_cast<int64_t>(std::min(options_.time_limit_ns, kLongest)));
  }
  bool go_on() const {
    if (options_.poll != nullptr && options_.poll(options_.poll_param) == 0) return false;
    return !priority_.gives_way() || give_way();
  }

  static constexpr std::chrono::milliseconds kPause{2};
  const OrtRunOptions& options_;
  const RunPriority priority_;
  CancelToken::Clock::time_point deadline_ = CancelToken::Clock::time_point::max();
  CancelToken token_;
};

// The run's result into a tensor that the caller gave.
Status write_output(std::string_view name, OrtValue& given, Value made) {
  if (!made.is_tensor() || !given.content().is_tensor()) {
    if (given.kind() != ValueKind::none && given.kind() != made.kind())
      return invalid_argument("output \"{}\": the value given is {}, the run made {}", name,
                              to_text(given.content().type()), to_text(made.type()));
    given.set(std::move(made));
    return {};
  }
  const Tensor& result = made.tensor();
  Tensor& target = given.content().tensor();
  if (target.dtype() != result.dtype() || !std::ranges::equal(target.shape(), result.shape()))
    return invalid_argument("output \"{}\": the tensor given is {} of shape {}, the run made {} of shape {}", name,
                            to_text(given.content().type()), to_text(target.shape()), to_text(made.type()),
                            to_text(result.shape()));
  if (target.dtype() == DType::string) {
    given.set(std::move(made));
  } else if (result.byte_size() > 0 && target.raw() != result.raw()) {
    std::memmove(target.raw(), result.raw(), result.byte_size());
  }
  return {};
}

// The ABI shows an optional that has a value as that value.
Value without_optional(Value value) {
  if (value.kind() != ValueKind::optional || !value.optional().element.defined()) return value;
  return value.optional().element;
}

using Feeds = Few<runtime::Feed, 4>;

// The parameters of active adapters are inputs that the caller did not name.
void add_adapters(const OrtRunOptions& options, Feeds& feeds) {
  for (const OrtLoraAdapter* adapter : options.adapters) {
    for (const OrtLoraAdapter::Parameter& parameter : adapter->parameters) {
      const bool given = std::ranges::any_of(feeds, [&](const auto& feed) { return feed.name == parameter.name; });
      if (!given) feeds.push_back({parameter.name, parameter.value.content()});
    }
  }
}

size_t most_feeds(const RunRequest& request) {
  size_t most = request.inputs.size();
  if (request.options == nullptr) return most;
  for (const OrtLoraAdapter* adapter : request.options->adapters) most += adapter->parameters.size();
  return most;
}

Status read_feeds(const RunRequest& request, Feeds& feeds) {
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    if (request.input_names[i] == nullptr || *request.input_names[i] == '\0')
      return invalid_argument("the name of input {} is null or empty", i);
    if (request.inputs[i] == nullptr) return invalid_argument("input \"{}\" is a null pointer", request.input_names[i]);
    SDX_ASSIGN(Value value, request.inputs[i]->value());
    if (value.is_tensor() && value.tensor().memory().device != Device::cpu)
      return not_implemented("input \"{}\" is in the memory of another device; only the CPU's is supported",
                             request.input_names[i]);
    feeds.push_back({request.input_names[i], std::move(value)});
  }
  if (request.options != nullptr && !request.options->adapters.empty()) add_adapters(*request.options, feeds);
  return {};
}

// The profiler of a run whose options ask for one.
std::unique_ptr<runtime::Profiler> profiler_of(const OrtSession& session, const OrtRunOptions& options) {
  if (!options.profiling) return nullptr;
  const runtime::Profiler* of_session = session.engine->profiler();
  if (of_session == nullptr || !of_session->is_recording())
    return std::make_unique<runtime::Profiler>(options.profile_prefix, session.logger);
  SDX_LOG(session.logger, warning,
          "the run options ask for a profile of the run, but the session records one: the run is in that one only");
  return nullptr;
}

Status run_engine(OrtSession& session, const RunRequest& request, CancelToken* token,
                  runtime::Profiler* profiler = nullptr) {
  if (session.edited != nullptr) [[unlikely]]
    return invalid_argument("the session's model is being edited; FinalizeModelEditorSession comes before a run");
  if (request.output_names.empty()) return invalid_argument("At least one output should be requested.");
  Feeds feeds(most_feeds(request));
  SDX_TRY(read_feeds(request, feeds));
  SmallVector<std::string_view, 8> names;
  for (const char* name : request.output_names) {
    if (name == nullptr || *name == '\0')
      return invalid_argument("the name of output {} is null or empty", names.size());
    names.push_back(name);
  }
  std::vector<Value> given;
  for (size_t i = 0; i < names.size(); ++i) {
    const OrtValue* target = request.outputs[i];
    if (target == nullptr || !target->content().is_tensor()) continue;
    given.resize(names.size());
    given[i] = target->content();
  }
  SDX_ASSIGN(auto results, session.engine->run(feeds.all(), names, given, {.cancel = token, .profiler = profiler}));
  for (Value& result : results) result = without_optional(std::move(result));
  // Handles are made first: a failure leaves the caller's outputs as they were.
  Few<std::unique_ptr<OrtValue>, 4> made(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    made.push_back(request.outputs[i] == nullptr ? std::make_unique<OrtValue>(std::move(results[i])) : nullptr);
  for (size_t i = 0; i < results.size(); ++i)
    if (request.outputs[i] != nullptr) SDX_TRY(write_output(names[i], *request.outputs[i], std::move(results[i])));
  for (size_t i = 0; i < results.size(); ++i)
    if (made[i] != nullptr) request.outputs[i] = made[i].release();
  return {};
}

}  // namespace

Status run_session(OrtSession& session, const RunRequest& request) {
  if (request.options == nullptr) {
    if (!priorities_used()) [[likely]]
      return run_engine(session, request, nullptr);
    const OrtRunOptions plain;
    RunRequest with_options = request;
    with_options.options = &plain;
    return run_session(session, with_options);
  }
  RunStop stop(*request.options);
  if (!stop.give_way()) stop.token().request();
  if (stop.terminated()) return make_error(Code::fail, "{}", kTerminated);
  const auto profiler = profiler_of(session, *request.options);
  Status status = run_engine(session, request, &stop.token(), profiler.get());
  if (status.code() == Code::fail && stop.terminated()) return make_error(Code::fail, "{}", kTerminated);
  return status;
}

}  // namespace sdx::api
