// sardonyx explain: where each node went and why, what each pass did, what memory a run needs; as text, JSON, or a
// page.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/explain_page.h"
#include "cli/files.h"
#include "sardonyx.hpp"

namespace sdx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainCommand {
  std::string model, html;
  std::vector<std::string> symbols, providers;
  bool json = false, all = false, by_cost = false;
};

std::map<std::string, int64_t> numbers_of(const std::vector<std::string>& symbols) {
  std::map<std::string, int64_t> numbers;
  for (const std::string& one : symbols) {
    const size_t equal = one.find('=');
    if (equal == std::string::npos) throw CliError(kUsage, "--symbol " + one + ": NAME=NUMBER is wanted");
    numbers[one.substr(0, equal)] = std::stoll(one.substr(equal + 1));
  }
  return numbers;
}

// A page shows sizes in any case: for symbols without a number it assumes one row of 128 by 128.
Json memory_of(const sardonyx::Session& session, std::map<std::string, int64_t> numbers, bool may_assume) {
  Json memory = Json::parse(session.plan_memory(numbers));
  if (!may_assume || !memory["bytes"].is_null()) return memory;
  std::set<std::string> rows;
  for (const sardonyx::InputOutput& input : session.inputs())
    if (!input.type.symbols.empty()) rows.insert(input.type.symbols[0]);
  Json assumed = Json::object();
  for (const Json& symbol : memory["symbols"]) {
    const auto name = symbol.get<std::string>();
    const auto [at, added] = numbers.emplace(name, rows.contains(name) ? 1 : 128);
    if (added) assumed[name] = at->second;
  }
  memory = Json::parse(session.plan_memory(numbers));
  memory["assumed"] = std::move(assumed);
  return memory;
}

Json explain(const ExplainCommand& command) {
  try {
    sardonyx::SessionOptions options;
    options.config("sardonyx.explain", "1");
    if (command.by_cost) options.config("sardonyx.partition", "cost");
    for (const std::string& provider : command.providers) options.provider(provider);
    const sardonyx::Session session(command.model, options);
    Json report = Json::parse(session.explain());
    report["model"] = command.model;
    report["memory"] = memory_of(session, numbers_of(command.symbols), !command.html.empty());
    report["assumptions"] = Json::parse(session.inspect())["assumptions"];
    return report;
  } catch (const sardonyx::Error& error) {
    throw CliError(kBadModel, error.what());
  }
}

std::string list(const Json& texts) {
  std::string text;
  for (const Json& one : texts) text += (text.empty() ? "" : ", ") + one.get<std::string>();
  return text;
}

std::string text_of(const Json& value) { return value.get<std::string>(); }

// How many nodes each provider has; for each reason of a refusal the first node, or all.
void print_placements(const Json& report, bool all) {
  if (report["placements"].empty()) return;
  std::printf("nodes, %s copies between memories\n", report["copies"].dump().c_str());
  for (const Json& provider : report["providers"]) {
    std::set<int64_t> groups;
    int count = 0;
    for (const Json& placement : report["placements"]) {
      if (placement["provider"] != provider) continue;
      ++count;
      if (placement.contains("group")) groups.insert(placement["group"].get<int64_t>());
    }
    std::printf("  %5d on %s", count, text_of(provider).c_str());
    std::printf(groups.empty() ? "\n" : ", in %zu compiled groups\n", groups.size());
  }
  std::map<std::string, int> reasons;
  std::printf(all ? "where nodes went, and who refused them\n" : "why nodes were refused, the first of each\n");
  for (const Json& placement : report["placements"]) {
    bool shown = all;
    for (const Json& refused : placement["refused"])
      shown |= ++reasons[text_of(refused["provider"]) + ": " + text_of(refused["reason"])] == 1;
    if (!shown) continue;
    std::printf("  %s on %s\n", text_of(placement["node"]).c_str(), text_of(placement["provider"]).c_str());
    for (const Json& refused : placement["refused"])
      std::printf("      not %s: %s\n", text_of(refused["provider"]).c_str(), text_of(refused["reason"]).c_str());
  }
}

void print_kernels(const Json& steps) {
  std::map<std::string, int> counts;
  for (const Json& step : steps) ++counts[text_of(step["kernel"])];
  std::printf("kernels\n");
  for (const auto& [kernel, count] : counts) std::printf("  %5d %s\n", count, kernel.c_str());
}

void print_steps(const Json& steps, bool all) {
  std::printf(all ? "steps\n" : "steps whose preferred kernel declined\n");
  for (const Json& step : steps) {
    if (!all && step["refused"].empty()) continue;
    std::printf("  %s on %s, %s, by %s\n", text_of(step["node"]).c_str(), text_of(step["provider"]).c_str(),
                text_of(step["mode"]).c_str(), text_of(step["kernel"]).c_str());
    for (const Json& refused : step["refused"])
      std::printf("      not %s: %s\n", text_of(refused["kernel"]).c_str(), text_of(refused["reason"]).c_str());
  }
}

