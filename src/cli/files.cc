#include "cli/files.h"

#include <fstream>
#include <sstream>

#include "cli/exit_code.h"

namespace sdx::cli {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw CliError(kBadFile, "cannot read " + path);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw CliError(kBadFile, "cannot write " + path);
}

}  // namespace sdx::cli
