// What a kernel of a custom operator asks of its node when it is made.
#include <cstring>

#include "abi/kernel.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

// The ABI's way with texts: `size` with the 0 at the end goes out; null asks for it; too small a buffer is an error.
Status give_text(std::string_view text, char* out, size_t* size) {
  SDX_NEED(size);
  const size_t wanted = text.size() + 1, given = *size;
  *size = wanted;
  if (out == nullptr) return {};
  if (given < wanted) return invalid_argument("the buffer has {} bytes, {} are wanted", given, wanted);
  std::memcpy(out, text.data(), text.size());
  out[text.size()] = '\0';
  return {};
}

template <typename T>
Status give_list(const std::vector<T>& list, T* out, size_t* size) {
  SDX_NEED(size);
  const size_t given = *size;
  *size = list.size();
  if (out == nullptr) return {};
  if (given < list.size())
    return invalid_argument("the buffer has place for {} elements, {} are wanted", given, list.size());
  std::copy(list.begin(), list.end(), out);
  return {};
}

template <typename T>
Result<const T*> attribute(const OrtKernelInfo* info, const char* name) {
  SDX_NEED(info);
  SDX_NEED(name);
  const T* value = info->attributes.get<T>(name);
  if (value != nullptr) return value;
  return make_error(Code::fail, "{} ({}): there is no attribute \"{}\" of that kind", info->name, info->op, name);
}

template <typename T>
OrtStatus* give_attribute(const OrtKernelInfo* info, const char* name, T* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    SDX_ASSIGN(const T* const value, attribute<T>(info, name));
    *out = *value;
    return {};
  });
}

template <typename T>
OrtStatus* give_attribute_list(const OrtKernelInfo* info, const char* name, T* out, size_t* size) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(const auto* const value, attribute<std::vector<T>>(info, name));
    return give_list(*value, out, size);
  });
}

using Operands = std::vector<OrtKernelInfo::Operand> OrtKernelInfo::*;

Result<const OrtKernelInfo::Operand*> operand(const OrtKernelInfo* info, Operands which, size_t index) {
  SDX_NEED(info);
  const auto& list = info->*which;
  if (index >= list.size())
    return invalid_argument("{} ({}): operand {} is asked for, there are {}", info->name, info->op, index, list.size());
  return &list[index];
}

OrtStatus* give_count(const OrtKernelInfo* info, Operands which, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(out);
    *out = (info->*which).size();
    return {};
  });
}

OrtStatus* give_name(const OrtKernelInfo* info, Operands which, size_t index, char* out, size_t* size) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(const auto* const found, operand(info, which, index));
    return give_text(found->name, out, size);
  });
}

OrtStatus* give_type(const OrtKernelInfo* info, Operands which, size_t index, OrtTypeInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    SDX_ASSIGN(const auto* const found, operand(info, which, index));
    *out = new OrtTypeInfo(found->type);
    return {};
  });
}

