// Makes, reads and frees OrtStatus.
#include "status_handle.h"

#include <cstdlib>
#include <new>

#include "tables.h"

namespace sdx::api {
namespace {

constinit OrtStatus out_of_memory{ORT_FAIL, "out of memory while reporting an error"};

}  // namespace

OrtStatus* make_status(OrtErrorCode code, std::string_view message) noexcept {
  void* block = std::malloc(sizeof(OrtStatus) + message.size() + 1);
  if (block == nullptr) return &out_of_memory;
  char* text = static_cast<char*>(block) + sizeof(OrtStatus);
  message.copy(text, message.size());
  text[message.size()] = '\0';
  return new (block) OrtStatus{code, text};
}

namespace ort_api {

OrtStatus* ORT_API_CALL CreateStatus(OrtErrorCode code, const char* msg) noexcept {
  return make_status(code, msg == nullptr ? "" : msg);
}

OrtErrorCode ORT_API_CALL GetErrorCode(const OrtStatus* status) noexcept {
  return status == nullptr ? ORT_OK : status->code;
}

const char* ORT_API_CALL GetErrorMessage(const OrtStatus* status) noexcept {
  return status == nullptr ? "" : status->message;
}

void ORT_API_CALL ReleaseStatus(OrtStatus* input) noexcept {
  if (input != &out_of_memory) std::free(input);
}

}  // namespace ort_api
}  // namespace sdx::api
