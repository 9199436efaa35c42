#include "cli/profile_table.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

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

struct Row {
  int64_t ns = 0, calls = 0;
  double operations = 0, bytes = 0;
  std::string op;
  std::set<std::string> kernels;
};

// Most expensive first; `title` is the member that names a row.
Json rows_to_json(const std::map<std::string, Row>& rows, const char* title, int64_t total_ns) {
  std::vector<const std::pair<const std::string, Row>*> sorted;
  for (const auto& row : rows) sorted.push_back(&row);
  std::ranges::stable_sort(sorted, [](const auto* a, const auto* b) { return a->second.ns > b->second.ns; });
  Json list = Json::array();
  for (const auto* entry : sorted) {
    const Row& row = entry->second;
    Json json{{title, entry->first}};
    if (!row.op.empty()) json["op"] = row.op;
    const auto ns = static_cast<double>(row.ns);
    json["ms"] = ns / 1e6;
    json["share"] = total_ns > 0 ? ns / static_cast<double>(total_ns) : 0.0;
    json["calls"] = row.calls;
    json["kernels"] = row.kernels;
    if (row.operations > 0 && ns > 0) json["gflops"] = row.operations / ns;
    if (row.bytes > 0 && ns > 0) json["gbytes_per_s"] = row.bytes / ns;
    list.push_back(std::move(json));
  }
  return list;
}

std::string rate(const Json& row) {
  char text[32] = "";
  if (row.contains("gflops")) {
    std::snprintf(text, sizeof(text), "%8.1f GFLOP/s", row["gflops"].get<double>());
  } else if (row.contains("gbytes_per_s")) {
    std::snprintf(text, sizeof(text), "%8.1f GB/s", row["gbytes_per_s"].get<double>());
  }
  return text;
}

std::string kernels(const Json& row) {
  std::string text;
  for (const Json& kernel : row["kernels"]) text += (text.empty() ? "" : ", ") + kernel.get<std::string>();
  return text;
}

void print_rows(const Json& rows, const char* title, size_t most) {
  size_t width = 8;
  for (size_t i = 0; i < rows.size() && i < most; ++i)
    width = std::max(width, rows[i][title].get<std::string>().size());
  width = std::min<size_t>(width, 60);
  std::printf("\n%-*s %10s %6s %7s  %-17s kernel\n", static_cast<int>(width), title, "ms", "share", "calls", "rate");
  for (size_t i = 0; i < rows.size() && i < most; ++i) {
    const Json& row = rows[i];
    std::printf("%-*s %10.3f %5.1f%% %7lld  %-17s %s\n", static_cast<int>(width), row[title].get<std::string>().c_str(),
                row["ms"].get<double>(), 100 * row["share"].get<double>(), row["calls"].get<long long>(),
                rate(row).c_str(), kernels(row).c_str());
  }
  if (rows.size() > most) std::printf("and %zu more\n", rows.size() - most);
}

}  // namespace

Json summarize_profile(const std::string& path) {
  Profile profile;
  try {
    profile = read_profile(Json::parse(read_file(path)));
  } catch (const Json::exception& error) {
    throw CliError(kBadFile, path + " is no profile: " + error.what());
  }
  std::map<std::string, Row> by_operator, by_node;
  int64_t total_ns = 0;
  for (const Event& event : profile.events) {
    if (profile.runs > 1 && static_cast<double>(event.start_us) < profile.first_run_ends_us) continue;
    total_ns += event.own_ns;
    for (Row* row : {&by_operator[event.op], &by_node[event.node]}) {
      row->ns += event.own_ns;
      row->calls += 1;
      row->operations += event.operations;
      row->bytes += event.bytes;
      row->kernels.insert(event.kernel);
    }
    by_node[event.node].op = event.op;
  }
  return Json{{"runs", profile.runs > 1 ? profile.runs - 1 : profile.runs},
              {"ms", static_cast<double>(total_ns) / 1e6},
              {"by_operator", rows_to_json(by_operator, "operator", total_ns)},
              {"by_node", rows_to_json(by_node, "node", total_ns)}};
}

void print_profile(const Json& summary) {
  const auto runs = summary["runs"].get<size_t>();
  std::printf("\n%.3f ms in the nodes of %zu run%s\n", summary["ms"].get<double>(), runs, runs == 1 ? "" : "s");
  print_rows(summary["by_operator"], "operator", SIZE_MAX);
  print_rows(summary["by_node"], "node", kNodesPrinted);
}

}  // namespace sdx::cli
