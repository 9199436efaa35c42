#include "ops/quant/last_filters.h"

#include <cstring>

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
  for (int64_t filter = 0; filter < own.group * own.filters; ++filter, from += own.depth()) {
    stop_point(own.depth());
    uint32_t sum = 0;
    for (int64_t k = 0; k < own.depth(); ++k) sum += static_cast<uint32_t>(static_cast<int8_t>(from[k] ^ turned));
    sums[filter] = static_cast<int32_t>(sum);
    const int64_t place = own.place(filter);
    for (int64_t tap = 0; tap < taps; ++tap) {
      if (own.is_depthwise) {
        const int64_t block = place / kLastBlock * own.fours() + tap / kDepthStep;
        bytes[(block * kLastBlock + place % kLastBlock) * kDepthStep + tap % kDepthStep] = from[tap] ^ turned;
        continue;
      }
      const int64_t run = own.joins_rows ? tap / own.kernel_width : tap;
      const int64_t first = own.joins_rows ? tap % own.kernel_width * own.channels : 0;
      uint8_t* column =
          bytes + place / kPanelColumns * own.panel_size() + run * run_size + place % kPanelColumns * kDepthStep;
      int64_t c = 0;
      for (; first == 0 && c + kDepthStep <= own.channels; c += kDepthStep) {
        const uint8_t* at = from + c * taps + tap;
        const uint8_t four[] = {at[0], at[taps], at[2 * taps], at[3 * taps]};
        uint32_t together;
        static_assert(sizeof(together) == kDepthStep);
        std::memcpy(&together, four, sizeof(together));
        together ^= 0x01010101u * turned;
        std::memcpy(column + c * kPanelColumns, &together, sizeof(together));
      }
      for (; c < own.channels; ++c)
        column[(first + c) / kDepthStep * kDepthStep * kPanelColumns + (first + c) % kDepthStep] =
            from[c * taps + tap] ^ turned;
    }
  }
}

}  // namespace sdx::ops
