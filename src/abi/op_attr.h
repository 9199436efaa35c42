// OrtOpAttr: an attribute with its name. OrtShapeInferContext: what a custom operator's shape inference is asked with.
#pragma once

#include <list>
#include <optional>

#include "abi/type_info.h"
#include "graph/attribute.h"

struct OrtOpAttr {
  sdx::Attribute attribute;
};

struct OrtShapeInferContext {
  std::vector<OrtTensorTypeAndShapeInfo> inputs;  // an omitted one has no element type
  const sdx::Attributes* attributes = nullptr;
  std::vector<std::optional<OrtTensorTypeAndShapeInfo>> outputs;  // once the operator has set it
  mutable std::list<OrtOpAttr> asked_for;                         // what the caller has pointers to
};

namespace sdx::abi {

OrtOpAttrType op_attr_type_of(const Attribute& attribute);  // UNDEFINED for kinds that the ABI lacks

}  // namespace sdx::abi
