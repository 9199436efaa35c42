#include "cli/profile_table.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/files.h"

namespace sdx::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kNodesPrinted = 30;

struct Event {  // of a node
  std::string node, op, kernel;
  int64_t start_us = 0, own_ns = 0;
  double operations = 0, bytes = 0;
};

struct Profile {
  size_t runs = 0;
  double first_run_ends_us = 0;
  std::vector<Event> events;  // in the order of their ends
};

int64_t number(const Json& arguments, const char* name) {
  return arguments.contains(name) ? std::stoll(arguments[name].get<std::string>()) : 0;
}

Event read_event(const Json& line) {
  const Json& arguments = line["args"];
  Event event;
  event.node = line["name"];
  event.node.resize(event.node.rfind("_kernel_time"));
  event.op = arguments["op_name"];
  event.kernel = arguments["kernel"];
  event.start_us = line["ts"];
  event.own_ns = number(arguments, "duration_ns");
  event.operations = static_cast<double>(number(arguments, "operations"));
  event.bytes = static_cast<double>(number(arguments, "bytes"));
  return event;
}

// Without the time of what ran inside it: of the events that ended before it and began no earlier.
void leave_out_inner(const std::vector<Event>& events, Event& event) {
  const std::set<std::string> with_subgraphs = {"If", "Loop", "Scan", "SequenceMap"};
  if (!with_subgraphs.contains(event.op)) return;
  event.bytes = 0;  // what it hands to its subgraphs counts there
  for (size_t i = events.size(); i-- > 0 && events[i].start_us >= event.start_us;) event.own_ns -= events[i].own_ns;
  event.own_ns = std::max<int64_t>(0, event.own_ns);
}

Profile read_profile(const Json& lines) {
  Profile profile;
  for (const Json& line : lines) {
    if (line["name"] == "model_run" && profile.runs++ == 0)
      profile.first_run_ends_us = line["ts"].get<double>() + line["dur"].get<double>();
    if (line["cat"] != "Node") continue;
    Event event = read_event(line);
    leave_out_inner(profile.events, event);
    profile.events.push_back(std::move(event));
  }
  return profile;
}

struct Sum {
  int64_t ns = 0, calls = 0;
  double operations = 0, bytes = 0;
  std::string op;
  std::set<std::string> kernels;
};

std::vector<ProfileRow> rows_of(const std::map<std::string, Sum>& sums, int64_t total_ns) {
  std::vector<ProfileRow> rows;
  rows.reserve(sums.size());
  for (const auto& entry : sums) {
    const Sum& sum = entry.second;
    const auto ns = static_cast<double>(sum.ns);
    const auto rate = [&](double amount) { return sum.ns > 0 ? amount / ns : 0; };
    rows.push_back({.name = entry.first,
                    .op = sum.op,
                    .ms = ns / 1e6,
                    .share = total_ns > 0 ? ns / static_cast<double>(total_ns) : 0,
                    .calls = sum.calls,
                    .kernels = sum.kernels,
                    .gflops = rate(sum.operations),
                    .gbytes_per_s = rate(sum.bytes)});
  }
  std::ranges::stable_sort(rows, std::greater(), &ProfileRow::ms);
  return rows;
}

Json to_json(const std::vector<ProfileRow>& rows, const char* title) {
  Json list = Json::array();
  for (const ProfileRow& row : rows) {
    Json json{{title, row.name}};
    if (!row.op.empty()) json["op"] = row.op;
    json.update({{"ms", row.ms}, {"share", row.share}, {"calls", row.calls}, {"kernels", row.kernels}});
    if (row.gflops > 0) json["gflops"] = row.gflops;
    if (row.gbytes_per_s > 0) json["gbytes_per_s"] = row.gbytes_per_s;
    list.push_back(std::move(json));
  }
  return list;
}

std::string rate(const ProfileRow& row) {
  char text[32] = "";
  if (row.gflops > 0) {
    std::snprintf(text, sizeof(text), "%8.1f GFLOP/s", row.gflops);
  } else if (row.gbytes_per_s > 0) {
    std::snprintf(text, sizeof(text), "%8.1f GB/s", row.gbytes_per_s);
  }
  return text;
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void print_rows(const std::vector<ProfileRow>& rows, const char* title, size_t most) {
  const size_t shown = std::min(rows.size(), most);
  size_t longest = 8;
  for (size_t i = 0; i < shown; ++i) longest = std::max(longest, rows[i].name.size());
  const int width = static_cast<int>(std::min<size_t>(longest, 60));
  std::printf("\n%-*s %10s %6s %7s  %17s  kernel\n", width, title, "ms", "share", "calls", "rate");
  for (size_t i = 0; i < shown; ++i) {
    const ProfileRow& row = rows[i];
    std::printf("%-*s %10.3f %5.1f%% %7lld  %17s  %s\n", width, row.name.c_str(), row.ms, 100 * row.share,
                static_cast<long long>(row.calls), rate(row).c_str(), joined(row.kernels).c_str());
  }
  if (rows.size() > shown) std::printf("and %zu more\n", rows.size() - shown);
}

}  // namespace

ProfileSummary summarize_profile(const std::string& path) {
  Profile profile;
  try {
    profile = read_profile(Json::parse(read_file(path)));
  } catch (const Json::exception& error) {
    throw CliError(kBadFile, path + " is no profile: " + error.what());
  }
  std::map<std::string, Sum> by_operator, by_node;
  int64_t total_ns = 0;
  for (const Event& event : profile.events) {
    if (profile.runs > 1 && static_cast<double>(event.start_us) < profile.first_run_ends_us) continue;
    total_ns += event.own_ns;
    for (Sum* sum : {&by_operator[event.op], &by_node[event.node]}) {
      sum->ns += event.own_ns;
      sum->calls += 1;
      sum->operations += event.operations;
      sum->bytes += event.bytes;
      sum->kernels.insert(event.kernel);
    }
    by_node[event.node].op = event.op;
  }
  return {.runs = profile.runs > 1 ? profile.runs - 1 : profile.runs,
          .ms = static_cast<double>(total_ns) / 1e6,
          .operators = rows_of(by_operator, total_ns),
          .nodes = rows_of(by_node, total_ns)};
}

std::string profile_to_json(const ProfileSummary& summary) {
  return Json{{"runs", summary.runs},
              {"ms", summary.ms},
              {"by_operator", to_json(summary.operators, "operator")},
              {"by_node", to_json(summary.nodes, "node")}}
      .dump();
}

void print_profile(const ProfileSummary& summary) {
  std::printf("\n%.3f ms in the nodes of %zu run%s\n", summary.ms, summary.runs, summary.runs == 1 ? "" : "s");
  print_rows(summary.operators, "operator", SIZE_MAX);
  print_rows(summary.nodes, "node", kNodesPrinted);
}

}  // namespace sdx::cli
