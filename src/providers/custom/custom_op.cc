#include "providers/custom/custom_op.h"

#include "abi/element_type.h"

namespace sdx::providers {
namespace {

constexpr uint32_t kOptionalSince = 8, kVariadicSince = 14, kVersionsSince = 17;

using Characteristic = decltype(OrtCustomOp::GetInputCharacteristic);

bool is(const OrtCustomOp& op, Characteristic ask, size_t index, OrtCustomOpInputOutputCharacteristic wanted) {
  const uint32_t since = wanted == INPUT_OUTPUT_VARIADIC ? kVariadicSince : kOptionalSince;
  return op.version >= since && ask != nullptr && ask(&op, index) == wanted;
}

int formal(const OrtCustomOp& op, Characteristic ask, size_t count, size_t index) {
  if (index < count) return static_cast<int>(index);
  return count > 0 && is(op, ask, count - 1, INPUT_OUTPUT_VARIADIC) ? static_cast<int>(count) - 1 : -1;
}

}  // namespace

Status take_status(const OrtApi& api, OrtStatus* status) {
  if (status == nullptr) return {};
  const std::unique_ptr<OrtStatus, void (*)(OrtStatus*)> owner(status, api.ReleaseStatus);
  return make_error(static_cast<Code>(api.GetErrorCode(status)), "{}", api.GetErrorMessage(status));
}

int formal_input(const OrtCustomOp& op, size_t index) {
  return formal(op, op.GetInputCharacteristic, op.GetInputTypeCount(&op), index);
}
int formal_output(const OrtCustomOp& op, size_t index) {
  return formal(op, op.GetOutputCharacteristic, op.GetOutputTypeCount(&op), index);
}

size_t least_inputs(const OrtCustomOp& op) {
  size_t count = op.GetInputTypeCount(&op);
  while (count > 0 && (is(op, op.GetInputCharacteristic, count - 1, INPUT_OUTPUT_OPTIONAL) ||
                       is(op, op.GetInputCharacteristic, count - 1, INPUT_OUTPUT_VARIADIC)))
    --count;
  return count;
}

DType input_type(const OrtCustomOp& op, size_t formal) { return abi::dtype_of(op.GetInputType(&op, formal)); }
DType output_type(const OrtCustomOp& op, size_t formal) { return abi::dtype_of(op.GetOutputType(&op, formal)); }

bool serves_version(const OrtCustomOp& op, int opset) {
  if (op.version < kVersionsSince || op.GetStartVersion == nullptr || op.GetEndVersion == nullptr) return true;
  return op.GetStartVersion(&op) <= opset && opset <= op.GetEndVersion(&op);
}

}  // namespace sdx::providers
