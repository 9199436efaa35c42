// Tells what kind of file each file is, from its first and last bytes, with a trained model of 214 types (package
// magika).
//
//   demo_filetype MODEL_FOLDER FILE...     MODEL_FOLDER holds model.onnx and config.min.json
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sardonyx.hpp"

namespace {

namespace fs = std::filesystem;

// How the model wants its bytes, from the file that comes with it.
struct Config {
  size_t begin_size, end_size, block_size, smallest;
  int32_t padding;
  std::vector<std::string> labels;

  explicit Config(const fs::path& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    const auto json = nlohmann::json::parse(file);
    begin_size = json.at("beg_size");
    end_size = json.at("end_size");
    block_size = json.at("block_size");
    smallest = json.at("min_file_size_for_dl");
    padding = json.at("padding_token");
    labels = json.at("target_labels_space");
  }
};

std::string read_block(std::ifstream& file, size_t offset, size_t size) {
  std::string block(size, '\0');
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(block.data(), static_cast<std::streamsize>(size));
  block.resize(static_cast<size_t>(file.gcount()));
  return block;
}

constexpr const char* kBlank = " \t\n\r\v\f";

// The bytes at the start without leading blanks, padded behind; those at the end without trailing blanks, padded
// before.
std::vector<int32_t> features(const fs::path& path, const Config& config) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  const size_t size = static_cast<size_t>(fs::file_size(path));
  const size_t block = std::min(size, config.block_size);
  std::string begin = read_block(file, 0, block), end = read_block(file, size - block, block);
  begin.erase(0, std::min(begin.find_first_not_of(kBlank), begin.size()));
  end.resize(end.find_last_not_of(kBlank) + 1);
  std::vector<int32_t> input(config.begin_size + config.end_size, config.padding);
  for (size_t i = 0; i < std::min(begin.size(), config.begin_size); ++i)
    input[i] = static_cast<unsigned char>(begin[i]);
  const size_t tail = std::min(end.size(), config.end_size);
  for (size_t i = 0; i < tail; ++i)
    input[input.size() - tail + i] = static_cast<unsigned char>(end[end.size() - tail + i]);
  return input;
}

void classify(const sardonyx::Session& session, const Config& config, const fs::path& path) {
  if (fs::file_size(path) < config.smallest) {
    std::printf("%-16s %8s  %s\n", fs::file_size(path) == 0 ? "empty" : "too small", "", path.c_str());
    return;
  }
  const std::vector<int32_t> input = features(path, config);
  const auto bytes = sardonyx::Value::tensor<int32_t>(input, {1, static_cast<int64_t>(input.size())});
  const auto outputs = session.run({{session.inputs().at(0).name, bytes}});
  const auto scores = outputs.at(0).values<float>();
  const auto best = std::ranges::max_element(scores);
  const auto label = static_cast<size_t>(best - scores.begin());
  std::printf("%-16s %7.2f%%  %s\n", config.labels.at(label).c_str(), 100.0 * static_cast<double>(*best), path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: demo_filetype MODEL_FOLDER FILE...\n");
    return 2;
  }
  try {
    const fs::path folder = argv[1];
    const Config config(folder / "config.min.json");
    const sardonyx::Session session((folder / "model.onnx").string());
    std::printf("%-16s %8s  %s\n", "type", "probable", "file");
    for (int i = 2; i < argc; ++i) classify(session, config, argv[i]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "demo_filetype: %s\n", error.what());
    return 1;
  }
  return 0;
}
