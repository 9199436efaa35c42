// How far one value is from another, and where most.
#pragma once

#include <string>

#include "sardonyx.hpp"

namespace sdx::cli {

struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-7;
  bool beside_double = false;  // wanted are doubles, where found may be floats of any size
};

struct Difference {
  bool equal = true;
  std::string message;  // empty when equal
  double largest_absolute = 0;
  double largest_relative = 0;  // over the expected element
  std::string where;            // of the worst element: "[0,3]"
};

// Elements agree when |found - wanted| <= absolute + relative * |wanted|; NaN agrees with NaN; integers, booleans and
// strings must be equal. bfloat16 is given at least 2^-6 relative, as the standard's own runner does.
Difference difference(const sardonyx::Value& found, const sardonyx::Value& wanted, Tolerance tolerance);

}  // namespace sdx::cli
