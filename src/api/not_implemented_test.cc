// Every slot of every table can be called, implemented or not.
#include "not_implemented.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "status_handle.h"

#if defined(__SANITIZE_ADDRESS__)
#define SDX_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SDX_ADDRESS_SANITIZER
#endif
#endif

namespace sdx::api {
namespace {

template <class Table>
std::size_t count_null_slots(const Table& table) {
  std::size_t nulls = 0;
  for (std::size_t offset = 0; offset < sizeof(Table); offset += sizeof(void*)) {
    void* slot = nullptr;
    std::memcpy(&slot, reinterpret_cast<const char*>(&table) + offset, sizeof slot);
    nulls += slot == nullptr;
  }
  return nulls;
}

TEST(tables, no_slot_is_null) {
  EXPECT_EQ(count_null_slots(kOrtApi), 0u);
  EXPECT_EQ(count_null_slots(kOrtModelEditorApi), 0u);
  EXPECT_EQ(count_null_slots(kOrtCompileApi), 0u);
  EXPECT_EQ(count_null_slots(kOrtInteropApi), 0u);
  EXPECT_EQ(count_null_slots(kOrtEpApi), 0u);
  EXPECT_EQ(count_null_slots(kOrtModelPackageApi), 0u);
}

TEST(tables, implemented_slots_reach_their_function) {
  EXPECT_EQ(kOrtApi.CreateStatus, &ort_api::CreateStatus);
  EXPECT_EQ(kOrtApi.GetEpApi(), &kOrtEpApi);
  EXPECT_EQ(kOrtApi.GetModelPackageApi(), &kOrtModelPackageApi);
}

// Calls the stub of one slot with zeros for arguments.
template <auto slot, class Return, class... Args>
void call_stub(Return(ORT_API_CALL*)(Args...) noexcept) {
  if constexpr (std::is_same_v<Return, OrtStatus*>) {
    OrtStatus* status = Stub<slot, Return, Args...>::call(Args{}...);
    ASSERT_NE(status, nullptr);
    EXPECT_EQ(status->code, ORT_NOT_IMPLEMENTED);
    EXPECT_EQ(status->message, std::string(name_of(slot)) + " is not implemented");
    ort_api::ReleaseStatus(status);
  } else {
    Stub<slot, Return, Args...>::call(Args{}...);
  }
}

TEST(stubs, every_entry_of_the_main_table_answers) {
#define SDX_SLOT(index, since, type, name, params) call_stub<ort_api::Slot::name>(kOrtApi.name);
#include "ort_api_slots.inc"
#undef SDX_SLOT
}

TEST(stubs, every_entry_of_the_provider_table_answers) {
#define SDX_SLOT(index, since, type, name, params) call_stub<ep_api::Slot::name>(kOrtEpApi.name);
#include "ep_api_slots.inc"
#undef SDX_SLOT
}

TEST(stubs, main_table_has_73_entries_without_a_status) {
  int without_status = 0;
#define SDX_SLOT(index, since, type, name, params) without_status += !std::is_same_v<type, OrtStatus*>;
#include "ort_api_slots.inc"
#undef SDX_SLOT
  EXPECT_EQ(without_status, 73);
}

template <auto slot, class Return, class... Args>
auto stub_like(Return(ORT_API_CALL*)(Args...) noexcept) {
  return &Stub<slot, Return, Args...>::call;
}
#define SDX_STUB(name) stub_like<ort_api::Slot::name>(&ort_api::name)

TEST(stubs, text_is_empty_and_absent_keys_are_null) {
  EXPECT_STREQ(SDX_STUB(EpDevice_EpName)(nullptr), "");
  EXPECT_EQ(SDX_STUB(GetKeyValue)(nullptr, "key"), nullptr);
}

TEST(stubs, outputs_of_void_entries_are_cleared) {
  const char* const* keys = reinterpret_cast<const char* const*>(&keys);
  const char* const* values = keys;
  std::size_t count = 7;
  SDX_STUB(GetKeyValuePairs)(nullptr, &keys, &values, &count);
  EXPECT_EQ(keys, nullptr);
  EXPECT_EQ(values, nullptr);
  EXPECT_EQ(count, 0u);
  OrtMemoryInfoDeviceType device = OrtMemoryInfoDeviceType_NPU;
  SDX_STUB(MemoryInfoGetDeviceType)(nullptr, &device);
  EXPECT_EQ(device, OrtMemoryInfoDeviceType_CPU);
}

TEST(status_handle, keeps_code_and_text) {
  OrtStatus* status = kOrtApi.CreateStatus(ORT_INVALID_GRAPH, "conv_12 (Conv): no weight");
  EXPECT_EQ(kOrtApi.GetErrorCode(status), ORT_INVALID_GRAPH);
  EXPECT_STREQ(kOrtApi.GetErrorMessage(status), "conv_12 (Conv): no weight");
  kOrtApi.ReleaseStatus(status);
}

TEST(status_handle, null_is_success_everywhere) {
  EXPECT_EQ(kOrtApi.GetErrorCode(nullptr), ORT_OK);
  EXPECT_STREQ(kOrtApi.GetErrorMessage(nullptr), "");
  kOrtApi.ReleaseStatus(nullptr);
  OrtStatus* status = kOrtApi.CreateStatus(ORT_FAIL, nullptr);
  EXPECT_STREQ(kOrtApi.GetErrorMessage(status), "");
  kOrtApi.ReleaseStatus(status);
}

TEST(status_handle, out_of_memory_gives_a_static_status) {
#ifdef SDX_ADDRESS_SANITIZER
  GTEST_SKIP() << "the address sanitizer ends the process at an allocation of this size";
#endif
  // A text longer than any memory; its bytes are never read, because the allocation fails first.
  OrtStatus* status = make_status(ORT_FAIL, std::string_view("x", std::size_t{1} << 62));
  ASSERT_NE(status, nullptr);
  EXPECT_STREQ(status->message, "out of memory while reporting an error");
  ort_api::ReleaseStatus(status);
  EXPECT_EQ(status->code, ORT_FAIL);
}

}  // namespace
}  // namespace sdx::api
