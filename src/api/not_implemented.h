// What a table entry answers while nothing implements it. An entry that returns a status: NOT_IMPLEMENTED, naming
// the entry. Any other: nothing, zero, null or "", and its scalar outputs are cleared, so callers that do not
// check (most) still read defined values.
#pragma once

#include <type_traits>

#include "tables.h"

namespace sdx::api {

OrtStatus* not_implemented(const char* entry) noexcept;

// Entries whose null text means "no such key". Every other text is "": callers build strings from it unchecked.
template <auto slot>
inline constexpr bool kNullMeansAbsent = false;
template <>
inline constexpr bool kNullMeansAbsent<ort_api::Slot::GetKeyValue> = true;
template <>
inline constexpr bool kNullMeansAbsent<ort_api::Slot::GetRunConfigEntry> = true;

template <class Arg>
void clear_output(Arg arg) noexcept {
  using Target = std::remove_pointer_t<Arg>;
  if constexpr (std::is_pointer_v<Arg> && std::is_scalar_v<Target> && !std::is_const_v<Target>) {
    if (arg != nullptr) *arg = Target{};
  }
}

template <auto slot, class Return, class... Args>
struct Stub {
  static Return ORT_API_CALL call([[maybe_unused]] Args... args) noexcept {
    if constexpr (std::is_same_v<Return, OrtStatus*>) {
      return not_implemented(name_of(slot));
    } else if constexpr (std::is_void_v<Return>) {
      (clear_output(args), ...);
    } else if constexpr (std::is_same_v<Return, const char*> && !kNullMeansAbsent<slot>) {
      return "";
    } else {
      return Return{};
    }
  }
};

}  // namespace sdx::api
