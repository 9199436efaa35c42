// RunAsync: the callback comes once, on another thread, with the outputs or the status.
#include <gtest/gtest.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "models.h"

namespace sdx::test {
namespace {

using sardonyx::ort_api;
using sardonyx::Session;

class AsyncRun {
 public:
  AsyncRun(const Session& session, const sardonyx::Value& x, const sardonyx::RunOptions* options = nullptr)
      : input_(x.handle()) {
    sardonyx::check(ort_api().RunAsync(session.handle(), options == nullptr ? nullptr : options->handle(),
                                       kInputNames.data(), &input_, 1, kOutputNames.data(), kOutputNames.size(),
                                       outputs_.data(), finished, this));
  }
  ~AsyncRun() {
    wait();
    for (OrtValue* output : outputs_) ort_api().ReleaseValue(output);
    ort_api().ReleaseStatus(status_);
  }
  AsyncRun(const AsyncRun&) = delete;

  void wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return calls_ > 0; });
  }
  int calls() {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  std::thread::id thread() const { return thread_; }
  std::string error() const { return status_ == nullptr ? "" : ort_api().GetErrorMessage(status_); }
  std::string bits() {
    std::string all;
    for (OrtValue*& output : outputs_) {
      const sardonyx::Value value(std::exchange(output, nullptr));
      all += bits_of(value);
    }
    return all;
  }

 private:
  static void ORT_API_CALL finished(void* self, OrtValue** outputs, size_t count, OrtStatusPtr status) {
    auto& run = *static_cast<AsyncRun*>(self);
    const std::lock_guard lock(run.mutex_);
    run.thread_ = std::this_thread::get_id();
    run.status_ = status;
    if (outputs == run.outputs_.data() && count == run.outputs_.size()) ++run.calls_;
    run.done_.notify_all();
  }

  static constexpr std::array<const char*, 1> kInputNames{"x"};
  static constexpr std::array<const char*, 2> kOutputNames{"p", "y"};
  const OrtValue* input_;
  std::array<OrtValue*, 2> outputs_{};
  std::mutex mutex_;
  std::condition_variable done_;
  std::thread::id thread_;
  OrtStatus* status_ = nullptr;
  int calls_ = 0;
};

Session session_of(int threads) {
  const std::string model = mixed_model();
  return Session::from_bytes(as_bytes(model), sardonyx::SessionOptions().threads(threads));
}

TEST(run_async, finishes_on_another_thread) {
  const Session session = session_of(2);
  const auto x = noise({1, 3, 24, 24}, 1);
  const std::string bits = bits_of(session.run({{"x", x}}));
  AsyncRun run(session, x);
  run.wait();
  EXPECT_EQ(run.calls(), 1);
  EXPECT_NE(run.thread(), std::this_thread::get_id());
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.bits(), bits);
}

TEST(run_async, many_at_once) {
  auto session = std::make_unique<Session>(session_of(2));
  const auto x = noise({1, 3, 24, 24}, 1);
  const std::string bits = bits_of(session->run({{"x", x}}));
  std::vector<std::unique_ptr<AsyncRun>> runs;
  for (int i = 0; i < 200; ++i) runs.push_back(std::make_unique<AsyncRun>(*session, x));
  for (auto& run : runs) run->wait();
  session.reset();
  for (auto& run : runs) {
    EXPECT_EQ(run->calls(), 1);
    EXPECT_EQ(run->error(), "");
    EXPECT_EQ(run->bits(), bits);
  }
}

TEST(run_async, its_options_stop_it) {
  const Session session = session_of(1);
  const auto x = noise({1, 3, 600, 600}, 1);
  sardonyx::RunOptions options;
  AsyncRun run(session, x, &options), another(session, x, &options);
  options.terminate();
  run.wait();
  another.wait();
  EXPECT_EQ(run.error(), "Exiting due to terminate flag being set to true.");
  EXPECT_EQ(another.error(), "Exiting due to terminate flag being set to true.");
}

TEST(run_async, gives_the_status_of_a_failed_run) {
  const Session session = session_of(1);
  const auto x = noise({1, 3, 24}, 1);
  AsyncRun run(session, x);
  run.wait();
  EXPECT_NE(run.error().find("Invalid rank for input: x"), std::string::npos) << run.error();
}

TEST(run_async, refuses_what_it_cannot_start) {
  const Session session = session_of(1);
  OrtStatus* status =
      ort_api().RunAsync(session.handle(), nullptr, nullptr, nullptr, 0, nullptr, 0, nullptr, nullptr, nullptr);
  ASSERT_NE(status, nullptr);
  ort_api().ReleaseStatus(status);
}

}  // namespace
}  // namespace sdx::test
