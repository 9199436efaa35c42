#include "graph/attribute_text.h"

#include <bit>

#include "base/format.h"

namespace sdx {
namespace {

std::string text_of(float value) { return formatted("{:x},", std::bit_cast<uint32_t>(value)); }
std::string text_of(int64_t value) { return formatted("{},", value); }
std::string text_of(const std::string& value) { return formatted("{}:{},", value.size(), value); }

template <typename T>
std::string text_of(const std::vector<T>& values) {
  std::string text = formatted("{}:", values.size());
  if constexpr (std::is_arithmetic_v<T>) {  // a forest has millions
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return text;
  }
  for (const T& value : values) text += text_of(value);
  return text;
}

template <typename T>
constexpr bool kHasText = std::is_same_v<T, float> || std::is_same_v<T, int64_t> || std::is_same_v<T, std::string> ||
                          std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<int64_t>> ||
                          std::is_same_v<T, std::vector<std::string>>;

}  // namespace

std::string tensor_text(const Tensor& tensor) {
  return formatted("{}{}:", name(tensor.dtype()), to_text(tensor.shape())) +
         std::string(static_cast<const char*>(tensor.raw()), tensor.byte_size());
}

std::optional<std::string> attribute_text(const Attribute& attribute) {
  return std::visit(
      [&](const auto& value) -> std::optional<std::string> {
        using T = std::decay_t<decltype(value)>;
        const std::string kind = formatted("#{}:", attribute.content.index());
        if constexpr (kHasText<T>) {
          return kind + text_of(value);
        } else if constexpr (std::is_same_v<T, Tensor>) {
          if (value.dtype() == DType::string || value.byte_size() > kSmallTensor) return std::nullopt;
          return kind + tensor_text(value);
        } else {
          return std::nullopt;
        }
      },
      attribute.content);
}

}  // namespace sdx
