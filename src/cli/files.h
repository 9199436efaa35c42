// Files of values: numpy's .npy and .npz, and serialized ONNX messages (.pb).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sardonyx.hpp"

namespace sdx::cli {

std::string read_file(const std::string& path);  // CliError kBadFile
void write_file(const std::string& path, std::string_view bytes);

// .npy of any numeric type in C order, and of fixed-width unicode or byte strings. CliError names `path` and what is
// wrong.
sardonyx::Value parse_npy(std::string_view bytes, const std::string& path);
// Types that numpy does not have (bfloat16, float8, 4-bit...) are written as their raw bytes.
std::string format_npy(const sardonyx::Value& tensor);

// The members of a .npz by name, ".npy" removed. Stored and deflated ones.
std::map<std::string, std::string> read_npz(const std::string& path);

}  // namespace sdx::cli
