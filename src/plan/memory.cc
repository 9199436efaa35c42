#include "plan/memory.h"
#include "plan/size_registers.h"

#include "base/page_supply.h"

#include <algorithm>
#include <functional>

#include "base/page_memory.h"
#include "kernel/weight_parts.h"
#include "plan/prepare.h"

namespace sdx::plan {
namespace {

// Measured over the models of tests/zoo: what a first run takes beside the memory that it asks for.
constexpr size_t kFirstRun = 200 << 10;  // heap and stacks that it touches
constexpr size_t kPerStep = 1100;        // contexts and shapes of a binding
constexpr size_t kPerSmallBlock = 256;   // alignment and the heap's own
constexpr size_t kSmallBlockLoss = 4;    // one byte in so many of small blocks: gaps in the heap
constexpr size_t kPerLargeBlock = 4096;  // its last page, at most
constexpr size_t kMargin = 24;           // one byte in so many of all: what small temporaries of kernels take

const Kernel* kernel_of(const Step& step) { return step.chosen != nullptr ? step.chosen->kernel : nullptr; }

Dim bytes_of(const Program& program, SlotId slot, SymbolTable& symbols) {
  const Fact& fact = program.graph->fact(program.slots[slot].value);
  Dim count(1);
  for (const Dim& dim : *fact.shape) count = symbols.mul(count, dim);
  const int bits = bit_width(fact.dtype);
  if (bits >= 8) return symbols.mul(count, Dim(bits / 8));
  return symbols.ceil_div(symbols.mul(count, Dim(bits)), Dim(8));
}

// Those of `sums` that no other is certainly as large as.
std::vector<Dim> maximal(const SymbolTable& symbols, std::vector<Dim> sums) {
  std::vector<Dim> kept;
  for (const Dim& sum : sums) {
    const auto covers = [&](const Dim& other) { return symbols.less(other, sum) == Truth::no; };
    if (std::ranges::any_of(kept, covers)) continue;
    std::erase_if(kept, [&](const Dim& other) { return symbols.less(sum, other) == Truth::no; });
    kept.push_back(sum);
  }
  return kept;
}

}  // namespace

std::optional<size_t> slot_bytes(const Program& program, SlotId slot, std::span<const int64_t> registers) {
  const Slot& info = program.slots[slot];
  int64_t count = 1;
  bool empty = false;
  for (const Register reg : info.dims) {
    const int64_t dim = registers[reg];
    if (dim < 0) return std::nullopt;
    empty |= dim == 0;
    if (dim != 0 && __builtin_mul_overflow(count, dim, &count)) return std::nullopt;
  }
  return byte_size(info.dtype, empty ? 0 : count);
}

void lay_out_stage(const Program& program, size_t stage, std::span<const int64_t> registers, ArenaLayout& layout,
                   std::span<Position> positions, std::span<Position> scratch_positions) {
  if (stage > 0) layout.begin_chunk();
  const Stage& part = program.stages[stage];
  for (size_t index = part.first_step; index < part.end_step; ++index) {
    const Step& step = program.steps[index];
    for (const SlotId slot : step.starts) positions[slot] = layout.allocate(*slot_bytes(program, slot, registers));
    if (step.scratch) {
      const auto bytes = static_cast<size_t>(registers[*step.scratch]);
      scratch_positions[index] = layout.allocate(bytes);
      layout.free(scratch_positions[index], bytes);
    }
    for (const SlotId slot : step.frees) layout.free(positions[slot], *slot_bytes(program, slot, registers));
  }
}

namespace {

// Of a weight whose pages are not resident before it is read: one in a file, or made of one.
size_t bytes_in_file(const Program& program, const Tensor& weight) {
  const WeightSource* weights = program.weights;
  const bool in_file = weights != nullptr && (weights->is_made(weight) || !weights->identity(weight).empty());
  return in_file ? weight.byte_size() : 0;
}

// What preparing the step's kernel leaves, and what it reads meanwhile.
struct Preparation {
  size_t packed = 0, read = 0;
};

Preparation preparation(const Program& program, const Step& step) {
  Preparation bytes;
  if (step.chosen == nullptr || step.chosen->kernel->packed_bytes == nullptr) return bytes;
  const Node& node = program.graph->node(step.node);
  const auto facts = facts_of(*program.graph, node.inputs);
  bytes.packed = static_cast<size_t>(std::max<int64_t>(0, step.chosen->kernel->packed_bytes({node, facts})));
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i] == kNoSlot || !packs(kernel_of(step), i)) continue;
    const Constant* constant = program.constant(step.inputs[i]);
    if (constant == nullptr) continue;
    const Tensor& weight = constant->value.tensor();
    const bool by_parts = is_in_parts(kernel_of(step)->packs_inputs, i) && program.weights != nullptr &&
                          program.weights->gives_parts(weight);
    bytes.read += std::min(bytes_in_file(program, weight), by_parts ? WeightParts::kPart : SIZE_MAX);
  }
  return bytes;
}

