#include "base/cpu.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/knobs.h"

namespace sdx {
namespace {

TEST(cpu, names_round_trip) {
  for (int i = 0; i < kIsaCount; ++i) EXPECT_EQ(isa_from_name(name(static_cast<Isa>(i))), static_cast<Isa>(i));
  EXPECT_FALSE(isa_from_name("mmx"));
}

TEST(cpu, the_best_level_is_supported_and_the_baseline_holds) {
  if (knob::isa() != "best") GTEST_SKIP() << "SARDONYX_ISA is set";
  EXPECT_TRUE(supported_baseline());
  EXPECT_TRUE(supports(best_isa()));
#if defined(__x86_64__)
  EXPECT_TRUE(supports(Isa::sse4));
  EXPECT_FALSE(supports(Isa::neon));
  EXPECT_EQ(supports(Isa::avx2),
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"));
  EXPECT_EQ(supports(Isa::avx512_vnni), supports(Isa::avx512) && __builtin_cpu_supports("avx512vnni"));
  EXPECT_EQ(supports(Isa::avx512_bf16), supports(Isa::avx512_vnni) && __builtin_cpu_supports("avx512bf16"));
#endif
}

TEST(cpu, for_each_isa_caps_and_restores) {
  const Isa before = best_isa();
  int levels = 0;
  Isa last = Isa::scalar;
  for_each_isa([&](Isa isa) {
    EXPECT_EQ(best_isa(), isa);
    EXPECT_TRUE(supports(isa));
    last = isa;
    ++levels;
  });
  EXPECT_EQ(best_isa(), before);
  EXPECT_EQ(last, before);
  EXPECT_GE(levels, 1);
}

TEST(cpu, for_each_isa_restores_after_an_exception) {
  const Isa before = best_isa();
  EXPECT_THROW(for_each_isa([](Isa) { throw 1; }), int);
  EXPECT_EQ(best_isa(), before);
}

TEST(cpu, a_cap_hides_what_is_above) {
  const Isa before = best_isa();
  set_isa_cap(Isa::sse4);
  EXPECT_FALSE(supports(Isa::avx2));
  EXPECT_LE(best_isa(), Isa::sse4);
  set_isa_cap(before);
  EXPECT_EQ(best_isa(), before);
}

TEST(cpu, cores_obey_the_affinity) {
  const int all = allowed_cores();
  EXPECT_GE(all, 1);
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &one);
      break;
    }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(allowed_cores(), 1);
  sched_setaffinity(0, sizeof(before), &before);
  EXPECT_EQ(allowed_cores(), all);
}

TEST(cpu, caches_are_plausible) {
  const CacheSizes& sizes = cache_sizes();
  EXPECT_GE(sizes.l1d, 8 << 10);
  EXPECT_GE(sizes.l2, sizes.l1d);
  EXPECT_GE(sizes.line, 16);
}

// A folder that stands for "/" with the files of /proc and /sys that a case names.
class FakeRoot {
 public:
  FakeRoot() {
    std::string name = (std::filesystem::temp_directory_path() / "sdx_cpu_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~FakeRoot() { std::filesystem::remove_all(path_); }
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path_ + file).parent_path());
    std::ofstream(path_ + file) << text;
  }
  std::optional<double> quota() const { return cgroup_cpu_quota(path_); }

 private:
  std::string path_;
};

TEST(cpu, quota_of_version_2_is_the_lowest_on_the_way_up) {
  const FakeRoot root;
  EXPECT_FALSE(root.quota());
  root.write("/proc/self/cgroup", "0::/a/b\n");
  EXPECT_FALSE(root.quota());
  root.write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_FALSE(root.quota());
  root.write("/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
  EXPECT_EQ(root.quota(), 3.0);
  root.write("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(root.quota(), 1.5);
}

TEST(cpu, quota_inside_a_container_is_read_at_the_mount) {
  const FakeRoot root;
  root.write("/proc/self/cgroup", "0::/host/only/path\n");
  root.write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(root.quota(), 2.0);
}

TEST(cpu, quota_of_version_1) {
  const FakeRoot root;
  root.write("/proc/self/cgroup", "12:cpuset:/\n4:cpu,cpuacct:/docker/x\n0::/\n");
  root.write("/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "-1\n");
  root.write("/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(root.quota());
  root.write("/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "250000\n");
  EXPECT_EQ(root.quota(), 2.5);
}

TEST(cpu, nonsense_in_quota_files_is_no_limit) {
  const FakeRoot root;
  root.write("/proc/self/cgroup", "garbage\n0::\n:::::\n");
  root.write("/sys/fs/cgroup/cpu.max", "12x\n");
  EXPECT_FALSE(root.quota());
  root.write("/sys/fs/cgroup/cpu.max", "0 0\n");
  EXPECT_FALSE(root.quota());
}

}  // namespace
}  // namespace sdx
