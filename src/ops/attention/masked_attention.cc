#include "ops/attention/masked_attention.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "ops/attention/attend_f32.h"

namespace sdx::ops {

Result<KeyMask> KeyMask::create(const Tensor& mask, const AttentionSizes& sizes) {
  KeyMask made;
  made.mask_ = &mask;
  made.batch_ = sizes.batch;
  const Shape shape(mask.shape());
  const int64_t batch = sizes.batch;
  if (shape.size() == 1 && (shape[0] == batch || shape[0] == 2 * batch || shape[0] == 3 * batch + 2)) return made;
  if (shape == Shape{batch, sizes.keys}) {
    made.batch_stride_ = sizes.keys;
    return made;
  }
  if (shape == Shape{batch, sizes.queries, sizes.keys}) {
    made.batch_stride_ = sizes.queries * sizes.keys;
    made.query_stride_ = sizes.keys;
    return made;
  }
  const int64_t past = sizes.keys - sizes.queries;
  if (shape.size() == 4 && shape == Shape{batch, 1, shape[3], shape[3]} && shape[3] >= sizes.keys && past >= 0) {
    made.batch_stride_ = shape[3] * shape[3];
    made.query_stride_ = shape[3];
    made.first_ = past * shape[3];
    return made;
  }
  return invalid_argument(
      "the mask has shape {}, which fits none of [{}], [{}], [{},{}], [{},{},{}] and [{},1,m,m] for m >= {}",
      to_text(mask.shape()), batch, 2 * batch, batch, sizes.keys, batch, sizes.queries, sizes.keys, batch, sizes.keys);
}

bool KeyMask::hides(int64_t b, int64_t i, int64_t j) const {
  if (mask_->rank() != 1) return load_i64(*mask_, first_ + b * batch_stride_ + i * query_stride_ + j) == 0;
  const bool has_starts = mask_->count() == 2 * batch_;
  return j >= load_i64(*mask_, b) || (has_starts && j < load_i64(*mask_, batch_ + b));
}

double attention_scale(const Attributes& attributes, int64_t head_size) {
  const double scale = attributes.get_float("scale", 0);
  return scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(head_size));
}

namespace {

struct Present {
  const Cache& cache;
  int64_t batch, heads, length, size;
};

void store_present(const Present& present, Tensor& to, int64_t offset) {
  const size_t element = static_cast<size_t>(bit_width(to.dtype()) / 8);
  auto* out = static_cast<std::byte*>(to.raw()) + static_cast<size_t>(offset) * element;
  const size_t row = static_cast<size_t>(present.size) * element;
  for (int64_t i = 0; i < present.batch * present.heads; ++i) {
    for (int64_t s = 0; s < present.length; ++s, out += row) {
      const bool is_past = s < present.cache.past_length;
      const HeadView& from = is_past ? present.cache.past : present.cache.fresh;
      const int64_t position = is_past ? s : s - present.cache.past_length;
      const int64_t at = from.index(i / present.heads, i % present.heads, position, 0);
      std::memcpy(out, static_cast<const std::byte*>(from.tensor->raw()) + static_cast<size_t>(at) * element, row);
    }
  }
}

// The whole cache in one tensor, stored in the output on the way.
HeadRows stored_rows(const Present& present, const CacheOutput& output, ScratchParts& scratch) {
  if (output.tensor != nullptr) store_present(present, *output.tensor, output.offset);
  if (present.cache.past_length == 0) return head_rows(present.cache.fresh);
  float* data = nullptr;
  if (output.tensor != nullptr) {
    data = output.tensor->data<float>() + output.offset;
  } else {
    Tensor own = scratch.take_tensor(DType::f32, Shape{present.batch, present.heads, present.length, present.size});
    store_present(present, own, 0);
    data = own.data<float>();
  }
  return HeadRows{.data = data,
                  .batch = present.heads * present.length * present.size,
                  .head = present.length * present.size,
                  .position = present.size};
}

}  // namespace

void add_masked_scratch(ScratchSize& size, const MaskedScratch& call) {
  size.part(call.key_elements, sizeof(float)).part(call.value_elements, sizeof(float));
  size.slots(Dim(attend_slot_bytes()));
}

Status masked_attention(KernelContext& ctx, const MaskedAttention& call, AttendPath path, ScratchParts* scratch) {
  const AttentionSizes& sizes = call.sizes;
  std::optional<KeyMask> mask;
  std::optional<BroadcastMask> bias;
  if (call.mask != nullptr) {
    SDX_ASSIGN(mask, KeyMask::create(*call.mask, sizes));
  }
  if (call.bias != nullptr) {
    SDX_ASSIGN(bias, BroadcastMask::create(*call.bias, sizes));
  }
  const Present k{call.k, sizes.batch, sizes.kv_heads, sizes.keys, sizes.head_size};
  const Present v{call.v, sizes.batch, sizes.kv_heads, sizes.keys, sizes.value_size};
  const auto added = [&](int64_t b, int64_t h, int64_t i, int64_t j) -> double {
    if (call.causal && j > call.k.past_length + i) return -std::numeric_limits<double>::infinity();
    return (mask && mask->hides(b, i, j) ? call.filter : 0) + (bias ? bias->at(b, h, i, j) : 0);
  };
  if (path == AttendPath::reference) {
    if (call.present_k.tensor != nullptr) store_present(k, *call.present_k.tensor, call.present_k.offset);
    if (call.present_v.tensor != nullptr) store_present(v, *call.present_v.tensor, call.present_v.offset);
    AttentionOptions options;
    options.scale = call.scale;
    options.scores = call.scores;
    options.stage = ScoreStage::biased;
    SDX_TRY(attend(ctx, sizes, call.q, call.k, call.v, added, options, ctx.output(0), call.y));
    for (int64_t i = 0; call.scores != nullptr && i < call.scores->count(); ++i)
      if (load_double(*call.scores, i) == -std::numeric_limits<double>::infinity())
        store_double(*call.scores, i, static_cast<double>(std::numeric_limits<float>::lowest()));
    return {};
  }
  AttendF32 attend{.sizes = sizes, .q = head_rows(call.q), .y = head_rows(call.y)};
  attend.k = stored_rows(k, call.present_k, *scratch);
  attend.v = stored_rows(v, call.present_v, *scratch);
  attend.scale = static_cast<float>(call.scale);
  const auto range_of = [&](int64_t, int64_t i) {
    return KeyRange{0, call.causal ? std::min(sizes.keys, call.k.past_length + i + 1) : sizes.keys};
  };
  const FunctionRef<KeyRange(int64_t, int64_t)> range = range_of;
  attend.range = &range;
  const auto bias_of = [&](int64_t b, int64_t h, int64_t i, KeyRange keys, float* buffer) -> const float* {
    if (!mask) return bias->row(b, h, i, keys.first, keys.end, buffer);
    // Where all keys are hidden the filter changes nothing, and would only take away digits.
    const int64_t end = range_of(b, i).end;
    double shift = std::isfinite(call.filter) ? call.filter : 0;
    for (int64_t j = 0; j < end && shift != 0; ++j)
      if (!mask->hides(b, i, j)) shift = 0;
    for (int64_t j = keys.first; j < keys.end; ++j)
      buffer[j - keys.first] = static_cast<float>(added(b, h, i, j) - shift);
    return buffer;
  };
  const FunctionRef<const float*(int64_t, int64_t, int64_t, KeyRange, float*)> row_bias = bias_of;
  if (mask || bias) attend.bias = &row_bias;
  return attend_f32(ctx, attend, *scratch);
}

}  // namespace sdx::ops
