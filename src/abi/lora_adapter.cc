#include "abi/lora_adapter.h"

#include <cstring>

#include "abi/element_type.h"
#include "base/shape.h"

namespace sdx::abi {
namespace {

constexpr int32_t kFormatVersion = 1;

class FlatReader {
 public:
  explicit FlatReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  Result<T> number(size_t place) const {
    if (place > bytes_.size() || bytes_.size() - place < sizeof(T))
      return invalid_argument("something at byte {} of {} is pointed to", place, bytes_.size());
    T value{};
    std::memcpy(&value, bytes_.data() + place, sizeof(T));
    return value;
  }
  Result<size_t> follow(size_t place) const {
    SDX_ASSIGN(const uint32_t offset, number<uint32_t>(place));
    return place + offset;
  }
  // The place of a table's field; 0 where it is absent.
  Result<size_t> field(size_t table, size_t index) const {
    SDX_ASSIGN(const int32_t back, number<int32_t>(table));
    const auto directory = static_cast<int64_t>(table) - back;
    if (directory < 0) return invalid_argument("the table at byte {} begins before the file", table);
    const auto at = static_cast<size_t>(directory);
    SDX_ASSIGN(const uint16_t size, number<uint16_t>(at));
    const size_t entry = 4 + 2 * index;
    if (entry + 2 > size) return size_t{0};
    SDX_ASSIGN(const uint16_t offset, number<uint16_t>(at + entry));
    return offset == 0 ? size_t{0} : table + offset;
  }
  Result<int32_t> integer(size_t table, size_t index) const {
    SDX_ASSIGN(const size_t place, field(table, index));
    return place == 0 ? Result<int32_t>(0) : number<int32_t>(place);
  }
  // The bytes of a vector of elements of that size.
  Result<std::span<const std::byte>> vector(size_t table, size_t index, size_t element) const {
    SDX_ASSIGN(const size_t place, field(table, index));
    if (place == 0) return std::span<const std::byte>();
    SDX_ASSIGN(const size_t start, follow(place));
    SDX_ASSIGN(const uint32_t count, number<uint32_t>(start));
    const size_t data = start + 4, size = count * element;
    if (data > bytes_.size() || bytes_.size() - data < size)
      return invalid_argument("a vector of {} elements at byte {} reaches past the end", count, start);
    return bytes_.subspan(data, size);
  }
  size_t place_of(const std::byte* data) const { return static_cast<size_t>(data - bytes_.data()); }

 private:
  std::span<const std::byte> bytes_;
};

Result<Tensor> tensor_of(DType type, std::span<const int64_t> dims, std::span<const std::byte> content) {
  for (const int64_t dim : dims)
    if (dim < 0) return invalid_argument("a dimension is {}", dim);
  const auto count = checked_count(dims);
  const auto bytes = count ? byte_size(type, *count) : std::nullopt;
  if (!bytes || *bytes != content.size())
    return invalid_argument("{}{} has {} bytes of data", name(type), to_text(dims), content.size());
  SDX_ASSIGN(Tensor tensor, Tensor::allocate(type, dims));
  if (!content.empty()) std::memcpy(tensor.raw(), content.data(), content.size());
  return tensor;
}

Result<OrtLoraAdapter::Parameter> read_parameter(const FlatReader& reader, size_t table) {
  SDX_ASSIGN(const auto text, reader.vector(table, 0, 1));
  SDX_ASSIGN(const auto dim_bytes, reader.vector(table, 1, sizeof(int64_t)));
  SDX_ASSIGN(const int32_t code, reader.integer(table, 2));
  SDX_ASSIGN(const auto content, reader.vector(table, 3, 1));
  OrtLoraAdapter::Parameter parameter;
  parameter.name.assign(reinterpret_cast<const char*>(text.data()), text.size());
  std::vector<int64_t> dims(dim_bytes.size() / sizeof(int64_t));
  if (!dims.empty()) std::memcpy(dims.data(), dim_bytes.data(), dim_bytes.size());
  const DType type = dtype_of(static_cast<ONNXTensorElementDataType>(code));
  if (type == DType::undefined || type == DType::string)
    return invalid_argument("parameter \"{}\": {} is no type of numbers", parameter.name, code);
  auto tensor = tensor_of(type, dims, content);
  if (!tensor.ok()) return std::move(tensor).status().with_prefix(formatted("parameter \"{}\": ", parameter.name));
  parameter.value = OrtValue(Value(std::move(tensor).value()));
  return parameter;
}

}  // namespace

Result<std::unique_ptr<OrtLoraAdapter>> read_adapter(std::span<const std::byte> bytes) {
  if (bytes.size() < 8 || std::memcmp(bytes.data() + 4, "TORT", 4) != 0)
    return invalid_argument("it is no adapter: the identifier TORT at byte 4 is wanted");
  const FlatReader reader(bytes);
  SDX_ASSIGN(const size_t root, reader.follow(0));
  SDX_ASSIGN(const int32_t version, reader.integer(root, 0));
  if (version != kFormatVersion)
    return invalid_argument("its format has the version {}, {} is wanted", version, kFormatVersion);
  SDX_ASSIGN(const auto tables, reader.vector(root, 3, sizeof(uint32_t)));
  auto adapter = std::make_unique<OrtLoraAdapter>();
  for (size_t i = 0; i < tables.size() / sizeof(uint32_t); ++i) {
    SDX_ASSIGN(const size_t table, reader.follow(reader.place_of(tables.data()) + i * sizeof(uint32_t)));
    SDX_ASSIGN(auto parameter, read_parameter(reader, table));
    adapter->parameters.push_back(std::move(parameter));
  }
  return adapter;
}

}  // namespace sdx::abi
