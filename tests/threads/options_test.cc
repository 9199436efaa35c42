// What a caller may say about threads: hooks that create and join them, spinning, processors, one pool for all
// sessions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "models.h"

namespace sdx::test {
namespace {

using sardonyx::check;
using sardonyx::ort_api;
using sardonyx::Session;
using sardonyx::SessionOptions;
using testing::HasSubstr;

struct Counts {
  std::atomic<int> created{0}, joined{0};
};
Counts g_counts;

OrtCustomThreadHandle ORT_API_CALL create_thread(void* options, OrtThreadWorkerFn worker, void* param) {
  ++static_cast<Counts*>(options)->created;
  return reinterpret_cast<OrtCustomThreadHandle>(new std::thread([=] { worker(param); }));
}
void ORT_API_CALL join_thread(OrtCustomThreadHandle handle) {
  auto* thread = const_cast<std::thread*>(reinterpret_cast<const std::thread*>(handle));
  thread->join();
  delete thread;
  ++g_counts.joined;
}

class thread_options : public testing::Test {
 protected:
  void SetUp() override { g_counts.created = g_counts.joined = 0; }

  static SessionOptions hooked(int threads) {
    SessionOptions options;
    options.threads(threads);
    check(ort_api().SessionOptionsSetCustomCreateThreadFn(options.handle(), create_thread));
    check(ort_api().SessionOptionsSetCustomThreadCreationOptions(options.handle(), &g_counts));
    check(ort_api().SessionOptionsSetCustomJoinThreadFn(options.handle(), join_thread));
    return options;
  }
  Session session(const SessionOptions& options = {}) const { return Session::from_bytes(as_bytes(model_), options); }
  std::string run(const Session& session) const { return bits_of(session.run({{"x", x_}})); }
  std::string failure(const SessionOptions& options) const {
    try {
      run(session(options));
    } catch (const sardonyx::Error& error) {
      return error.what();
    }
    return "";
  }

  const std::string model_ = mixed_model();
  const sardonyx::Value x_ = noise({1, 3, 40, 40}, 1);
  const std::string bits_ = run(session(SessionOptions().threads(1)));
};

// Of the threads of this process: how many may run on the first processor alone.
int threads_on_first_processor() {
  int count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);) count += line == "Cpus_allowed_list:\t0";
  }
  return count;
}

TEST_F(thread_options, hooks_create_and_join_the_workers) {
  {
    const Session session = this->session(hooked(3));
    EXPECT_EQ(run(session), bits_);
    EXPECT_EQ(run(session), bits_);
    EXPECT_EQ(g_counts.created, 2);
    EXPECT_EQ(g_counts.joined, 0);
  }
  EXPECT_EQ(g_counts.joined, 2);
}

TEST_F(thread_options, a_hook_alone_is_refused) {
  SessionOptions options;
  options.threads(2);
  check(ort_api().SessionOptionsSetCustomCreateThreadFn(options.handle(), create_thread));
  EXPECT_THAT(failure(options), HasSubstr("without one to join"));
}

TEST_F(thread_options, spinning_can_be_set) {
  for (const char* allow : {"0", "1"})
    EXPECT_EQ(run(session(SessionOptions().threads(3).config("session.intra_op.allow_spinning", allow))), bits_);
  EXPECT_EQ(run(session(SessionOptions().threads(3).config("session.intra_op.spin_duration_us", "20"))), bits_);
  EXPECT_THAT(failure(SessionOptions().config("session.intra_op.allow_spinning", "yes")), HasSubstr("0 or 1"));
  EXPECT_THAT(failure(SessionOptions().config("session.intra_op.spin_duration_us", "-1")),
              HasSubstr("spin_duration_us"));
}

TEST_F(thread_options, workers_keep_to_their_processors) {
  const int before = threads_on_first_processor();
  const char* affinities = "session.intra_op_thread_affinities";
  {
    const Session session = this->session(SessionOptions().threads(3).config(affinities, "1;1"));
    EXPECT_EQ(run(session), bits_);
    // Workers begin by themselves: the last may not have come so far when the run is over.
    for (int i = 0; i < 100 && threads_on_first_processor() < before + 2; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(threads_on_first_processor(), before + 2);
  }
  EXPECT_EQ(threads_on_first_processor(), before);
  {
    const Session session = this->session(hooked(2).config(affinities, " 1-2 , 1 "));
    EXPECT_EQ(run(session), bits_);
    EXPECT_EQ(g_counts.created, 1);
  }
  EXPECT_EQ(g_counts.joined, 1);
  // A processor that is not there costs nothing.
  EXPECT_EQ(run(session(SessionOptions().threads(2).config(affinities, "60000"))), bits_);
  EXPECT_THAT(failure(SessionOptions().threads(3).config(affinities, "1")), HasSubstr("for 1 workers; 2 are wanted"));
  EXPECT_THAT(failure(SessionOptions().threads(2).config(affinities, "0")), HasSubstr("\"0\" is found"));
  EXPECT_THAT(failure(SessionOptions().threads(2).config(affinities, "3-1")), HasSubstr("\"3-1\" is found"));
  EXPECT_THAT(failure(SessionOptions().threads(2).config(affinities, "1,x")), HasSubstr("\"x\" is found"));
  EXPECT_THAT(failure(SessionOptions().threads(3).config(affinities, "1; ")), HasSubstr("nothing for worker 2"));
}

TEST_F(thread_options, sessions_share_the_pool_of_their_environment) {
  OrtThreadingOptions* threading = nullptr;
  check(ort_api().CreateThreadingOptions(&threading));
  check(ort_api().SetGlobalIntraOpNumThreads(threading, 3));
  check(ort_api().SetGlobalSpinControl(threading, 0));
  check(ort_api().SetGlobalCustomCreateThreadFn(threading, create_thread));
  check(ort_api().SetGlobalCustomThreadCreationOptions(threading, &g_counts));
  check(ort_api().SetGlobalCustomJoinThreadFn(threading, join_thread));
  OrtEnv* env = nullptr;
  check(ort_api().CreateEnvWithGlobalThreadPools(ORT_LOGGING_LEVEL_WARNING, "threads", threading, &env));
  ort_api().ReleaseThreadingOptions(threading);
  SessionOptions options;
  options.threads(8);
  check(ort_api().DisablePerSessionThreads(options.handle()));
  OrtSession* sessions[2] = {};
  for (OrtSession*& session : sessions)
    check(ort_api().CreateSessionFromArray(env, model_.data(), model_.size(), options.handle(), &session));
  const char* input = "x";
  const char* output = "p";
  const OrtValue* x = x_.handle();
  for (OrtSession* session : sessions) {
    OrtValue* y = nullptr;
    check(ort_api().Run(session, nullptr, &input, &x, 1, &output, 1, &y));
    EXPECT_EQ(bits_.find(bits_of(sardonyx::Value(y))), 0u);
  }
  EXPECT_EQ(g_counts.created, 2);
  for (OrtSession* session : sessions) ort_api().ReleaseSession(session);
  ort_api().ReleaseEnv(env);
  EXPECT_EQ(g_counts.joined, 2);
}

}  // namespace
}  // namespace sdx::test
