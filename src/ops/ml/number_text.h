// Numbers as text and back, the same in every locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sdx::ops {

std::string number_text(double value);                     // the shortest that reads back as the same float
std::optional<double> number_from(std::string_view text);  // the whole text is one number

}  // namespace sdx::ops
