// ArenaLayout: positions of blocks that live for a while in as little memory as a best fit in order of time gives.
// A position is a chunk and an offset: each stage of a plan adds a chunk, because the earlier ones are in use by then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdx::plan {

struct Position {
  uint32_t chunk = 0;
  size_t offset = 0;
};

class ArenaLayout {
 public:
  static size_t rounded(size_t bytes);  // to kTensorAlignment; no block is empty

  Position allocate(size_t bytes);
  void free(Position position, size_t bytes);
  void begin_chunk();

  size_t chunk_bytes(size_t chunk) const { return ends_[chunk]; }
  size_t total_bytes() const;

 private:
  struct Gap {
    Position position;
    size_t bytes = 0;
  };
  std::vector<size_t> ends_{0};  // by chunk: bytes that were ever needed
  std::vector<Gap> gaps_;        // sorted by position, never adjacent
};

}  // namespace sdx::plan
