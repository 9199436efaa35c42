#include "plan/arena_layout.h"

#include <algorithm>
#include <numeric>

#include "base/tensor.h"

namespace sdx::plan {

size_t ArenaLayout::rounded(size_t bytes) {
  return (std::max<size_t>(bytes, 1) + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

void ArenaLayout::begin_chunk() { ends_.push_back(0); }

size_t ArenaLayout::total_bytes() const { return std::accumulate(ends_.begin(), ends_.end(), size_t{0}); }

Position ArenaLayout::allocate(size_t bytes) {
  const size_t size = rounded(bytes);
  Gap* best = nullptr;
  for (Gap& gap : gaps_)
    if (gap.bytes >= size && (best == nullptr || gap.bytes < best->bytes)) best = &gap;
  if (best != nullptr) {
    const Position position = best->position;
    best->position.offset += size;
    best->bytes -= size;
    if (best->bytes == 0) gaps_.erase(gaps_.begin() + (best - gaps_.data()));
    return position;
  }
  const auto chunk = static_cast<uint32_t>(ends_.size() - 1);
  size_t& end = ends_.back();
  Position position{chunk, end};
  // A gap at the end of the chunk grows.
  if (!gaps_.empty() && gaps_.back().position.chunk == chunk &&
      gaps_.back().position.offset + gaps_.back().bytes == end) {
    position = gaps_.back().position;
    gaps_.pop_back();
  }
  end = position.offset + size;
  return position;
}

void ArenaLayout::free(Position position, size_t bytes) {
  const size_t size = rounded(bytes);
  const auto after = std::ranges::upper_bound(
      gaps_, position,
      [](const Position& a, const Position& b) { return a.chunk != b.chunk ? a.chunk < b.chunk : a.offset < b.offset; },
      &Gap::position);
  const size_t index = static_cast<size_t>(after - gaps_.begin());
  const auto touches = [](const Gap& left, const Position& right) {
    return left.position.chunk == right.chunk && left.position.offset + left.bytes == right.offset;
  };
  const bool joins_left = index > 0 && touches(gaps_[index - 1], position);
  const bool joins_right = index < gaps_.size() && touches({position, size}, gaps_[index].position);
  if (joins_left && joins_right) {
    gaps_[index - 1].bytes += size + gaps_[index].bytes;
    gaps_.erase(gaps_.begin() + static_cast<ptrdiff_t>(index));
  } else if (joins_left) {
    gaps_[index - 1].bytes += size;
  } else if (joins_right) {
    gaps_[index].position = position;
    gaps_[index].bytes += size;
  } else {
    gaps_.insert(gaps_.begin() + static_cast<ptrdiff_t>(index), {position, size});
  }
}

}  // namespace sdx::plan
