// sardonyx passes: what may be done to a graph before it runs.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "sardonyx.hpp"

namespace sdx::cli {

void add_passes(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("passes", "list what is done to a graph before it runs");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON");
  command->callback([json] {
    const std::string text = sardonyx::passes();
    if (*json) {
      std::printf("%s\n", text.c_str());
      return;
    }
    for (const auto& pass : nlohmann::ordered_json::parse(text))
      std::printf("%-20s %-9s %-9s %s\n", pass["pass"].get<std::string>().c_str(),
                  pass["level"].get<std::string>().c_str(), pass["exactness"].get<std::string>().c_str(),
                  pass["sentence"].get<std::string>().c_str());
  });
}

}  // namespace sdx::cli
