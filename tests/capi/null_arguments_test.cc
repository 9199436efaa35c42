// Every entry of every table takes nulls and zeros without dying: an error, or nothing.
#include <gtest/gtest.h>

#include "api/tables.h"

namespace sdx::api {
namespace {

template <class Return, class... Args>
void call(const char* entry, Return(ORT_API_CALL* function)(Args...) noexcept) {
  SCOPED_TRACE(entry);
  if constexpr (std::is_same_v<Return, OrtStatus*>) {
    OrtStatus* status = function(Args{}...);
    const bool says_why = std::string_view(entry) == "CreateStatus" || *ort_api::GetErrorMessage(status) != '\0';
    EXPECT_TRUE(status == nullptr || says_why);
    ort_api::ReleaseStatus(status);
  } else {
    static_cast<void>(function(Args{}...));
  }
}

// Entries whose nulls mean that there is nothing to do.
bool may_succeed(std::string_view entry) {
  for (const std::string_view name : {"ReleaseAvailableProviders", "SynchronizeBound"})
    if (entry.find(name) != entry.npos) return true;
  return false;
}

template <class... Args>
void expect_refusal(const char* entry, OrtStatus*(ORT_API_CALL* function)(Args...) noexcept) {
  if (sizeof...(Args) == 0 || may_succeed(entry)) return;
  OrtStatus* status = function(Args{}...);
  if (status == nullptr) ADD_FAILURE() << entry << " takes null for all of its arguments";
  ort_api::ReleaseStatus(status);
}
template <class Return, class... Args>
void expect_refusal(const char*, Return(ORT_API_CALL*)(Args...) noexcept) {}

TEST(null_arguments, never_kill) {
#define SDX_SLOT(index, since, type, name, params) \
  call(#name, kOrtApi.name);                       \
  expect_refusal(#name, kOrtApi.name);
#include "api/ort_api_slots.inc"
#undef SDX_SLOT
}

TEST(null_arguments, never_kill_the_model_editor) {
#define SDX_SLOT(index, since, type, name, params) \
  call(#name, kOrtModelEditorApi.name);            \
  expect_refusal(#name, kOrtModelEditorApi.name);
#include "api/model_editor_api_slots.inc"
#undef SDX_SLOT
}

}  // namespace
}  // namespace sdx::api
