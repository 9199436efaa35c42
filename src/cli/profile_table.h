// Where the time of runs went, from the profile that a session wrote: by operator and by node.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sdx::cli {

// {"runs", "ms", "by_operator": [...], "by_node": [...]}, the most expensive first. `ms` is what the nodes took
// themselves, without the nodes of their subgraphs. The first run prepares kernels: where there are more, it does not
// count. CliError where the file is no profile.
nlohmann::ordered_json summarize_profile(const std::string& path);

void print_profile(const nlohmann::ordered_json& summary);

}  // namespace sdx::cli
