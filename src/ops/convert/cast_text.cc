// Numbers from and to text. from_chars and to_chars know no locale.
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "ops/convert/cast_elements.h"

namespace sdx::ops {
namespace {

template <typename T>
std::string shortest(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-INF" : "INF";
  const T size = std::fabs(value);
  const bool plain = size == 0 || (size >= T(1e-5) && size < T(1e16));
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {buffer, end.ptr};
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(text[i])) != lower[i]) return false;
  return true;
}

// Beyond the range of T: infinity or zero.
template <typename T>
std::optional<T> parse_floating(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const bool negative = !text.empty() && text.front() == '-';
  const std::string_view digits = negative ? text.substr(1) : text;
  if (equals_ignoring_case(digits, "inf") || equals_ignoring_case(digits, "infinity"))
    return negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
  if (equals_ignoring_case(digits, "nan")) return std::numeric_limits<T>::quiet_NaN();
  if (digits.empty() || (digits.front() != '.' && std::isdigit(static_cast<unsigned char>(digits.front())) == 0))
    return std::nullopt;
  T value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ptr != text.data() + text.size()) return std::nullopt;
  if (end.ec == std::errc()) return value;
  if (end.ec != std::errc::result_out_of_range) return std::nullopt;
  long double wide = 0;
  const auto again = std::from_chars(text.data(), text.data() + text.size(), wide);
  if (again.ec == std::errc()) return static_cast<T>(wide);
  const size_t exponent = text.find_first_of("eE");
  const bool tiny = exponent != text.npos && exponent + 1 < text.size() && text[exponent + 1] == '-';
  const T size = tiny ? T{0} : std::numeric_limits<T>::infinity();
  return negative ? -size : size;
}

template <typename T>
std::optional<T> parse_integer(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string number_to_text(const Tensor& tensor, int64_t index) {
  const DType type = tensor.dtype();
  if (type == DType::f64) return shortest(load_double(tensor, index));
  if (is_floating(type)) return shortest(static_cast<float>(load_double(tensor, index)));
  if (type == DType::u64) return std::to_string(static_cast<uint64_t>(load_i64(tensor, index)));
  return std::to_string(load_i64(tensor, index));
}

Status store_text(std::string_view text, Tensor& y, int64_t index, const CastRules& rules) {
  const std::string_view number = trimmed(text);
  const DType type = y.dtype();
  if (!is_floating(type)) {
    if (const auto value = parse_integer<int64_t>(number)) {
      store_i64(y, index, *value);
      return {};
    }
    if (const auto value = parse_integer<uint64_t>(number); value && type == DType::u64) {
      store_i64(y, index, static_cast<int64_t>(*value));
      return {};
    }
  }
  if (type == DType::f32) {
    if (const auto value = parse_floating<float>(number)) {
      store_double(y, index, *value);
      return {};
    }
  } else if (const auto value = parse_floating<double>(number)) {
    if (is_floating(type) && bit_width(type) <= 8) {
      store_packed(bit_width(type), y.raw(), index, encode_float(type, *value, rules.overflow, rules.round));
    } else {
      store_double(y, index, *value);
    }
    return {};
  }
  return invalid_argument("element {} is \"{}\", which is no number", index, text.substr(0, 40));
}

}  // namespace sdx::ops
