// Tensors to and from other libraries through DLPack, without a copy where their memory is contiguous and aligned.
#include <nanobind/ndarray.h>

#include <array>

#include "native.h"

namespace sardonyx::python {
namespace {

struct Pair {
  DataType type;
  uint8_t code, bits;
};
// DLPack's codes: 0 int, 1 unsigned, 2 float, 4 bfloat, 5 complex, 6 bool, from 7 on the floats of 8 bits.
constexpr std::array kPairs{
    Pair{DataType::i8, 0, 8},          Pair{DataType::i16, 0, 16},        Pair{DataType::i32, 0, 32},
    Pair{DataType::i64, 0, 64},        Pair{DataType::u8, 1, 8},          Pair{DataType::u16, 1, 16},
    Pair{DataType::u32, 1, 32},        Pair{DataType::u64, 1, 64},        Pair{DataType::f16, 2, 16},
    Pair{DataType::f32, 2, 32},        Pair{DataType::f64, 2, 64},        Pair{DataType::bf16, 4, 16},
    Pair{DataType::c64, 5, 64},        Pair{DataType::c128, 5, 128},      Pair{DataType::boolean, 6, 8},
    Pair{DataType::f8e4m3fn, 10, 8},   Pair{DataType::f8e4m3fnuz, 11, 8}, Pair{DataType::f8e5m2, 12, 8},
    Pair{DataType::f8e5m2fnuz, 13, 8}, Pair{DataType::f8e8m0, 14, 8},
};

}  // namespace

HeldValue from_dlpack(nb::handle tensor) {
  using Tensor = nb::ndarray<nb::device::cpu, nb::c_contig>;
  Tensor array;
  if (!nb::try_cast(tensor, array))
    throw std::runtime_error("a tensor in the CPU's memory with the DLPack protocol is wanted, found " +
                             std::string(nb::type_name(tensor.type()).c_str()));
  const nb::dlpack::dtype found = array.dtype();
  const auto pair =
      std::ranges::find_if(kPairs, [&](const Pair& p) { return p.code == found.code && p.bits == found.bits; });
  if (pair == kPairs.end() || found.lanes != 1)
    throw std::runtime_error("a DLPack tensor of type code " + std::to_string(found.code) + " with " +
                             std::to_string(found.bits) + " bits and " + std::to_string(found.lanes) +
                             " lanes has no ONNX type");
  Shape shape;
  for (size_t i = 0; i < array.ndim(); ++i) shape.push_back(static_cast<int64_t>(array.shape(i)));
  const size_t size = array.nbytes();
  if (size == 0 || reinterpret_cast<uintptr_t>(array.data()) % (found.bits / 8) != 0)
    return {Value::from_bytes(pair->type, {static_cast<std::byte*>(array.data()), size}, shape), {}};
  auto* kept = new Tensor(array);
  nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<Tensor*>(data); });
  return {Value(detail::wrap(pair->type, kept->data(), size, shape)), std::move(owner)};
}

nb::object to_dlpack(const Value& value, nb::handle owner) {
  const DataType type = value.is_tensor() ? value.data_type() : DataType::undefined;
  const auto pair = std::ranges::find_if(kPairs, [&](const Pair& p) { return p.type == type; });
  if (pair == kPairs.end())
    throw std::runtime_error("a value of type " + type_text(value.type()) + " has no form in DLPack");
  const Shape dims = value.shape();
  const std::vector<size_t> shape(dims.begin(), dims.end());
  void* data = nullptr;
  check(ort_api().GetTensorMutableData(value.handle(), &data));
  const nb::ndarray<> array(data, shape.size(), shape.data(), owner, nullptr, {pair->code, pair->bits, 1});
  return nb::cast(array);
}

}  // namespace sardonyx::python