// By slot: whether a kernel reads the constant as it is. The constants of subgraphs are their own.
std::vector<bool> read_in_place(const Program& program) {
  std::vector<bool> read(program.slots.size(), false);
  for (const Step& step : program.steps)
    for (size_t i = 0; i < step.inputs.size(); ++i)
      if (step.inputs[i] != kNoSlot && !packs(kernel_of(step), i)) read[program.slots[step.inputs[i]].root] = true;
  for (SlotId slot = 0; slot < program.slots.size(); ++slot)
    if (program.constant(slot) == nullptr || program.constant(slot)->memory != nullptr) read[slot] = false;
  return read;
}

}  // namespace

namespace {

// Of steps prepared together: those that read most first, as many at once as there are threads.
size_t peak_while_packing(std::vector<Preparation> steps, size_t threads) {
  std::ranges::stable_sort(steps, [](const Preparation& a, const Preparation& b) { return a.read > b.read; });
  size_t packed = 0, read = 0, peak = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    packed += steps[i].packed;
    read += steps[i].read;
    if (i >= threads) read -= steps[i - threads].read;
    peak = std::max(peak, packed + read);
  }
  // They lie together in units of a huge page, which is given back behind the last of them.
  return peak <= kHugePage ? peak : (peak + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

WeightBytes weight_bytes(const Program& program, Branches branches) {
  WeightBytes bytes;
  std::vector<Preparation> preparations;
  for (const Step& step : program.steps) {
    const Preparation made = preparation(program, step);
    preparations.push_back(made);
    bytes.packed += made.packed;
    WeightBytes bodies;
    for (const Body& body : step.bodies) {
      const WeightBytes inner = weight_bytes(*body.program, branches);
      const WeightBytes before = branches == Branches::all ? bodies : WeightBytes{};
      bodies.peak_while_packing = std::max(bodies.peak_while_packing, before.packed + inner.peak_while_packing);
      bodies.packed = std::max(bodies.packed, before.packed + inner.packed);
      bodies.in_place = std::max(bodies.in_place, before.in_place + inner.in_place);
    }
    bytes.peak_while_packing = std::max(bytes.peak_while_packing, bytes.packed + bodies.peak_while_packing);
    bytes.packed += bodies.packed;
    bytes.in_place += bodies.in_place;
  }
  const auto threads = static_cast<size_t>(std::max(1, program.threads));
  bytes.peak_while_packing = std::max(bytes.peak_while_packing, peak_while_packing(std::move(preparations), threads));
  const std::vector<bool> read = read_in_place(program);
  for (SlotId slot = 0; slot < program.slots.size(); ++slot)
    if (read[slot]) bytes.in_place += program.constant(slot)->value.tensor().byte_size();
  return bytes;
}

namespace {

// Pages of a mapped constant that the run touches, where its only reader says so; else all of it.
size_t touched_bytes(const Program& program, SlotId constant,
                     const std::function<std::optional<int64_t>(AtomId)>& number) {
  const Tensor& weight = program.constant(constant)->value.tensor();
  const auto copied = [&](WeightSource::Reading reading) {
    return program.weights != nullptr && program.weights->copies(weight, reading);
  };
  const bool in_file = bytes_in_file(program, weight) > 0;
  size_t touched = 0;
  for (const Step& step : program.steps) {
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (step.inputs[i] == kNoSlot || program.slots[step.inputs[i]].root != constant || packs(kernel_of(step), i))
        continue;
      if (step.inputs[i] != constant || !reads_rows(kernel_of(step), i) || copied(WeightSource::Reading::rows)) {
        if (in_file || !is_aligned(weight) || copied(WeightSource::Reading::whole)) return weight.byte_size();
        continue;
      }
      if (!in_file) continue;
      const Node& node = program.graph->node(step.node);
      const auto inputs = facts_of(*program.graph, node.inputs), outputs = facts_of(*program.graph, node.outputs);
      const NodeFacts facts(node, inputs);
      SymbolTable symbols = program.graph->symbols();
      const Dim bytes = step.chosen->kernel->read_bytes({facts, outputs, symbols, program.threads});
      const auto value = symbols.evaluate(bytes, number);
      if (!value || *value < 0) return weight.byte_size();
      touched += static_cast<size_t>(*value);
    }
  }
  return std::min(touched, weight.byte_size());
}

}  // namespace

std::vector<std::string> size_symbols(const Program& program) {
  const SymbolTable& table = program.graph->symbols();
  std::vector<std::string> names;
  for (AtomId atom = 0; atom < table.size(); ++atom)
    if (table.atom(atom).function == SymbolTable::Function::symbol && program.sizes->defined(atom))
      names.push_back(table.to_text(Dim::atom(atom)));
  std::ranges::sort(names);
  return names;
}

namespace {

// The blocks that prepared kernels and copied constants lie in, and the steps of a run.
struct Blocks {
  size_t small = 0, small_bytes = 0, large = 0;
  size_t steps = 0;

