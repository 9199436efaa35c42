#include "answer.h"

#include <exception>

#include "tables.h"

namespace sdx::api {

OrtStatus* status_of_exception() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return make_status(ORT_RUNTIME_EXCEPTION, "out of memory");
  } catch (const InternalError& error) {
    return make_status(ORT_RUNTIME_EXCEPTION, error.what());
  } catch (const std::exception& error) {
    return make_status(ORT_RUNTIME_EXCEPTION, error.what());
  } catch (...) {
    return make_status(ORT_RUNTIME_EXCEPTION, "an exception of unknown type");
  }
}

Status take_status(OrtStatus* status) {
  if (status == nullptr) return {};
  Status taken(static_cast<Code>(ort_api::GetErrorCode(status)), ort_api::GetErrorMessage(status));
  ort_api::ReleaseStatus(status);
  return taken;
}

}  // namespace sdx::api
