#include "ops/index/reduction.h"

#include "ops/copy_bytes.h"
#include "ops/index/indices.h"

namespace sdx::ops {

Result<Reduction> reduction_of(const Attributes& attributes) {
  const std::string_view text = attributes.get_string("reduction", "none");
  if (text == "none") return Reduction::none;
  if (text == "add") return Reduction::add;
  if (text == "mul") return Reduction::mul;
  if (text == "max") return Reduction::max;
  if (text == "min") return Reduction::min;
  return invalid_argument("reduction is \"{}\", not none, add, mul, max or min", text);
}

Status check_reduction(Reduction reduction, DType type) {
  if (reduction == Reduction::none || is_floating(type) || is_integer(type) || type == DType::boolean) return {};
  if (type == DType::undefined) return {};
  if (is_complex(type) && (reduction == Reduction::add || reduction == Reduction::mul)) return {};
  return invalid_argument("elements of {} have no reduction", name(type));
}

namespace {

template <typename T, typename Load, typename Store>
void merge(const Tensor& updates, Tensor& out, std::span<const int64_t> at, Reduction reduction, Load load,
           Store store) {
  // Sums are kept in T and rounded once.
  std::vector<T> values(static_cast<size_t>(out.count()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = load(out, static_cast<int64_t>(i));
  for (size_t i = 0; i < at.size(); ++i) {
    T& value = values[static_cast<size_t>(at[i])];
    value = reduced(reduction, value, load(updates, static_cast<int64_t>(i)));
  }
  for (size_t i = 0; i < values.size(); ++i) store(out, static_cast<int64_t>(i), values[i]);
}

void merge_complex(const Tensor& updates, Tensor& out, std::span<const int64_t> at, Reduction reduction) {
  for (size_t i = 0; i < at.size(); ++i) {
    const auto old = load_complex(out.dtype(), out.raw(), at[i]);
    const auto update = load_complex(updates.dtype(), updates.raw(), static_cast<int64_t>(i));
    store_complex(out.dtype(), out.raw(), at[i], reduction == Reduction::add ? old + update : old * update);
  }
}

// Booleans: add and max are or, mul and min are and.
Reduction boolean_reduction(Reduction reduction) {
  if (reduction == Reduction::add) return Reduction::max;
  return reduction == Reduction::mul ? Reduction::min : reduction;
}

}  // namespace

Status scatter(KernelContext& ctx, const Tensor& data, const Tensor& updates, std::span<const int64_t> at,
               Reduction reduction) {
  if (reduction == Reduction::none) {
    std::vector<int64_t> from(static_cast<size_t>(data.count()));
    for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int64_t>(i);
    for (size_t i = 0; i < at.size(); ++i) from[static_cast<size_t>(at[i])] = ~static_cast<int64_t>(i);
    return write_mixed(ctx, data, updates, from, data.shape());
  }
  Tensor& out = ctx.output(0);
  SDX_TRY(copy_bytes(ctx, data, out));
  const DType type = data.dtype();
  if (is_floating(type)) {
    merge<double>(
        updates, out, at, reduction, [](const Tensor& t, int64_t i) { return load_double(t, i); },
        [](Tensor& t, int64_t i, double v) { store_double(t, i, v); });
  } else if (is_complex(type)) {
    merge_complex(updates, out, at, reduction);
  } else if (is_signed_integer(type) && (reduction == Reduction::max || reduction == Reduction::min)) {
    merge<int64_t>(
        updates, out, at, reduction, [](const Tensor& t, int64_t i) { return load_i64(t, i); },
        [](Tensor& t, int64_t i, int64_t v) { store_i64(t, i, v); });
  } else {
    const Reduction own = type == DType::boolean ? boolean_reduction(reduction) : reduction;
    merge<uint64_t>(
        updates, out, at, own, [](const Tensor& t, int64_t i) { return static_cast<uint64_t>(load_i64(t, i)); },
        [](Tensor& t, int64_t i, uint64_t v) { store_i64(t, i, static_cast<int64_t>(v)); });
  }
  return {};
}

}  // namespace sdx::ops
