// Any bytes as a model: read, decoded, written and read again without a crash, and with the same result.
#include <cstdlib>

#include "onnx/model_file.h"
#include "onnx/proto_walk.h"
#include "onnx/reader.h"
#include "onnx/value_proto.h"
#include "onnx/writer.h"

namespace sdx::onnx {
namespace {

void exercise(Bytes bytes) {
  for (const ValueKind kind : {ValueKind::sequence, ValueKind::map, ValueKind::optional})
    if (const auto value = value_from_bytes(bytes, kind); value.ok()) (void)value_to_proto(*value, "value");
  auto model = model_from_bytes(bytes, Ownership::lend);
  if (!model.ok()) return;
  const auto decode = [&](const TensorProto& tensor) { (void)(*model)->tensor(tensor); };
  for_each_message<TensorProto>((*model)->proto, decode);
  const auto written = write_model_to_string((*model)->proto);
  if (!written.ok()) return;
  const auto again = read_model(std::as_bytes(std::span(*written)));
  if (!again.ok() || !same((*model)->proto, *again)) std::abort();
}

}  // namespace
}  // namespace sdx::onnx

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sdx::onnx::exercise(std::as_bytes(std::span(data, size)));
  return 0;
}
