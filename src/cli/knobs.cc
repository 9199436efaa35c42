// sardonyx knobs: every setting that an environment variable changes.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "sardonyx.hpp"

namespace sdx::cli {

void add_knobs(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("knobs", "list the settings that environment variables change");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON");
  command->callback([json] {
    const std::string text = sardonyx::knobs();
    if (*json) {
      std::printf("%s\n", text.c_str());
      return;
    }
    for (const auto& knob : nlohmann::ordered_json::parse(text)) {
      const auto shown = [](const nlohmann::ordered_json& value) {
        return value.is_string() ? value.get<std::string>() : value.dump();
      };
      std::printf("%-28s %-10s %s\n", knob["environment"].get<std::string>().c_str(), shown(knob["current"]).c_str(),
                  knob["sentence"].get<std::string>().c_str());
    }
  });
}

}  // namespace sdx::cli
