// sardonyx operators: every operator that runs, with its opsets and kernels.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "sardonyx.hpp"

namespace sdx::cli {

void add_operators(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("operators", "list the operators that run, with their opsets and kernels");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON");
  command->callback([json] {
    const std::string text = sardonyx::operators();
    if (*json) {
      std::printf("%s\n", text.c_str());
      return;
    }
    for (const auto& op : nlohmann::ordered_json::parse(text)) {
      std::string kernels;
      for (const auto& kernel : op["kernels"]) kernels += " " + kernel.get<std::string>();
      std::printf("%-24s %-36s %3d %3d  %-10s%s\n", op["domain"].get<std::string>().c_str(),
                  op["op"].get<std::string>().c_str(), op["since"].get<int>(), op["newest"].get<int>(),
                  op["kind"].get<std::string>().c_str(), kernels.c_str());
    }
  });
}

}  // namespace sdx::cli
