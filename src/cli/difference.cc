#include "cli/difference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace sdx::cli {
namespace {

using sardonyx::DataType;
using sardonyx::Kind;
using sardonyx::Value;

Difference differs(std::string message) {
  Difference found;
  found.equal = false;
  found.message = std::move(message);
  return found;
}

std::string shape_text(const sardonyx::Shape& shape) {
  std::string text = "[";
  for (const int64_t dim : shape) text += (text.size() > 1 ? "," : "") + std::to_string(dim);
  return text + "]";
}

std::string position(size_t index, const sardonyx::Shape& shape) {
  sardonyx::Shape at(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    at[axis] = static_cast<int64_t>(index % static_cast<size_t>(std::max<int64_t>(shape[axis], 1)));
    index /= static_cast<size_t>(std::max<int64_t>(shape[axis], 1));
  }
  return shape_text(at);
}

bool is_float(DataType type) {
  switch (type) {
    case DataType::f32:
    case DataType::f64:
    case DataType::f16:
    case DataType::bf16:
    case DataType::c64:
    case DataType::c128:
    case DataType::f8e4m3fn:
    case DataType::f8e4m3fnuz:
    case DataType::f8e5m2:
    case DataType::f8e5m2fnuz:
    case DataType::f8e8m0:
    case DataType::f4e2m1: return true;
    default: return false;
  }
}

bool is_narrow_float(DataType type) { return type == DataType::f32 || type == DataType::f16 || type == DataType::bf16; }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

Difference string_difference(const Value& found, const Value& wanted) {
  const auto a = found.strings(), b = wanted.strings();
  for (size_t i = 0; i < b.size(); ++i)
    if (a[i] != b[i])
      return differs("at " + position(i, wanted.shape()) + " \"" + a[i] + "\" is found, \"" + b[i] + "\" is wanted");
  return {};
}

Difference tensor_difference(const Value& found, const Value& wanted, Tolerance tolerance) {
  const DataType type = found.data_type();
  const bool same_kind =
      tolerance.beside_double && wanted.data_type() == DataType::f64 && is_narrow_float(found.data_type());
  if (type != wanted.data_type() && !same_kind)
    return differs("type " + std::string(name(type)) + " is found, " + std::string(name(wanted.data_type())) +
                   " is wanted");
  if (found.shape() != wanted.shape())
    return differs("shape " + shape_text(found.shape()) + " is found, " + shape_text(wanted.shape()) + " is wanted");
  if (type == DataType::string) return string_difference(found, wanted);
  if (type == wanted.data_type() && found.bytes().size() == wanted.bytes().size() &&
      std::ranges::equal(found.bytes(), wanted.bytes()))
    return {};
  if (type == DataType::bf16) tolerance.relative = std::max(tolerance.relative, 0x1p-6);
  if (!is_float(type)) tolerance = {0, 0};
  const std::vector<double> a = found.to_doubles(), b = wanted.to_doubles();
  const size_t parts = type == DataType::c64 || type == DataType::c128 ? 2 : 1;
  Difference worst;
  size_t wrong = 0, worst_at = 0;
  double worst_excess = -1;
  for (size_t i = 0; i < b.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double gap = std::fabs(a[i] - b[i]);
    const bool comparable = std::isfinite(gap);
    if (comparable) {
      worst.largest_absolute = std::max(worst.largest_absolute, gap);
      if (b[i] != 0) worst.largest_relative = std::max(worst.largest_relative, gap / std::fabs(b[i]));
    }
    const double allowed = tolerance.absolute + tolerance.relative * std::fabs(b[i]);
    const double excess = comparable ? gap - allowed : HUGE_VAL;
    if (excess > worst_excess) {
      worst_excess = excess;
      worst_at = i;
    }
    if (!comparable || gap > allowed) ++wrong;
  }
  worst.where = position(worst_at / parts, wanted.shape());
  if (wrong == 0) return worst;
  worst.equal = false;
  worst.message = std::to_string(wrong) + " of " + std::to_string(b.size()) + " elements differ; worst at " +
                  worst.where + ": " + number(a[worst_at]) + " is found, " + number(b[worst_at]) + " is wanted";
  return worst;
}

}  // namespace

Difference difference(const Value& found, const Value& wanted, Tolerance tolerance) {
  // An engine may give what an optional holds in its place.
  if (wanted.kind() == Kind::optional && found.kind() != Kind::optional && wanted.has_value())
    return difference(found, wanted.at(0), tolerance);
  if (found.kind() != wanted.kind())
    return differs(to_text(found.type()) + " is found, " + to_text(wanted.type()) + " is wanted");
  switch (wanted.kind()) {
    case Kind::tensor: return tensor_difference(found, wanted, tolerance);
    case Kind::sequence:
    case Kind::map: {
      if (wanted.kind() == Kind::sequence && found.size() != wanted.size())
        return differs(std::to_string(found.size()) + " elements are found, " + std::to_string(wanted.size()) +
                       " are wanted");
      Difference worst;
      for (size_t i = 0; i < (wanted.kind() == Kind::map ? 2 : wanted.size()); ++i) {
        Difference part = difference(found.at(i), wanted.at(i), tolerance);
        if (!part.equal) {
          part.message = "part " + std::to_string(i) + ": " + part.message;
          return part;
        }
        if (part.largest_absolute > worst.largest_absolute) worst = part;
      }
      return worst;
    }
    case Kind::optional:
      if (found.has_value() != wanted.has_value())
        return differs(found.has_value() ? "a value is found, none is wanted" : "no value is found, one is wanted");
      if (!wanted.has_value()) return {};
      return difference(found.at(0), wanted.at(0), tolerance);
    default: return differs("values of this kind cannot be compared");
  }
}

}  // namespace sdx::cli