OrtStatus* give_info_text(const OrtKernelInfo* info, std::string OrtKernelInfo::*text, char* out,
                          size_t* size) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    return give_text(info->*text, out, size);
  });
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL KernelInfoGetAttribute_float(const OrtKernelInfo* info, const char* name,
                                                       float* out) noexcept {
  return give_attribute(info, name, out);
}
OrtStatusPtr ORT_API_CALL KernelInfoGetAttribute_int64(const OrtKernelInfo* info, const char* name,
                                                       int64_t* out) noexcept {
  return give_attribute(info, name, out);
}
OrtStatusPtr ORT_API_CALL KernelInfoGetAttribute_string(const OrtKernelInfo* info, const char* name, char* out,
                                                        size_t* size) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(const std::string* const value, attribute<std::string>(info, name));
    return give_text(*value, out, size);
  });
}
OrtStatusPtr ORT_API_CALL KernelInfoGetAttributeArray_float(const OrtKernelInfo* info, const char* name, float* out,
                                                            size_t* size) noexcept {
  return give_attribute_list(info, name, out, size);
}
OrtStatusPtr ORT_API_CALL KernelInfoGetAttributeArray_int64(const OrtKernelInfo* info, const char* name, int64_t* out,
                                                            size_t* size) noexcept {
  return give_attribute_list(info, name, out, size);
}
OrtStatusPtr ORT_API_CALL KernelInfoGetAttributeArray_string(const OrtKernelInfo* info, const char* name,
                                                             OrtAllocator* allocator, char*** out,
                                                             size_t* size) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(allocator);
    SDX_NEED(out);
    SDX_NEED(size);
    SDX_ASSIGN(const auto* const value, attribute<std::vector<std::string>>(info, name));
    *size = value->size();
    *out = static_cast<char**>(allocator->Alloc(allocator, sizeof(char*) * std::max<size_t>(value->size(), 1)));
    if (*out == nullptr) return make_error(Code::fail, "the allocator gave no memory");
    for (size_t i = 0; i < value->size(); ++i) SDX_TRY(abi::copy_text((*value)[i], *allocator, *out + i));
    return {};
  });
}
OrtStatusPtr ORT_API_CALL KernelInfoGetAttribute_tensor(const OrtKernelInfo* info, const char* name,
                                                        OrtAllocator* allocator, OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(allocator);
    SDX_NEED(out);
    SDX_ASSIGN(const Tensor* const value, attribute<Tensor>(info, name));
    Tensor tensor = *value;
    if (!is_aligned(tensor)) {  // its elements are read where they lie
      SDX_ASSIGN(tensor, clone(tensor));
    }
    *out = new OrtValue(Value(std::move(tensor)));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelInfo_GetInputCount(const OrtKernelInfo* info, size_t* out) noexcept {
  return give_count(info, &OrtKernelInfo::inputs, out);
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetOutputCount(const OrtKernelInfo* info, size_t* out) noexcept {
  return give_count(info, &OrtKernelInfo::outputs, out);
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetInputName(const OrtKernelInfo* info, size_t index, char* out,
                                                  size_t* size) noexcept {
  return give_name(info, &OrtKernelInfo::inputs, index, out, size);
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetOutputName(const OrtKernelInfo* info, size_t index, char* out,
                                                   size_t* size) noexcept {
  return give_name(info, &OrtKernelInfo::outputs, index, out, size);
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetInputTypeInfo(const OrtKernelInfo* info, size_t index,
                                                      OrtTypeInfo** type_info) noexcept {
  return give_type(info, &OrtKernelInfo::inputs, index, type_info);
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetOutputTypeInfo(const OrtKernelInfo* info, size_t index,
                                                       OrtTypeInfo** type_info) noexcept {
  return give_type(info, &OrtKernelInfo::outputs, index, type_info);
}
OrtStatusPtr ORT_API_CALL KernelInfoGetConstantInput_tensor(const OrtKernelInfo* info, size_t index, int* is_constant,
                                                            const OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(is_constant);
    SDX_NEED(out);
    SDX_ASSIGN(const auto* const found, operand(info, &OrtKernelInfo::inputs, index));
    *is_constant = found->constant != nullptr ? 1 : 0;
    *out = found->constant.get();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelInfo_GetNodeName(const OrtKernelInfo* info, char* out, size_t* size) noexcept {
  return give_info_text(info, &OrtKernelInfo::name, out, size);
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetOperatorDomain(const OrtKernelInfo* info, char* out, size_t* size) noexcept {
  return give_info_text(info, &OrtKernelInfo::domain, out, size);
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetOperatorType(const OrtKernelInfo* info, char* out, size_t* size) noexcept {
  return give_info_text(info, &OrtKernelInfo::op, out, size);
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetOperatorSinceVersion(const OrtKernelInfo* info, int* since_version) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(since_version);
    *since_version = info->since_version;
    return {};
  });
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetConfigEntries(const OrtKernelInfo* info, OrtKeyValuePairs** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(out);
    auto pairs = std::make_unique<OrtKeyValuePairs>();
    for (const auto& [key, value] : info->config) pairs->set(key.c_str(), value.c_str());
    *out = pairs.release();
    return {};
  });
}
OrtStatusPtr ORT_API_CALL KernelInfo_GetLogger(const OrtKernelInfo* info, const OrtLogger** logger) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(logger);
    *logger = info->logger;
    return {};
  });
}
OrtStatusPtr ORT_API_CALL KernelInfoGetAllocator(const OrtKernelInfo* info, OrtMemType /*mem_type*/,
                                                 OrtAllocator** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(out);
    *out = &abi::default_allocator();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CopyKernelInfo(const OrtKernelInfo* info, OrtKernelInfo** info_copy) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(info_copy);
    *info_copy = new OrtKernelInfo(*info);
    return {};
  });
}
void ORT_API_CALL ReleaseKernelInfo(OrtKernelInfo* input) noexcept { delete input; }

}  // namespace ort_api
}  // namespace sdx::api
