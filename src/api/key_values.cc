// Key-value pairs. These entries return no status: where memory runs out nothing happens.
#include "abi/key_values.h"

#include "answer.h"
#include "tables.h"

namespace sdx::api::ort_api {

void ORT_API_CALL CreateKeyValuePairs(OrtKeyValuePairs** out) noexcept {
  if (out != nullptr) *out = new (std::nothrow) OrtKeyValuePairs();
}

void ORT_API_CALL AddKeyValuePair(OrtKeyValuePairs* kvps, const char* key, const char* value) noexcept {
  if (kvps == nullptr || key == nullptr || *key == '\0' || value == nullptr) return;
  attempt([&] { kvps->set(key, value); });
}

const char* ORT_API_CALL GetKeyValue(const OrtKeyValuePairs* kvps, const char* key) noexcept {
  const char* found = nullptr;
  if (kvps != nullptr && key != nullptr) attempt([&] { found = kvps->find(key); });
  return found;
}

void ORT_API_CALL GetKeyValuePairs(const OrtKeyValuePairs* kvps, const char* const** keys, const char* const** values,
                                   size_t* num_entries) noexcept {
  const bool some = kvps != nullptr && !kvps->keys.empty();
  if (keys != nullptr) *keys = some ? kvps->keys.data() : nullptr;
  if (values != nullptr) *values = some ? kvps->values.data() : nullptr;
  if (num_entries != nullptr) *num_entries = some ? kvps->keys.size() : 0;
}

void ORT_API_CALL RemoveKeyValuePair(OrtKeyValuePairs* kvps, const char* key) noexcept {
  if (kvps == nullptr || key == nullptr) return;
  attempt([&] { kvps->remove(key); });
}

void ORT_API_CALL ReleaseKeyValuePairs(OrtKeyValuePairs* input) noexcept { delete input; }

}  // namespace sdx::api::ort_api
