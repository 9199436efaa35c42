// Program: a graph as a list of steps over slots, made once, shared by all runs and all input shapes.
//
// A slot is a value's place. Where its shape is an expression of symbols that are known by then, its memory is planned:
// a place in the run's arena, an output, or the memory of another slot (views, in-place). The rest is made while it
// runs. Steps are cut into stages: a stage ends where a step finds out a size that later steps need.
#pragma once

#include <memory>
#include <vector>

#include "base/fork.h"
#include "graph/graph.h"
#include "ops/invoke.h"
#include "plan/size_program.h"
#include "plan/weight_store.h"
#include "providers/provider.h"

namespace sdx::plan {

using SlotId = uint32_t;
inline constexpr SlotId kNoSlot = ~SlotId{0};

struct Program;
struct Partition;
struct CompiledGroup;

struct Body {  // a subgraph of a step's node
  std::string attribute;
  std::unique_ptr<Program> program;
  std::vector<Register> imports;  // of the outer program, in the order of the program's
  std::vector<SlotId> captures;   // the outer slots, in the order of the graph's captures
};

// A memory that is not the CPU's, by its place in Program::devices and one more; 0: the CPU's.
using DeviceIndex = uint8_t;

// A kernel that may run the step, and what it prepared.
struct Candidate {
  const Kernel* kernel = nullptr;
  using State = std::shared_ptr<const KernelState>;
  State given;  // a state that is there without being prepared
  mutable ForkOnce<Result<State>> prepared;

  const KernelState* state() const {
    if (given != nullptr) return given.get();
    const Result<State>* done = prepared.get();
    return done != nullptr && done->ok() ? done->value().get() : nullptr;
  }
};

enum class Storage : uint8_t {
  constant,
  input,    // the caller's memory, or a capture's
  output,   // memory of its own in each run, or the caller's
  arena,    // planned
  owned,    // planned size, memory of its own: a later step may keep hold of it
  dynamic,  // set when its step runs
};

struct Slot {
  ValueId value = kNoValue;  // none: an output that nobody asked for
  DType dtype = DType::undefined;
  Storage storage = Storage::dynamic;  // of the root: whose memory it is
  SlotId root = kNoSlot;               // whose memory this is
  DeviceIndex device = 0;              // of the memory; other than 0: the root's is owned or dynamic, or a constant's
  bool shape_known = false;            // by `dims`, from `stage` on
  uint32_t stage = 0;
  size_t made_by = SIZE_MAX;  // step; SIZE_MAX: an input or a constant
  SmallVector<Register, 6> dims;
};

enum class StepMode : uint8_t {
  planned,  // outputs have places, the kernel is chosen
  view,     // nothing to run: the output is the input's memory under another shape
  dynamic,  // shapes, kernel and memory are found while it runs
};

// A symbol that is an axis of a value made while it runs.
struct Anchor {
  SlotId slot = kNoSlot;
  uint32_t axis = 0;
  Register reg = 0;
};

struct Check {  // a condition that the shape rule could not decide
  Constraint::Kind kind = Constraint::Kind::equal;
  Register a = 0, b = 0;
};

struct Step {
  NodeId node = kNoNode;
  const ops::Contract* contract = nullptr;
  const CompiledGroup* group = nullptr;                // the nodes that the step stands for
  DeviceIndex device = 0;                              // where its kernel finds memory
  bool by_reference = true;                            // where no kernel takes it
  std::vector<std::unique_ptr<Candidate>> candidates;  // in order of preference
  std::vector<Body> bodies;
  StepMode mode = StepMode::dynamic;
  const Candidate* chosen = nullptr;  // of a planned step; null: the reference
  std::vector<SlotId> inputs;         // kNoSlot where one is omitted
  size_t first_input = 0;             // number of all inputs of the steps before
  SlotId first_output = 0;            // outputs lie together, omitted ones included
  std::vector<SlotId> starts;         // arena blocks that begin here
  std::vector<SlotId> frees;          // arena blocks that end here
  std::vector<SlotId> releases;       // owned and dynamic slots that no later step reads
  std::optional<Register> scratch;    // bytes
  std::vector<Check> checks;
  bool infers_again = false;  // its rule must see the numbers of each new shape
  bool owns_outputs = false;  // an output is allocated before it runs
  std::vector<Anchor> anchors;
};

struct Stage {
  size_t first_step = 0, end_step = 0;
  std::vector<SlotId> shapes;        // slots whose shape is known from here on
  std::vector<uint32_t> runs;        // steps with something to run
  std::vector<SlotId> input_views;   // of the inputs' memory
  std::vector<SlotId> output_roots;  // memory that the run hands out
  std::vector<SlotId> output_views;  // what shares it
};

// A weight. Kernels get element-aligned memory: a copy is made on first use where the file's bytes are not, and where
// they read another memory.
struct Constant {
  Value value;
  const providers::DeviceMemory* memory = nullptr;  // null: the CPU's
  mutable ForkOnce<Result<std::shared_ptr<const Value>>> copy;
};

// A symbol that an input carries: as a dimension, or as an element.
struct InputSymbol {
  uint32_t input = 0;  // index among the graph's inputs, captures behind them
  uint32_t index = 0;  // axis or element
  Register reg = 0;
};

struct Program {
  const Graph* graph = nullptr;
  int threads = 1;
  WeightSource* weights = nullptr;  // null: weights are nobody's
  std::vector<const providers::DeviceMemory*> devices;
  std::vector<Slot> slots;
  std::vector<SlotId> slot_of;  // by value id
  std::vector<Step> steps;
  size_t input_count = 0;  // of all steps together
  std::vector<Stage> stages;
  std::unique_ptr<SizeProgram> sizes;
  std::vector<std::unique_ptr<Constant>> constants;  // by slot; null: the slot is not a constant
  std::vector<SlotId> inputs;                        // the graph's inputs, then its captures
  std::vector<SlotId> outputs;                       // the graph's outputs
  std::vector<InputSymbol> dim_symbols, element_symbols;
  std::vector<Register> imports;  // symbols of the enclosing graph that a subgraph's sizes use
  std::vector<SlotId> transient;  // hold a run's own memory, or the caller's: cleared after it
  // By output: the input whose memory it may be given, as a cache that grows in place; -1: none.
  std::vector<int32_t> shared_input;

  const Constant* constant(SlotId slot) const { return constants[slot].get(); }
  const std::string& name(SlotId slot) const;  // of the value
};

// What is known of these values; null where one is omitted.
std::vector<const Fact*> facts_of(const Graph& graph, std::span<const ValueId> values);
// What the kernel (null: the reference) needs of a constant input is in its prepared state.
bool packs(const Kernel* kernel, size_t input);

struct PlanOptions {
  int threads = 1;                       // that runs may use
  WeightSource* weights = nullptr;       // outlives the program
  bool references_only = false;          // no kernels of the CPU's: each operator's plain form
  const Partition* partition = nullptr;  // outlives the program; null: every node is the CPU's
};

// Fails naming every node that no provider takes. `providers` in order of priority: a node without an owner is the
// last one's. The graph outlives the program.
Result<std::unique_ptr<Program>> make_program(const Graph& graph, std::span<const providers::Provider* const> providers,
                                              const PlanOptions& options);

}  // namespace sdx::plan
