// The commands of the tool. Each adds itself to the parser; what it does runs when its subcommand was parsed and ends
// in an exit code.
#pragma once

namespace CLI {
class App;
}

namespace sdx::cli {

void add_run(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_passes(CLI::App& app, int& exit_code);
void add_knobs(CLI::App& app, int& exit_code);
void add_operators(CLI::App& app, int& exit_code);

}  // namespace sdx::cli
