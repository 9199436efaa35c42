#include "abi/op_attr.h"

namespace sdx::abi {

OrtOpAttrType op_attr_type_of(const Attribute& attribute) {
  switch (attribute.kind()) {
    case AttributeKind::i: return ORT_OP_ATTR_INT;
    case AttributeKind::ints: return ORT_OP_ATTR_INTS;
    case AttributeKind::f: return ORT_OP_ATTR_FLOAT;
    case AttributeKind::floats: return ORT_OP_ATTR_FLOATS;
    case AttributeKind::s: return ORT_OP_ATTR_STRING;
    case AttributeKind::strings: return ORT_OP_ATTR_STRINGS;
    case AttributeKind::graph: return ORT_OP_ATTR_GRAPH;
    case AttributeKind::tensor: return ORT_OP_ATTR_TENSOR;
    default: return ORT_OP_ATTR_UNDEFINED;
  }
}

}  // namespace sdx::abi
