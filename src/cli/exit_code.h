// What the tool's exit status says.
#pragma once

#include <stdexcept>
#include <string>

namespace sdx::cli {

enum ExitCode : int {
  kSuccess = 0,
  kDifferent = 1,  // compare: an output is not as expected
  kUsage = 2,      // the command line is wrong
  kBadModel = 3,   // the model cannot be loaded
  kRunFailed = 4,  // the model was loaded but a run failed
  kBadFile = 5,    // an input or output file cannot be read or written
};

// A failure of ours, with the exit status it ends in.
class CliError : public std::runtime_error {
 public:
  CliError(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace sdx::cli
