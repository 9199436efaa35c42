#include "kernel/weight_parts.h"

#include <algorithm>

namespace sdx {
namespace {

constinit thread_local WeightParts::Scope* t_scope = nullptr;

}  // namespace

WeightParts::Scope::Scope(std::span<const Tensor> weights, Read read)
    : weights_(weights), read_(read), before_(t_scope) {
  t_scope = this;
}

WeightParts::Scope::~Scope() { t_scope = before_; }

const Tensor* WeightParts::Scope::find(const void* data) const {
  const auto* at = static_cast<const std::byte*>(data);
  const auto found = std::ranges::find_if(
      weights_, [&](const Tensor& weight) { return at >= weight.bytes() && at < weight.bytes() + weight.byte_size(); });
  return found == weights_.end() ? nullptr : &*found;
}

bool WeightParts::has(const void* data) { return t_scope != nullptr && t_scope->find(data) != nullptr; }

Result<Tensor> WeightParts::copy(const Tensor& weight) {
  if (!has(weight.raw())) return clone(weight);
  SDX_ASSIGN(Tensor copy, Tensor::allocate(weight.dtype(), weight.shape()));
  t_scope->read_(weight, 0, weight.count(), copy.bytes());
  return copy;
}

template <typename T>
const T* WeightParts::elements(const T* from, int64_t count) {
  const Tensor* weight = t_scope != nullptr ? t_scope->find(from) : nullptr;
  if (weight == nullptr) return from;
  if (from == copied_ && count == count_) return reinterpret_cast<const T*>(copy_.data());
  const size_t bytes = static_cast<size_t>(count) * sizeof(T);
  if (copy_.size() < bytes) copy_.resize(bytes);
  const auto offset = reinterpret_cast<const std::byte*>(from) - weight->bytes();
  t_scope->read_(*weight, offset / static_cast<ptrdiff_t>(sizeof(T)), count, copy_.data());
  copied_ = from;
  count_ = count;
  return reinterpret_cast<const T*>(copy_.data());
}

template const float* WeightParts::elements(const float* from, int64_t count);
template const uint16_t* WeightParts::elements(const uint16_t* from, int64_t count);

}  // namespace sdx
