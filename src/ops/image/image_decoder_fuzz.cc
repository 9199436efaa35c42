// Any bytes as a picture: pixels, an empty image or an error, in every pixel format.
#include <algorithm>
#include <cstdlib>

#include "base/log.h"
#include "ops/invoke.h"

namespace sdx::ops {
namespace {

// Memory for pictures is bounded, so that what is tried is many small ones.
class SmallAllocator : public Allocator {
 public:
  Result<std::shared_ptr<void>> allocate(size_t bytes) override {
    if (bytes > (size_t{1} << 24)) return Status(Code::runtime_exception, "more than is tried");
    return allocate_bytes(bytes);
  }
};

void exercise(std::span<const uint8_t> bytes, const char* pixel_format) {
  const OpEntry* entry = find_op("", "ImageDecoder");
  Node node;
  node.op = "ImageDecoder";
  node.attributes.list() = {attr("pixel_format", pixel_format)};
  node.inputs = {1};
  node.outputs = {2};
  auto encoded = Tensor::allocate(DType::u8, Shape{static_cast<int64_t>(bytes.size())});
  if (!encoded.ok()) return;
  std::copy(bytes.begin(), bytes.end(), encoded->data<uint8_t>());
  const Value input = std::move(*encoded);
  const Value* inputs[] = {&input};
  const auto specs = output_specs(*entry->contract, node, inputs);
  if (!specs.ok()) std::abort();
  SmallAllocator allocator;
  Value outputs[1];
  const Status status = invoke({entry->contract}, node, inputs, *specs, outputs, {.allocator = &allocator});
  if (status.code() == Code::not_implemented) std::abort();  // the module is missing
  if (!status.ok()) return;
  uint8_t all = 0;
  const Tensor& image = outputs[0].tensor();
  for (int64_t i = 0; i < image.count(); ++i) all |= image.data<uint8_t>()[i];
  if (image.shape().size() != 3 || (all != 0 && image.count() == 0)) std::abort();
}

}  // namespace
}  // namespace sdx::ops

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sdx::default_logger().set_lowest(sdx::Severity::fatal);
  for (const char* pixel_format : {"RGB", "Grayscale"}) sdx::ops::exercise({data, size}, pixel_format);
  return 0;
}
