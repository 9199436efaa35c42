// Knobs: settings for debugging and measuring, read once from the environment. The list is knobs.inc.
// `knob::isa()` is the value of SARDONYX_ISA, or the default. A bad value is warned about once and ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sdx {

namespace knob {
using text = std::string_view;
#define SDX_KNOB(type, name, fallback, sentence) type name();
#define SDX_KNOB_CHOICE(name, fallback, choices, sentence) text name();
#include "base/knobs.inc"
#undef SDX_KNOB
#undef SDX_KNOB_CHOICE
}  // namespace knob

struct KnobInfo {
  std::string_view name;    // "isa"
  std::string environment;  // "SARDONYX_ISA"
  std::string_view type;    // "bool", "uint32_t", "double", "text", or the choices "a|b|c"
  std::string fallback;
  std::string current;
  std::string_view sentence;
};

std::vector<KnobInfo> all_knobs();  // sorted by name

void reload_knobs_for_test();  // reads the environment again

}  // namespace sdx
