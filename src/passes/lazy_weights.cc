#include "passes/lazy_weights.h"

#include <sys/mman.h>

#include "base/knobs.h"
#include "base/page_memory.h"

namespace sdx::passes {
namespace {

constexpr size_t kLazyFrom = 64 << 10;  // bytes: tensors of that size have pages of their own

}  // namespace

Result<Tensor> Recipe::run() const {
  std::vector<Tensor> tensors;
  for (const Source& source : sources) {
    if (source.recipe == nullptr) {
      tensors.push_back(source.weight);
      continue;
    }
    SDX_ASSIGN(Tensor made, source.recipe->run());
    tensors.push_back(std::move(made));
  }
  return make(tensors);
}

void Recipe::for_each_weight(const std::function<void(const Tensor&)>& f) const {
  for (const Source& source : sources) {
    if (source.recipe != nullptr) {
      source.recipe->for_each_weight(f);
    } else {
      f(source.weight);
    }
  }
}

std::string Recipe::identity(const std::function<std::string(const Tensor&)>& of) const {
  std::string all = text + "(";
  for (const Source& source : sources) {
    const std::string one = source.recipe != nullptr ? source.recipe->identity(of) : of(source.weight);
    if (one.empty()) return {};
    all += one + ";";
  }
  return all + ")";
}

bool LazyWeights::takes(DType type, const Shape& shape) {
  if (type == DType::string) return false;
  const auto count = checked_count(shape);
  const auto bytes = count ? byte_size(type, *count) : std::nullopt;
  return bytes && *bytes >= kLazyFrom;
}

Result<Tensor> LazyWeights::add(std::shared_ptr<const Recipe> recipe, DType type, const Shape& shape) {
  const auto count = checked_count(shape);
  const auto bytes = count ? byte_size(type, *count) : std::nullopt;
  // Pages that nobody touches take no memory. A reader that does not ask for the content sees zeros.
  void* pages = bytes ? allocate_pages(*bytes) : nullptr;
  if (pages == nullptr) return make_error(Code::runtime_exception, "out of memory: no room for a weight that is made");
  if (knob::passes_verified()) mprotect(pages, *bytes, PROT_NONE);
  const std::shared_ptr<void> owner(pages, [size = *bytes](void* memory) { free_pages(memory, size); });
  const Tensor stand_in = Tensor::wrap(type, shape, pages, owner);
  entries_[stand_in.raw()] = {stand_in, std::move(recipe)};
  return stand_in;
}

std::shared_ptr<const Recipe> LazyWeights::recipe_of(const Tensor& weight) const {
  const auto found = entries_.find(weight.raw());
  return found == entries_.end() ? nullptr : found->second.recipe;
}

Result<Tensor> LazyWeights::content(const Tensor& weight) const {
  const auto recipe = recipe_of(weight);
  if (recipe == nullptr) return weight;
  SDX_ASSIGN(Tensor made, recipe->run());
  SDX_CHECK(made.dtype() == weight.dtype() && made.shape() == weight.shape(), "a recipe makes what it did not say");
  return made;
}

}  // namespace sdx::passes
