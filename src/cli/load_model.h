// Opens a session for a command; a model that cannot be loaded ends in exit status 3.
#pragma once

#include "cli/exit_code.h"
#include "sardonyx.hpp"

namespace sdx::cli {

inline sardonyx::Session load_model(const std::string& path, int threads, sardonyx::SessionOptions options = {}) {
  try {
    options.threads(threads);
    return sardonyx::Session(path, options);
  } catch (const sardonyx::Error& error) {
    throw CliError(kBadModel, error.what());
  }
}

}  // namespace sdx::cli
