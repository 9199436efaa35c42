// How many cores this process may use, and the sizes of their caches: from the kernel's affinity, cgroup and topology
// files.
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/cpu.h"
#include "base/format.h"

namespace sdx {
namespace {

std::optional<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  if (file == nullptr) return std::nullopt;
  std::string text(1 << 14, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

// "200000 100000" or "max 100000".
std::optional<double> quota_v2(const std::string& folder) {
  const auto text = read_file(folder + "/cpu.max");
  if (!text) return std::nullopt;
  const size_t space = text->find(' ');
  if (space == std::string::npos) return std::nullopt;
  const auto quota = number(*text), period = number(std::string_view(*text).substr(space + 1));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> quota_v1(const std::string& folder) {
  const auto quota_text = read_file(folder + "/cpu.cfs_quota_us"),
             period_text = read_file(folder + "/cpu.cfs_period_us");
  if (!quota_text || !period_text) return std::nullopt;
  const auto quota = number(*quota_text), period = number(*period_text);
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;  // -1: no limit
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// The lowest limit from the group up to its root. Inside a container the group's path may not exist below the mount:
// the walk then ends at the mount itself, which is the container's own group.
template <typename Read>
void lower_to(std::optional<double>& lowest, const std::string& mount, std::string group, Read read) {
  while (true) {
    if (const auto limit = read(mount + group)) lowest = lowest ? std::min(*lowest, *limit) : *limit;
    const size_t slash = group.rfind('/');
    if (group.empty() || slash == std::string::npos) return;
    group.resize(slash);
  }
}

bool lists_cpu(std::string_view controllers) {
  while (!controllers.empty()) {
    const size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "cpu") return true;
    if (comma == std::string_view::npos) break;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

std::vector<int> affinity() {
  for (size_t cpus = 1024; cpus <= (1u << 16); cpus *= 4) {
    std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(cpus), [](cpu_set_t* s) { CPU_FREE(s); });
    const size_t bytes = CPU_ALLOC_SIZE(cpus);
    if (set == nullptr || sched_getaffinity(0, bytes, set.get()) != 0) continue;
    std::vector<int> found;
    for (size_t cpu = 0; cpu < cpus; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set.get())) found.push_back(static_cast<int>(cpu));
    return found;
  }
  return {};
}

int64_t size_from_text(std::string_view text) {
  const auto value = number(text);
  if (!value || text.empty()) return 0;
  const int64_t unit = text.back() == 'K' ? 1 << 10 : text.back() == 'M' ? 1 << 20 : 1;
  return *value * unit;
}

CacheSizes read_cache_sizes() {
  CacheSizes sizes;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = formatted("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const auto level = read_file(folder + "level"), type = read_file(folder + "type"),
               size = read_file(folder + "size");
    if (!level || !type || !size || *type == "Instruction") continue;
    const int64_t bytes = size_from_text(*size);
    if (bytes <= 0) continue;
    if (*level == "1") sizes.l1d = bytes;
    if (*level == "2") sizes.l2 = bytes;
    if (*level == "3") sizes.l3 = bytes;
    if (const auto line = read_file(folder + "coherency_line_size"))
      sizes.line = std::max<int64_t>(size_from_text(*line), 16);
  }
  return sizes;
}

}  // namespace

std::optional<double> cgroup_cpu_quota(const std::string& root) {
  const auto groups = read_file(root + "/proc/self/cgroup");
  if (!groups) return std::nullopt;
  std::optional<double> lowest;
  const std::string mount = root + "/sys/fs/cgroup";
  std::string_view rest = *groups;
  while (!rest.empty()) {  // "hierarchy:controllers:path"
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    std::string group(line.substr(second + 1));
    if (group == "/") group.clear();
    if (line.substr(0, first) == "0" && controllers.empty()) {
      lower_to(lowest, mount, group, quota_v2);
      lower_to(lowest, mount + "/unified", group, quota_v2);
    } else if (lists_cpu(controllers)) {
      lower_to(lowest, mount + "/cpu", group, quota_v1);
      lower_to(lowest, mount + "/" + std::string(controllers), group, quota_v1);
    }
  }
  return lowest;
}

int allowed_cores() {
  std::vector<std::string> cores;  // each core once, by the list of its hardware threads
  const std::vector<int> cpus = affinity();
  for (const int cpu : cpus) {
    const auto siblings = read_file(formatted("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    cores.push_back(siblings ? *siblings : formatted("cpu{}", cpu));
  }
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  int count = std::max(1, static_cast<int>(cores.size()));
  if (const auto quota = cgroup_cpu_quota()) count = std::min(count, std::max(1, static_cast<int>(*quota)));
  return count;
}

const CacheSizes& cache_sizes() {
  static const CacheSizes sizes = read_cache_sizes();
  return sizes;
}

}  // namespace sdx
