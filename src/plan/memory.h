// What a run needs in memory, known before the first one: places in the arena for given sizes, and the peak as an
// expression in the model's symbols.
#pragma once

#include <map>
#include <string>

#include "plan/arena_layout.h"
#include "plan/program.h"

namespace sdx::plan {

// Bytes of the slot's tensor; nullopt: more than can be addressed, or a negative dimension.
std::optional<size_t> slot_bytes(const Program& program, SlotId slot, std::span<const int64_t> registers);

// Places the blocks of one stage behind what `layout` holds: by slot, and by step for scratch memory. All sizes of the
// stage are known and fit.
void lay_out_stage(const Program& program, size_t stage, std::span<const int64_t> registers, ArenaLayout& layout,
                   std::span<Position> positions, std::span<Position> scratch_positions);

// Memory of the CPU's: what providers hold in memories of their own is not in it.
struct MemoryEstimate {
  size_t arena = 0;           // intermediate values and scratch memory; those of subgraphs as far as they are known
  size_t outputs = 0;         // memory of the outputs that the caller does not give
  size_t kept = 0;            // values outside the arena: what sequences and loops may keep hold of, all at once
  size_t packed_weights = 0;  // what kernels made of constants
  size_t weights = 0;         // constants that kernels read as they are, as far as they do
  size_t packing = 0;         // while weights are packed, beyond what a run takes later
  size_t bookkeeping = 0;     // of the engine
  size_t total() const { return arena + outputs + kept + packed_weights + weights + packing + bookkeeping; }
};

// For numbers of the model's symbols. Fails, naming it, where a symbol that a size needs has no number: those that only
// a run finds out can be given too, by the name that `inspect` shows.
Result<MemoryEstimate> estimate_memory(const Program& program, const std::map<std::string, int64_t>& symbols);

// The symbols that estimate_memory wants numbers for, sorted.
std::vector<std::string> size_symbols(const Program& program);

struct WeightBytes {
  size_t packed = 0, in_place = 0;
  size_t peak_while_packing = 0;  // what is packed by then, and what the kernel reads
};
// `all`: once every branch of every If has run; `largest`: after one of each.
enum class Branches : uint8_t { all, largest };
WeightBytes weight_bytes(const Program& program, Branches branches);

// The bytes of arena, outputs and weights as text: "max(4*batch*seq, ...) + 4*batch*1000 + 25557032". A maximum over
// the steps of what lives then; the arena may need a little more, where gaps are left.
std::string memory_formula(const Program& program);

}  // namespace sdx::plan