  void add(size_t bytes) {
    if (bytes == 0) return;
    if (bytes >= kPageMemoryFrom) {
      ++large;
    } else {
      ++small;
      small_bytes += bytes;
    }
  }
  size_t overhead() const {
    return steps * kPerStep + small * kPerSmallBlock + small_bytes / kSmallBlockLoss + large * kPerLargeBlock;
  }
};

void count_blocks(const Program& program, Blocks& blocks) {
  blocks.steps += program.steps.size();
  for (const Step& step : program.steps) {
    blocks.add(preparation(program, step).packed);
    Blocks largest;
    for (const Body& body : step.bodies) {
      Blocks inner;
      count_blocks(*body.program, inner);
      if (inner.overhead() > largest.overhead()) largest = inner;
    }
    blocks.small += largest.small, blocks.small_bytes += largest.small_bytes;
    blocks.large += largest.large, blocks.steps += largest.steps;
  }
}

// Adds what a run of the program with these numbers of its symbols holds beside weights. False where sizes do not fit.
bool add_run(const Program& program, std::vector<int64_t>& registers, MemoryEstimate& estimate) {
  ArenaLayout layout;
  std::vector<Position> positions(program.slots.size()), scratch_positions(program.steps.size());
  for (size_t stage = 0; stage < program.stages.size(); ++stage) {
    bool right = program.sizes->evaluate(static_cast<uint32_t>(stage), registers);
    for (const SlotId slot : program.stages[stage].shapes) right = right && slot_bytes(program, slot, registers);
    if (!right) return false;
    lay_out_stage(program, stage, registers, layout, positions, scratch_positions);
  }
  estimate.arena += layout.total_bytes();
  for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
    const Slot& info = program.slots[slot];
    if (info.root != slot || !info.shape_known || info.value == kNoValue || info.device != 0) continue;
    const size_t bytes = slot_bytes(program, slot, registers).value_or(0);
    if (info.storage == Storage::output) estimate.outputs += bytes;
    if (info.storage == Storage::owned || info.storage == Storage::dynamic) estimate.kept += bytes;
  }
  size_t largest_body = 0;
  for (const Step& step : program.steps) {
    for (const Body& body : step.bodies) {
      // Symbols of its own inputs are known only to a run.
      const bool known = body.program->dim_symbols.empty() && body.program->element_symbols.empty();
      if (!known) continue;
      std::vector<int64_t> inner(body.program->sizes->register_count(), 0);
      for (size_t i = 0; i < body.imports.size(); ++i) inner[body.program->imports[i]] = registers[body.imports[i]];
      MemoryEstimate part;
      if (add_run(*body.program, inner, part)) largest_body = std::max(largest_body, part.total());
    }
  }
  estimate.arena += largest_body;
  return true;
}

}  // namespace