void print_layout(const Json& layout, bool all) {
  int64_t bytes = 0, turned = 0, unknown = 0;
  std::array<long long, 2> regions = {}, convolutions = {};  // blocked, channels last
  for (const Json& region : layout["regions"]) {
    const size_t kind = region["channels_last"].get<int64_t>() != 0 ? 1 : 0;
    ++regions[kind];
    convolutions[kind] += region["convolutions"].get<int64_t>();
  }
  for (const Json& reorder : layout["reorders"]) {
    turned += reorder["channels_last"].get<int64_t>();
    unknown += reorder["bytes"].is_null() ? 1 : 0;
    bytes += reorder["bytes"].is_null() ? 0 : reorder["bytes"].get<int64_t>();
  }
  const size_t count = layout["reorders"].size() - static_cast<size_t>(turned);
  std::printf("layout\n  %lld regions of blocked channels with %lld convolutions; %s convolutions over plain ones\n",
              regions[0], convolutions[0], layout["plain_convolutions"].dump().c_str());
  if (regions[1] > 0)
    std::printf("  %lld regions of codes with their channels last, with %lld convolutions\n", regions[1],
                convolutions[1]);
  std::printf("  %zu reorders, %lld transposes done by one; %.2f MB", count, static_cast<long long>(turned),
              static_cast<double>(bytes) / 1e6);
  std::printf(unknown == 0 ? "\n" : ", and %lld whose size the inputs decide\n", static_cast<long long>(unknown));
  if (!all) return;
  for (const Json& region : layout["regions"])
    std::printf("  %s to %s: %s nodes, %s convolutions\n", text_of(region["first"]).c_str(),
                text_of(region["last"]).c_str(), region["nodes"].dump().c_str(), region["convolutions"].dump().c_str());
  for (const Json& reorder : layout["reorders"])
    std::printf("  %s: %s to %s\n", text_of(reorder["node"]).c_str(), text_of(reorder["fact"]).c_str(),
                text_of(reorder["to"]).c_str());
}

void print(const Json& report, bool all) {
  std::printf("%s: %s steps, %s views, %s dynamic\n", text_of(report["model"]).c_str(),
              report["statistics"]["steps"].dump().c_str(), report["statistics"]["views"].dump().c_str(),
              report["statistics"]["dynamic"].dump().c_str());
  std::printf("passes\n");
  for (const Json& pass : report["passes"])
    std::printf("  %-20s %-9s %6s rewrites %8.1f ms\n", text_of(pass["pass"]).c_str(), text_of(pass["level"]).c_str(),
                pass["rewrites"].dump().c_str(), pass["microseconds"].get<double>() / 1000);
  if (all) {
    std::printf("rewrites\n");
    for (const Json& rewrite : report["rewrites"])
      std::printf("  %s: %s [%s]\n", text_of(rewrite["pass"]).c_str(), text_of(rewrite["what"]).c_str(),
                  list(rewrite["origins"]).c_str());
  }
  if (!report["declined"].empty()) std::printf("nearly rewritten\n");
  std::map<std::string, int> reasons;
  for (const Json& declined : report["declined"]) {
    const std::string reason = text_of(declined["pass"]) + ": " + text_of(declined["reason"]);
    if (++reasons[reason] == 1 || all) std::printf("  %s: %s\n", text_of(declined["node"]).c_str(), reason.c_str());
  }
  print_layout(report["layout"], all);
  print_placements(report, all);
  print_kernels(report["steps"]);
  print_steps(report["steps"], all);
  std::printf("memory\n  %s\n", text_of(report["memory"]["formula"]).c_str());
  if (!report["memory"]["bytes"].is_null())
    std::printf("  %.1f MB in all\n", report["memory"]["bytes"]["total"].get<double>() / 1e6);
}

int run(const ExplainCommand& command) {
  const Json report = explain(command);
  if (!command.html.empty()) {
    const std::string page = explain_page(report.dump(-1, ' ', true, Json::error_handler_t::replace));
    write_file(command.html, page);
    std::printf("%s\n", command.html.c_str());
    return kSuccess;
  }
  if (command.json) {
    std::printf("%s\n", report.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  } else {
    print(report, command.all);
  }
  return kSuccess;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("explain", "say why a model runs as it does");
  auto options = std::make_shared<ExplainCommand>();
  command->add_option("MODEL", options->model, "an .onnx file")->required();
  command->add_option("--symbol,-s", options->symbols, "NAME=NUMBER: a size, for the memory; may be repeated");
  command
      ->add_option("--providers", options->providers, "who may run nodes, in order of priority; the CPU has the rest")
      ->delimiter(',');
  command->add_flag("--cost", options->by_cost, "give back groups whose copies cost more than they save");
  command->add_option("--html", options->html, "a file: everything as one page, to search and sort");
  command->add_flag("--all,-a", options->all, "every rewrite and every step");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace sdx::cli
