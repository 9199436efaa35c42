// How soon a run stops that is terminated, past its deadline, or told so by its poll callback; and that its session
// works afterwards. The watchdog is ten times what is wanted; SARDONYX_STOP_TIMES=1 prints the medians.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "base/sanitizer.h"
#include "stop_cases.h"

namespace sdx::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using sardonyx::Session;
using sardonyx::SessionOptions;

constexpr auto kWatchdog = kUnderSanitizer ? 1s : 50ms;
constexpr auto kUntilInside = 60ms;
enum class By : uint8_t { terminate, deadline, poll };
constexpr const char* kNames[] = {"terminate", "deadline", "poll"};

const Fill& zeros() {
  static const auto& fill = *new Fill(size_t{1} << 31);
  return fill;
}

sardonyx::Value borrowed(DType type, const std::vector<int64_t>& shape) {
  const auto count = static_cast<size_t>(product(shape));
  switch (type) {
    case DType::f64: return sardonyx::Value::borrow(zeros().as<double>().first(count), shape);
    case DType::i64: return sardonyx::Value::borrow(zeros().as<int64_t>().first(count), shape);
    case DType::u8: return sardonyx::Value::borrow(zeros().as<uint8_t>().first(count), shape);
    case DType::f16: return sardonyx::Value::borrow(zeros().as<sardonyx::Float16>().first(count), shape);
    default: return sardonyx::Value::borrow(zeros().as<float>().first(count), shape);
  }
}

class Feeds {
 public:
  Feeds(const StopCase& test, bool big) {
    values_.reserve(test.inputs.size());
    for (const StopInput& input : test.inputs) {
      const bool trips = std::string_view(input.name) == "trips";
      const int64_t count = big ? 1'000'000'000 : 3;
      values_.push_back(trips ? sardonyx::Value::scalar(count) : borrowed(input.type, big ? input.big : input.small));
      inputs_.emplace_back(input.name, values_.back());
    }
  }
  std::span<const Session::Input> inputs() const { return inputs_; }

 private:
  std::vector<sardonyx::Value> values_;
  std::vector<Session::Input> inputs_;
};

// From the moment that the run is told to stop until it returns.
Clock::duration stop_once(const Session& session, const Feeds& feeds, By by, std::string& error) {
  sardonyx::RunOptions options;
  const auto begin = Clock::now();
  Clock::time_point told = begin + kUntilInside;
  std::thread killer;
  if (by == By::deadline) options.time_limit(kUntilInside);
  if (by == By::poll)
    options.poll([&] {
      told = Clock::now();
      return told - begin < kUntilInside;
    });
  if (by == By::terminate)
    killer = std::thread([&] {
      std::this_thread::sleep_for(kUntilInside);
      told = Clock::now();
      options.terminate();
    });
  error = "the run ended by itself";
  try {
    session.run(feeds.inputs(), {}, &options);
  } catch (const sardonyx::Error& caught) {
    error = caught.code() == ORT_FAIL ? "" : caught.what();
  }
  const auto end = Clock::now();
  if (killer.joinable()) killer.join();
  return end - told;
}

std::string run_small(const Session& session, const StopCase& test) {
  const Feeds feeds(test, false);
  std::string all;
  for (const auto& value : session.run(feeds.inputs())) {
    if (value.data_type() != sardonyx::DataType::string) {
      all += bits_of(value);
      continue;
    }
    for (const std::string& text : value.strings()) all += text + '\n';
  }
  return all;
}

void expect_stops(const StopCase& test, std::initializer_list<By> ways, int times) {
  SCOPED_TRACE(test.name);
  const auto session_of = [&](int threads) {
    return Session::from_bytes(as_bytes(test.model),
                               SessionOptions().threads(threads).log_severity(ORT_LOGGING_LEVEL_ERROR));
  };
  const std::string wanted = run_small(session_of(1), test);
  const Feeds feeds(test, true);
  for (const int threads : {1, 2}) {
    const Session session = session_of(threads);
    for (const By by : ways) {
      std::vector<Clock::duration> latencies;
      for (int i = 0; i < times; ++i) {
        std::string error;
        latencies.push_back(stop_once(session, feeds, by, error));
        ASSERT_EQ(error, "") << kNames[static_cast<int>(by)] << ", " << threads << " threads";
      }
      std::sort(latencies.begin(), latencies.end());
      const auto median = latencies[latencies.size() / 2];
      EXPECT_LT(median, kWatchdog) << kNames[static_cast<int>(by)] << ", " << threads << " threads";
      if (std::getenv("SARDONYX_STOP_TIMES") != nullptr)
        std::printf("%-28s %d threads %-10s median %8.3f ms, longest %8.3f ms\n", test.name.c_str(), threads,
                    kNames[static_cast<int>(by)], std::chrono::duration<double, std::milli>(median).count(),
                    std::chrono::duration<double, std::milli>(latencies.back()).count());
      EXPECT_EQ(run_small(session, test), wanted) << "afterwards";
    }
  }
}

TEST(stop, a_long_convolution_product_or_loop) {
  for (const StopCase& test : main_stop_cases()) expect_stops(test, {By::terminate, By::deadline, By::poll}, 3);
}

TEST(stop, slow_any_long_operator) {
  if (kUnderSanitizer) GTEST_SKIP() << "the sizes are those of a plain build";
  const char* only = std::getenv("SARDONYX_STOP_ONLY");
  for (const StopCase& test : other_stop_cases())
    if (only == nullptr || test.name == only) expect_stops(test, {By::terminate}, 3);
}

}  // namespace
}  // namespace sdx::test
