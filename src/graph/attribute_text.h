// Attributes and small tensors as text: the same text, the same content.
#pragma once

#include <optional>
#include <string>

#include "graph/attribute.h"

namespace sdx {

inline constexpr size_t kSmallTensor = 256;  // bytes; larger ones have no text

std::string tensor_text(const Tensor& tensor);  // type, shape and bytes
// Nullopt for what has no short text: subgraphs, large tensors.
std::optional<std::string> attribute_text(const Attribute& attribute);

}  // namespace sdx
