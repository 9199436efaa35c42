// Provider: a device, or a compiler for one, that nodes can be given to. There are two styles; a provider may have
// both. Kernel style: nodes in their newest form, one by one, run by a Kernel each. Compile style: groups of nodes,
// chosen on a view of the model at the opset at which it would be saved, each compiled into one step. Every answer is
// pure and deterministic, and a no has a reason. A provider outlives the sessions that use it.
#pragma once

#include <string_view>

#include "kernel/kernel.h"
#include "ops/op.h"

namespace sdx::providers {

// What a provider's steps read and write, where that is not the CPU's memory. Safe to call from any thread.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual MemoryInfo info() const = 0;
  virtual Allocator& allocator() const = 0;
  // Bytes of CPU memory into this memory, and back; done when it returns.
  virtual Status write(const void* host, void* device, size_t bytes) const = 0;
  virtual Status read(const void* device, void* host, size_t bytes) const = 0;
  virtual void* stream() const { return nullptr; }  // what kernels find in RunEnvironment::stream
};

// Bit i: operand i of a node lies in the CPU's memory. What a shape rule must read (Contract::needs_values) always
// does.
struct HostOperands {
  uint64_t inputs = 0, outputs = 0;
  bool has_input(size_t i) const { return i < 64 && (inputs >> i & 1) != 0; }
  bool has_output(size_t i) const { return i < 64 && (outputs >> i & 1) != 0; }
};

// The nodes that a provider would compile. `groups`, by node id of the view; one that is not convex is cut, and nodes
// that belong together go together or not at all. No groups: the largest convex ones of all nodes taken.
struct Claims {
  std::vector<Verdict> verdicts;  // by node id of the view; missing ones are no's
  std::vector<std::vector<NodeId>> groups;
};

// What `compile` is given: a graph of its own, with the weights that its nodes use.
struct Group {
  const Graph& graph;               // nodes in their newest form
  const Graph& view;                // the graph that was claimed from
  std::span<const NodeId> claimed;  // the group's nodes there
};

// A compiled group. Inputs and outputs are those of Group::graph. Outputs whose shape the plan foresees are allocated;
// the others are set, and own their memory.
class Executable {
 public:
  virtual ~Executable() = default;
  virtual Status run(KernelContext& ctx) const = 0;
};

struct Compilation {
  Verdict verdict = yes();  // no: the nodes go to the next provider
  std::shared_ptr<const Executable> executable;
  HostOperands host = {};
};

// For the partition by cost, in units of a second's billionth.
struct Speed {
  double operations_per_ns = 100, bytes_per_ns = 20;
  double step_ns = 100;                               // of each step
  double copied_bytes_per_ns = 10, copy_ns = 10'000;  // to and from its memory
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const = 0;                      // "CPUExecutionProvider"
  virtual const DeviceMemory* memory() const { return nullptr; }  // null: the CPU's
  virtual Speed speed() const { return {}; }

  // Kernel style. `kernels`: those that may run a node of that operator, the preferred one first. Of the CPU, none
  // means the contract's reference.
  virtual Verdict can_run(const NodeFacts& facts) const = 0;
  virtual std::span<const Kernel> kernels(const ops::OpEntry& op) const = 0;
  virtual HostOperands host_operands(const NodeFacts&) const { return {}; }

  // Compile style. Nodes of the view with a provider are taken. Subgraphs of nodes that nobody claims are asked for on
  // their own.
  virtual bool makes_claims() const { return false; }
  virtual Claims claim(const Graph& /*view*/) const { return {}; }
  virtual Result<Compilation> compile(const Group&) const { return Compilation{no("it compiles nothing"), {}, {}}; }
};

}  // namespace sdx::providers
