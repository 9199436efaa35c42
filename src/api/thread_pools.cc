#include "thread_pools.h"

#include <charconv>

#include "affinity.h"

namespace sdx::api {
namespace {

std::string_view config_of(const OrtSessionOptions& options, const char* key) {
  const auto entry = options.config.find(key);
  return entry == options.config.end() ? std::string_view() : std::string_view(entry->second);
}

Status read_spinning(const OrtSessionOptions& options, ThreadPoolOptions& pool) {
  constexpr char kAllow[] = "session.intra_op.allow_spinning", kDuration[] = "session.intra_op.spin_duration_us";
  constexpr int64_t kLongest = 1'000'000;
  const std::string_view allow = config_of(options, kAllow), duration = config_of(options, kDuration);
  if (!duration.empty()) {
    int64_t microseconds = -1;
    const auto [end, error] = std::from_chars(duration.data(), duration.data() + duration.size(), microseconds);
    const bool whole = error == std::errc() && end == duration.data() + duration.size();
    if (!whole || microseconds < 0 || microseconds > kLongest)
      return invalid_argument("{} is \"{}\"; 0 to {} is wanted", kDuration, duration, kLongest);
    pool.spin_ns = microseconds * 1000;
  }
  if (!allow.empty() && allow != "0" && allow != "1")
    return invalid_argument("{} is \"{}\"; 0 or 1 is wanted", kAllow, allow);
  if (allow == "0") pool.spin_ns = 0;
  return {};
}

Status check_hooks(const ThreadHooks& hooks) {
  if ((hooks.create == nullptr) == (hooks.join == nullptr)) return {};
  return invalid_argument("a custom function {} threads is set without one to {} them",
                          hooks.create != nullptr ? "to create" : "to join",
                          hooks.create != nullptr ? "join" : "create");
}

Result<std::shared_ptr<ThreadPool>> make_pool(const ThreadPoolOptions& options, std::string_view affinities) {
  SDX_TRY(check_hooks(options.hooks));
  const int threads = options.threads > 0 ? options.threads : ThreadPool::default_size();
  SDX_ASSIGN(WorkerCpus cpus, parse_affinities(affinities, threads - 1));
  if (cpus.empty() && !options.hooks && options.spin_ns == ThreadPoolOptions{}.spin_ns)
    return ThreadPool::shared(options.threads);
  return make_pinned_pool(options, std::move(cpus));
}

Result<std::shared_ptr<ThreadPool>> pool_of_environment(const OrtEnv& env) {
  const OrtThreadingOptions& threading = env.threading;
  ThreadPoolOptions options{.threads = threading.intra_op_threads, .hooks = threading.hooks};
  if (!threading.allow_spinning) options.spin_ns = 0;
  SDX_ASSIGN(auto made, make_pool(options, threading.affinity));  // its threads start with the first run
  const std::lock_guard lock(env.mutex);
  if (env.pool == nullptr) env.pool = std::move(made);
  return env.pool;
}

}  // namespace

Result<std::shared_ptr<ThreadPool>> thread_pool_of(const OrtEnv& env, const OrtSessionOptions* options) {
  if (options == nullptr || !options->per_session_threads) return pool_of_environment(env);
  ThreadPoolOptions pool{.threads = options->intra_op_threads, .hooks = options->thread_hooks};
  SDX_TRY(read_spinning(*options, pool));
  return make_pool(pool, config_of(*options, "session.intra_op_thread_affinities"));
}

}  // namespace sdx::api
