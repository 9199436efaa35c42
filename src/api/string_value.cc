// String tensors: filled and read.
#include <cstring>

#include "abi/value.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

// The value's strings, complete.
Result<Tensor> strings_of(const OrtValue* value) {
  SDX_NEED(value);
  if (!value->is_string_tensor())
    return invalid_argument("the value is {}, a string tensor is wanted", to_text(value->content().type()));
  SDX_ASSIGN(const Value content, value->value());
  return content.tensor();
}

Result<std::vector<std::string>*> elements_of(OrtValue* value) {
  SDX_NEED(value);
  SDX_ASSIGN(abi::StringDraft * draft, value->edit_strings());
  return &draft->edit();
}

Status check_index(size_t index, size_t count) {
  if (index >= count) return invalid_argument("the index is {}, the tensor has {} elements", index, count);
  return {};
}

size_t characters_of(const Tensor& strings) { return static_cast<size_t>(strings.data<int64_t>()[strings.count()]); }

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL FillStringTensor(OrtValue* value, const char* const* s, size_t s_len) noexcept {
  return answer([&]() -> Status {
    if (s_len > 0) SDX_NEED(s);
    SDX_ASSIGN(auto* elements, elements_of(value));
    if (elements->size() != s_len)
      return invalid_argument("{} strings are given, the tensor has {} elements", s_len, elements->size());
    for (size_t i = 0; i < s_len; ++i)
      if (s[i] == nullptr) return invalid_argument("string {} is a null pointer", i);
    for (size_t i = 0; i < s_len; ++i) (*elements)[i] = s[i];
    return {};
  });
}

OrtStatusPtr ORT_API_CALL FillStringTensorElement(OrtValue* value, const char* s, size_t index) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(s);
    SDX_ASSIGN(auto* elements, elements_of(value));
    SDX_TRY(check_index(index, elements->size()));
    (*elements)[index] = s;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetResizedStringTensorElementBuffer(OrtValue* value, size_t index, size_t length_in_bytes,
                                                              char** buffer) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(buffer);
    SDX_ASSIGN(auto* elements, elements_of(value));
    SDX_TRY(check_index(index, elements->size()));
    (*elements)[index].resize(length_in_bytes);
    *buffer = (*elements)[index].data();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetStringTensorDataLength(const OrtValue* value, size_t* len) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(len);
    SDX_ASSIGN(const Tensor strings, strings_of(value));
    *len = characters_of(strings);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetStringTensorContent(const OrtValue* value, void* s, size_t s_len, size_t* offsets,
                                                 size_t offsets_len) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(const Tensor strings, strings_of(value));
    const auto count = static_cast<size_t>(strings.count());
    if (offsets_len != count)
      return invalid_argument("there is room for {} offsets, the tensor has {} elements", offsets_len, count);
    const size_t characters = characters_of(strings);
    if (s_len < characters)
      return invalid_argument("there is room for {} bytes, the strings have {}", s_len, characters);
    if (characters > 0) SDX_NEED(s);
    if (count > 0) SDX_NEED(offsets);
    for (size_t i = 0; i < count; ++i) offsets[i] = static_cast<size_t>(strings.data<int64_t>()[i]);
    if (characters > 0) std::memcpy(s, strings.bytes() + (count + 1) * sizeof(int64_t), characters);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetStringTensorElementLength(const OrtValue* value, size_t index, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    SDX_ASSIGN(const Tensor strings, strings_of(value));
    SDX_TRY(check_index(index, static_cast<size_t>(strings.count())));
    *out = strings.string_at(static_cast<int64_t>(index)).size();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetStringTensorElement(const OrtValue* value, size_t s_len, size_t index, void* s) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(const Tensor strings, strings_of(value));
    SDX_TRY(check_index(index, static_cast<size_t>(strings.count())));
    const std::string_view text = strings.string_at(static_cast<int64_t>(index));
    if (s_len < text.size())
      return invalid_argument("there is room for {} bytes, the string has {}", s_len, text.size());
    if (!text.empty()) {
      SDX_NEED(s);
      text.copy(static_cast<char*>(s), text.size());
    }
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
