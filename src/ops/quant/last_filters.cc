#include "ops/quant/last_filters.h"

#include "base/stop_point.h"

namespace sdx::ops {
namespace {

constexpr int64_t kFewChannels = 64;  // which waste less together

}  // namespace

LastFilters LastFilters::of(const Attributes& attributes, std::span<const int64_t> w) {
  LastFilters made;
  made.group = std::max<int64_t>(1, attributes.get_int("group", 1));
  made.filters = w[0] / made.group;
  made.channels = w[1];
  made.kernel_width = w.back();
  made.kernel_height = w.size() > 3 ? w[2] : 1;
  made.is_depthwise = made.group > 1 && made.filters == 1 && made.channels == 1;
  const auto dilations = attributes.get_ints("dilations");
  made.joins_rows = made.group == 1 && made.kernel_width > 1 && (dilations.empty() || dilations.back() == 1) &&
                    made.channels < kFewChannels && made.channels % kDepthStep != 0;
  return made;
}

void pack_last_filters(const LastFilters& own, const Tensor& w, uint8_t* bytes, int32_t* sums) {
  const uint8_t turned = w.dtype() == DType::i8 ? 0 : kTurned;
  const auto* from = w.data<uint8_t>();
  const int64_t taps = own.taps(), run_size = panel_bytes(own.run_bytes());
  for (int64_t filter = 0; filter < own.group * own.filters; ++filter) {
    stop_point(own.depth());
    int32_t sum = 0;
    const int64_t place = own.place(filter);
    for (int64_t c = 0; c < own.channels; ++c)
      for (int64_t tap = 0; tap < taps; ++tap) {
        const uint8_t byte = *from++ ^ turned;
        sum += static_cast<int8_t>(byte);
        if (own.is_depthwise) {
          const int64_t block = place / kLastBlock * own.fours() + tap / kDepthStep;
          bytes[(block * kLastBlock + place % kLastBlock) * kDepthStep + tap % kDepthStep] = byte;
          continue;
        }
        const int64_t run = own.joins_rows ? tap / own.kernel_width : tap;
        const int64_t k = own.joins_rows ? tap % own.kernel_width * own.channels + c : c;
        uint8_t* panel = bytes + place / kPanelColumns * own.panel_size() + run * run_size;
        panel[(k / kDepthStep * kPanelColumns + place % kPanelColumns) * kDepthStep + k % kDepthStep] = byte;
      }
    sums[filter] = sum;
  }
}

}  // namespace sdx::ops
