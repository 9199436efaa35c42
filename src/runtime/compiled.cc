#include "runtime/compiled.h"

#include "passes/fold_constants.h"
#include "plan/memory.h"
#include "providers/cpu/cpu_provider.h"

namespace sdx::runtime {

Result<std::shared_ptr<const Compiled>> Compiled::create(std::shared_ptr<onnx::Model> model,
                                                         const CompileOptions& options) {
  const std::shared_ptr<Compiled> compiled(new Compiled());
  compiled->model_ = std::move(model);
  SDX_ASSIGN(compiled->imported_, onnx::import_model(*compiled->model_, options.import));
  if (options.optimize) SDX_TRY(passes::fold_constants(compiled->imported_.graph).status());
  const providers::Provider* const providers[] = {&providers::cpu_provider()};
  SDX_ASSIGN(compiled->program_,
             plan::make_program(compiled->imported_.graph, providers, {options.threads, compiled.get()}));
  const plan::WeightBytes bytes = plan::weight_bytes(*compiled->program_, plan::Branches::all);
  compiled->weight_bytes_ = bytes.packed + bytes.in_place;
  if (options.weights == WeightMemory::copy) compiled->copied_below_ = SIZE_MAX;
  if (options.weights == WeightMemory::automatic)
    compiled->copied_below_ = bytes.in_place <= kCopiedAtMost ? SIZE_MAX : kCopiedAlone;
  compiled->model_->give_pages_back();
  return std::shared_ptr<const Compiled>(compiled);
}

std::string Compiled::identity(const Tensor& weight) const {
  const auto place = model_->place_of(weight.raw());
  if (!place) return {};
  const FileIdentity& file = place->file;
  return formatted("{:x}:{:x}:{:x}:{:x}+{:x} {}{}", file.device, file.inode, file.bytes, file.modified_ns,
                   place->offset, name(weight.dtype()), to_text(weight.shape()));
}

void Compiled::release(const Tensor& weight) { model_->give_pages_back(weight.raw(), weight.byte_size()); }

bool Compiled::copies(const Tensor& weight) const {
  return weight.byte_size() < copied_below_ && model_->place_of(weight.raw());
}

}  // namespace sdx::runtime
