#include "affinity.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <thread>

namespace sdx::api {
namespace {

constexpr int kMostCpus = 1 << 16;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Cuts off what stands before the first `mark`.
std::string_view take_part(std::string_view& rest, char mark) {
  const size_t at = rest.find(mark);
  const std::string_view part = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return trimmed(part);
}

int processor_of(std::string_view text) {
  text = trimmed(text);
  int processor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), processor);
  const bool good = error == std::errc() && end == text.data() + text.size() && processor <= kMostCpus;
  return good ? processor : 0;
}

// "3" or "5-8".
Status add_processors(std::string_view text, std::vector<int>& cpus) {
  const size_t dash = text.find('-');
  const int first = processor_of(text.substr(0, dash));
  const int last = dash == std::string_view::npos ? first : processor_of(text.substr(dash + 1));
  if (first < 1 || last < first)
    return invalid_argument(
        "thread affinities: \"{}\" is found; a processor from 1 to {} or a range like 5-8 is wanted", text, kMostCpus);
  for (int processor = first; processor <= last; ++processor) cpus.push_back(processor - 1);
  return {};
}

void stay_on(const std::vector<int>& cpus) {
  const auto most = static_cast<size_t>(*std::max_element(cpus.begin(), cpus.end())) + 1;
  const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(most), [](cpu_set_t* s) { CPU_FREE(s); });
  if (set == nullptr) return;
  const size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set.get());
  for (const int cpu : cpus) CPU_SET_S(static_cast<size_t>(cpu), bytes, set.get());
  sched_setaffinity(0, bytes, set.get());
}

// Stands between the pool and the caller's hooks, or threads of our own where there are none.
struct Pinner {
  struct Start {
    const std::vector<int>& cpus;
    void (*worker)(void*);
    void* param;
  };

  WorkerCpus cpus;
  ThreadHooks inner;
  std::vector<std::unique_ptr<Start>> starts;  // one a worker and start of the pool

  static ThreadHooks::Handle create(void* self, void (*worker)(void*), void* param) {
    return static_cast<Pinner*>(self)->start(worker, param);
  }
  ThreadHooks::Handle start(void (*worker)(void*), void* param) {
    const size_t index = starts.size() % cpus.size();
    starts.push_back(std::make_unique<Start>(Start{cpus[index], worker, param}));
    Start* start = starts.back().get();
    if (inner) return inner.create(inner.options, run, start);
    try {
      return new std::thread(run, start);
    } catch (const std::system_error&) {
      return nullptr;  // fewer workers
    }
  }
  static void run(void* param) {
    const Start& start = *static_cast<const Start*>(param);
    stay_on(start.cpus);
    start.worker(start.param);
  }
  static void join_own(ThreadHooks::Handle handle) {
    const std::unique_ptr<std::thread> thread(const_cast<std::thread*>(static_cast<const std::thread*>(handle)));
    thread->join();
  }
};

}  // namespace

Result<WorkerCpus> parse_affinities(std::string_view text, int workers) {
  WorkerCpus all;
  if (trimmed(text).empty()) return all;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view group = take_part(rest, ';');
    std::vector<int>& cpus = all.emplace_back();
    while (!group.empty()) SDX_TRY(add_processors(take_part(group, ','), cpus));
    if (cpus.empty()) return invalid_argument("thread affinities: \"{}\" has nothing for worker {}", text, all.size());
  }
  if (static_cast<int>(all.size()) != workers)
    return invalid_argument(
        "thread affinities: \"{}\" is for {} workers; {} are wanted, one less than there are threads", text, all.size(),
        workers);
  return all;
}

std::shared_ptr<ThreadPool> make_pinned_pool(ThreadPoolOptions options, WorkerCpus cpus) {
  if (cpus.empty()) return std::make_shared<ThreadPool>(options);
  auto pinner = std::make_unique<Pinner>(Pinner{std::move(cpus), options.hooks, {}});
  options.hooks = {Pinner::create, options.hooks ? options.hooks.join : Pinner::join_own, pinner.get()};
  auto pool = std::make_unique<ThreadPool>(options);
  // The pool goes first: its workers are what the pinner started.
  const auto destroy = [kept = std::shared_ptr<Pinner>(std::move(pinner))](ThreadPool* made) { delete made; };
  return {pool.release(), destroy};
}

}  // namespace sdx::api