Result<MemoryEstimate> estimate_memory(const Program& program, const std::map<std::string, int64_t>& symbols) {
  SDX_ASSIGN(std::vector<int64_t> registers, symbol_registers(program, symbols));
  MemoryEstimate estimate;
  if (!add_run(program, registers, estimate))
    return invalid_argument("the sizes are negative or more than can be addressed");
  const auto number = [&](AtomId atom) -> std::optional<int64_t> {
    const auto reg = program.sizes->defined(atom);
    return reg ? std::optional(registers[*reg]) : std::nullopt;
  };
  Blocks blocks;
  count_blocks(program, blocks);
  const std::vector<bool> read = read_in_place(program);
  for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
    if (!read[slot]) continue;
    const size_t bytes = touched_bytes(program, slot, number);
    estimate.weights += bytes;
    blocks.add(bytes);
  }
  const WeightBytes weights = weight_bytes(program, Branches::largest);
  estimate.packed_weights = weights.packed;
  // Weights are packed before the first step runs: what is read then is gone when the arena is filled.
  const size_t run = estimate.arena + estimate.outputs + estimate.kept;
  const size_t while_packing = weights.peak_while_packing - std::min(weights.peak_while_packing, weights.packed);
  estimate.packing = while_packing > run ? while_packing - run : 0;
  estimate.bookkeeping = kFirstRun + blocks.overhead() + estimate.total() / kMargin;
  return estimate;
}

std::string memory_formula(const Program& program) {
  SymbolTable symbols = program.graph->symbols();  // runs read the graph's own meanwhile
  std::vector<Dim> peaks;
  Dim live(0), outputs(0);
  for (const Step& step : program.steps) {
    for (const SlotId slot : step.starts) live = symbols.add(live, bytes_of(program, slot, symbols));
    Dim now = live;
    if (step.scratch) {
      const Node& node = program.graph->node(step.node);
      const auto inputs = facts_of(*program.graph, node.inputs), made = facts_of(*program.graph, node.outputs);
      const NodeFacts facts(node, inputs);
      now = symbols.add(now, step.chosen->kernel->scratch_bytes({facts, made, symbols, program.threads}));
    }
    peaks.push_back(std::move(now));
    if (peaks.size() >= 32) peaks = maximal(symbols, std::move(peaks));
    for (const SlotId slot : step.frees) live = symbols.sub(live, bytes_of(program, slot, symbols));
  }
  peaks = maximal(symbols, std::move(peaks));
  for (const Stage& stage : program.stages)
    for (const SlotId slot : stage.output_roots) outputs = symbols.add(outputs, bytes_of(program, slot, symbols));
  const std::string arena = join(peaks, ", ", [&](const Dim& sum) { return symbols.to_text(sum); });
  const WeightBytes weights = weight_bytes(program, Branches::all);
  return formatted("{} + {} + {}", peaks.size() == 1 ? arena : formatted("max({})", arena), symbols.to_text(outputs),
                   weights.packed + weights.in_place);
}

}  // namespace sdx::plan
