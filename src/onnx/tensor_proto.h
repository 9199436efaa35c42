// Tensors out of their messages, in every encoding of the standard.
#pragma once

#include <memory>
#include <string_view>

#include "base/tensor.h"
#include "base/value.h"
#include "onnx/external_data.h"
#include "onnx/proto.h"

namespace sdx::onnx {

struct TensorSource {
  std::shared_ptr<void> owner;       // keeps the message's bytes alive; null: the caller does
  ExternalData* external = nullptr;  // null: external data are an error
};

// Points into the message's bytes, or the external file's, where these are the tensor's own layout (any alignment);
// otherwise decoded into memory of its own. `what` names the tensor's role in errors: initializer "w": ...
Result<Tensor> tensor_from_proto(const TensorProto& proto, const TensorSource& source,
                                 std::string_view what = "tensor");

// Indices are checked to lie within the shape.
Result<SparseTensor> sparse_from_proto(const SparseTensorProto& proto, const TensorSource& source,
                                       std::string_view what = "sparse tensor");

}  // namespace sdx::onnx
