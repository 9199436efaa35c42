// Unique of single numbers: value and index are one key.
#include "ops/index/falling_order.h"
#include "ops/index/ordered_bits.h"
#include "ops/index/unique.h"
#include "ops/index/value_keys.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

// Falling order of what is upside down.
template <typename T, typename U>
void fill_keys(const Tensor& x, typename ValueKeys<U>::Key* keys) {
  const T* from = x.data<T>();
  for (int64_t i = 0; i < x.count(); ++i) keys[i] = ValueKeys<U>::of(~U{ordered_bits(from[i])}, i);
}

template <typename U>
Status run_keys(KernelContext& ctx, void (*fill)(const Tensor&, typename ValueKeys<U>::Key*)) {
  using Keys = ValueKeys<U>;
  const UniqueAxis along(ctx);
  if (along.size > int64_t{0xffffffff}) return not_implemented("{} elements", along.size);
  std::vector<typename Keys::Key> keys(static_cast<size_t>(along.size)), spare;
  fill(ctx.input(0), keys.data());
  const StopScope stops(ctx.environment().cancel);
  UniqueGroups groups(along.size);
  U value = 0;
  visit_falling(keys, spare, [&](auto key) {
    const int64_t index = Keys::index(key);
    if (groups.first.empty() || Keys::value(key) != value) groups.begin(index);
    value = Keys::value(key);
    groups.add(index);
    return true;
  });
  return write_unique(ctx, along, std::move(groups));
}

Status run_unique(KernelContext& ctx) {
  Status status;
  visit_native(ctx.input(0).dtype(), [&]<typename T>(T) {
    using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    status = run_keys<U>(ctx, fill_keys<T, U>);
  });
  return status;
}

Verdict takes_flat_numbers(const NodeFacts& facts) {
  if (facts.attributes().has("axis") && !(facts.has_rank(0) && facts.rank(0) == 1)) return no("only single elements");
  return visit_native(facts.dtype(0), [](auto) {}) ? yes() : no("only numbers of 8 to 64 bits");
}

}  // namespace

SDX_CPU_KERNELS(unique, {.name = "unique_numbers", .can_run = takes_flat_numbers, .run = run_unique});

}  // namespace sdx::ops
