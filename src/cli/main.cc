// sardonyx: the command line tool.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "sardonyx.hpp"

namespace {

constexpr const char* kFooter =
    "Exit status: 0 success, 1 an output differs (compare, verify), 2 wrong command line, 3 the model cannot be "
    "loaded,\n"
    "4 a run failed, 5 a file cannot be read or written. Errors go to stderr; --json writes one JSON document to "
    "stdout.";

int run(int argc, char** argv) {
  CLI::App app("Sardonyx runs ONNX models.");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", [] { return "sardonyx " + sardonyx::version(); });
  int exit_code = sdx::cli::kSuccess;
  sdx::cli::add_run(app, exit_code);
  sdx::cli::add_inspect(app, exit_code);
  sdx::cli::add_compare(app, exit_code);
  sdx::cli::add_explain(app, exit_code);
  sdx::cli::add_verify(app, exit_code);
  sdx::cli::add_passes(app, exit_code);
  sdx::cli::add_knobs(app, exit_code);
  sdx::cli::add_operators(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? sdx::cli::kSuccess : sdx::cli::kUsage;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const sdx::cli::CliError& error) {
    std::fprintf(stderr, "sardonyx: %s\n", error.what());
    return error.code();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sardonyx: %s\n", error.what());
    return sdx::cli::kRunFailed;
  }
}
