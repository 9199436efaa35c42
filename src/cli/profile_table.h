// Where the time of runs went, from the profile that a session wrote: by operator and by node.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sdx::cli {

struct ProfileRow {
  std::string name;  // of the operator or node
  std::string op;    // of a node
  double ms = 0, share = 0;
  int64_t calls = 0;
  std::set<std::string> kernels;
  double gflops = 0, gbytes_per_s = 0;  // 0: not known
};

// Times are what nodes took themselves, without the nodes of their subgraphs. The first run prepares kernels: where
// there are more, it does not count. The most expensive come first.
struct ProfileSummary {
  size_t runs = 0;
  double ms = 0;
  std::vector<ProfileRow> operators, nodes;
};

ProfileSummary summarize_profile(const std::string& path);  // CliError where the file is no profile
std::string profile_to_json(const ProfileSummary& summary);
void print_profile(const ProfileSummary& summary);

}  // namespace sdx::cli
