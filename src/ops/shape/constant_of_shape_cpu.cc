// ConstantOfShape of elements of whole bytes.
#include <algorithm>
#include <cstring>

#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockBytes = 262144;

Verdict takes_whole_value(const NodeFacts& facts) {
  const auto* value = facts.attributes().get<Tensor>("value");
  const DType type = value == nullptr ? DType::f32 : value->dtype();
  return type != DType::string && !is_packed(type) ? yes() : no("only elements of whole bytes");
}

Status run_constant_of_shape(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  const auto* value = ctx.attributes().get<Tensor>("value");
  const auto width = static_cast<size_t>(bit_width(y.dtype()) / 8);
  alignas(16) std::byte element[16] = {};
  if (value != nullptr) std::memcpy(element, value->raw(), width);
  const auto same = [&](std::byte byte) { return byte == element[0]; };
  if (!std::all_of(element, element + width, same))
    return copy_strided(ctx, width, {Shape{y.count()}, Shape{0}, Shape{1}}, element, y.bytes());
  return parallel_ranges(ctx, static_cast<int64_t>(y.byte_size()), kBlockBytes, [&](int64_t begin, int64_t end) {
    std::memset(y.bytes() + begin, static_cast<int>(element[0]), static_cast<size_t>(end - begin));
  });
}

}  // namespace

SDX_CPU_KERNELS(constant_of_shape,
                {.name = "constant_of_shape_bytes", .can_run = takes_whole_value, .run = run_constant_of_shape});

}  // namespace sdx::ops
