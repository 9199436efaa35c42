// A stand-in for libFuzzer that any compiler can link: runs every file of the corpus, then a fixed number of mutations
// of them. The sequence depends on nothing but the corpus, so a failure repeats.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), {});
}

std::vector<std::filesystem::path> files_under(const char* path) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_regular_file(path)) return {path};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Bytes mutate(Bytes input, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
    const std::size_t at = below(input.size() + 1);
    const auto position = input.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(5)) {
      case 0: input.insert(position, static_cast<std::uint8_t>(random())); break;
      case 1: input.erase(position, position + static_cast<std::ptrdiff_t>(below(input.size() - at + 1))); break;
      case 2:
        if (at < input.size()) input[at] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 3:
        if (at < input.size()) input[at] = static_cast<std::uint8_t>(below(2) == 0 ? 0xff : 0);
        break;
      default: input.resize(at); break;
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t runs = 1000;
  std::vector<Bytes> seeds;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
      runs = std::stoul(argv[++i]);
      continue;
    }
    for (const auto& path : files_under(argv[i])) {
      std::printf("%s\n", path.c_str());
      std::fflush(stdout);
      seeds.push_back(read_file(path));
      LLVMFuzzerTestOneInput(seeds.back().data(), seeds.back().size());
    }
  }
  if (seeds.empty()) seeds.emplace_back();
  std::mt19937 random(1);
  for (std::size_t run = 0; run < runs; ++run) {
    const Bytes input = mutate(seeds[run % seeds.size()], random);
    if (std::ofstream last("last_input.bin", std::ios::binary); last)
      last.write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu files and %zu mutations ran\n", seeds.size(), runs);
  return 0;
}
