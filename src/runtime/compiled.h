// Compiled: a model as it runs: imported, optimized, planned. Immutable; a session whose weights are replaced makes
// another one, and runs that began before finish on theirs.
#pragma once

#include "onnx/importer.h"
#include "passes/pipeline.h"
#include "plan/partition.h"
#include "plan/program.h"

namespace sdx::runtime {

enum class WeightMemory : uint8_t {
  automatic,  // copies of all where they are kCopiedAtMost bytes or less, else of those under kCopiedAlone
  copy,       // kernels read copies: nothing that happens to the file matters
  map,        // kernels read the file's pages
};

using ProviderOwners = std::vector<std::shared_ptr<const providers::Provider>>;

struct CompileOptions {
  onnx::ImportOptions import;
  int threads = 1;
  passes::PipelineOptions passes;
  WeightMemory weights = WeightMemory::automatic;
  bool references_only = false;  // see plan::PlanOptions
  bool in_double = false;        // see passes::widen_floats
  ProviderOwners providers;      // in order of priority, before the CPU
  bool partitions_by_cost = false;
  bool winograd = true;                                           // 3x3 convolutions may go through its transforms
  enum class For : uint8_t { runs, saving } purpose = For::runs;  // saving: no plan, nothing compiled by providers
};

class Compiled final : public plan::WeightSource {
 public:
  static constexpr size_t kCopiedAtMost = 64 << 20;
  // A page fault maps 64 KiB around it: less than that costs less as a copy.
  static constexpr size_t kCopiedAlone = 64 << 10;
  static constexpr size_t kTable = 16 << 20;  // where rows are read out of them, larger ones are not worth a copy

  static Result<std::shared_ptr<const Compiled>> create(std::shared_ptr<onnx::Model> model,
                                                        const CompileOptions& options);

  const Graph& graph() const { return imported_.graph; }
  // As the passes left it, weights with their elements: for export.
  Result<onnx::Imported> imported() const;
  const passes::PipelineReport& passes() const { return passes_; }
  const std::map<std::string, int64_t>& opsets() const { return imported_.opsets; }
  const std::vector<std::string>& warnings() const { return imported_.warnings; }
  const std::set<std::string>& contradicted() const { return imported_.contradicted; }  // see onnx::Imported
  const plan::Program& program() const { return *program_; }
  std::vector<std::string> provider_names() const;  // in order of priority
  const plan::Partition& partition() const { return partition_; }
  size_t copies() const { return copies_; }              // between memories, in the graph and its subgraphs
  size_t weight_bytes() const { return weight_bytes_; }  // that kernels read or have packed, once all have run

  std::string identity(const Tensor& weight) const override;
  void release(const Tensor& weight) override;
  bool read_part(const std::byte* data, size_t bytes, std::byte* to) const override;
  bool is_made(const Tensor& weight) const override { return passes_.journal.weights->recipe_of(weight) != nullptr; }
  Result<Tensor> content(const Tensor& weight) const override;
  bool copies(const Tensor& weight, Reading reading) const override;

 private:
  Compiled() = default;
  Status partition_graph(plan::ProviderList providers, const CompileOptions& options);

  std::shared_ptr<onnx::Model> model_;
  onnx::Imported imported_;
  passes::PipelineReport passes_;
  ProviderOwners providers_;
  plan::Partition partition_;
  size_t copies_ = 0;
  std::unique_ptr<plan::Program> program_;
  size_t copied_below_ = 0, table_copied_below_ = 0;  // bytes of a weight
  size_t weight_bytes_ = 0;
};

}  // namespace sdx::runtime
