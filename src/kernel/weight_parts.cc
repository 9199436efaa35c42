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

bool WeightParts::has(const void* data) {
  if (t_scope == nullptr) return false;
  const auto* at = static_cast<const std::byte*>(data);
  return std::ranges::any_of(t_scope->weights_, [&](const Tensor& weight) {
    return at >= weight.bytes() && at < weight.bytes() + weight.byte_size();
  });
}

Result<Tensor> WeightParts::copy(const Tensor& weight) {
  if (!has(weight.raw())) return clone(weight);
  SDX_ASSIGN(Tensor copy, Tensor::allocate(weight.dtype(), weight.shape()));
  t_scope->read_(weight.bytes(), weight.byte_size(), copy.bytes());
  return copy;
}

const float* WeightParts::floats(const float* from, int64_t count) {
  if (!has(from)) return from;
  if (from == copied_ && count == count_) return copy_.data();
  copy_.resize(std::max(copy_.size(), static_cast<size_t>(count)));
  t_scope->read_(reinterpret_cast<const std::byte*>(from), static_cast<size_t>(count) * sizeof(float),
                 reinterpret_cast<std::byte*>(copy_.data()));
  copied_ = from;
  count_ = count;
  return copy_.data();
}

}  // namespace sdx
