// The public header against the facts: sizes, offsets, slots and enum values. Almost all of it is checked by the
// compiler; what runs is only what needs the library.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "c_client.h"
#include "onnxruntime_c_api.h"

namespace {

// Structs and tables that grew after API 29, the version whose layout the facts record.
consteval std::size_t size_at_32(std::string_view type, std::size_t size_at_29) {
  if (type == "OrtEp") return 27 * sizeof(void*);
  if (type == "OrtEpFactory") return 22 * sizeof(void*);
  if (type == "OrtCompileApi") return 20 * sizeof(void*);
  return size_at_29;
}

#define SDX_STRUCT(type, size, alignment) \
  static_assert(sizeof(type) == size_at_32(#type, size) && alignof(type) == (alignment), "size of " #type);
#define SDX_FIELD(type, field, offset, size)                                       \
  static_assert(offsetof(type, field) == (offset), "offset of " #type "." #field); \
  static_assert(sizeof(type::field) == (size), "size of " #type "." #field);
#include "layout_facts.inc"

static_assert(offsetof(OrtEp, GetEpContextDataCallbackSupport) == 0xd0);
static_assert(offsetof(OrtEpFactory, GetDeviceMemoryCapacity) == 0xa8);

#define SDX_TABLE(table, count) static_assert(sizeof(table) == (count) * sizeof(void*), "size of " #table);
#define SDX_ENTRY(table, index, name) \
  static_assert(offsetof(table, name) == (index) * sizeof(void*), "slot of " #table "::" #name);
#include "slot_facts.inc"

#define SDX_ENUM(type, name, value)                                                                        \
  static_assert(static_cast<std::uint32_t>(name) == static_cast<std::uint32_t>(value), "value of " #name); \
  static_assert(sizeof(type) == 4);
#include "enum_facts.inc"

// The tables' lengths at API 32 as they stand in the released library, apart from the list of entries.
static_assert(sizeof(OrtApi) == 429 * sizeof(void*));
static_assert(sizeof(OrtEpApi) == 78 * sizeof(void*));
static_assert(sizeof(OrtCompileApi) == 20 * sizeof(void*));
static_assert(sizeof(OrtModelEditorApi) == 20 * sizeof(void*));
static_assert(sizeof(OrtInteropApi) == 13 * sizeof(void*));
static_assert(sizeof(OrtModelPackageApi) == 16 * sizeof(void*));

// Signatures that programs rely on when they keep an entry in a variable of their own.
using CreateSession = OrtStatus* (*)(const OrtEnv*, const char*, const OrtSessionOptions*, OrtSession**);
using GetSymbolicDimensions = OrtStatus* (*)(const OrtTensorTypeAndShapeInfo*, const char**, std::size_t);
static_assert(std::is_convertible_v<decltype(OrtApi::CreateSession), CreateSession>);
static_assert(std::is_convertible_v<decltype(OrtApi::GetSymbolicDimensions), GetSymbolicDimensions>);

const OrtApi* newest_api() { return OrtGetApiBase()->GetApi(ORT_API_VERSION); }

TEST(abi_layout, c11_program_reaches_the_table) { EXPECT_EQ(c_client_round_trip(newest_api()), ORT_NOT_IMPLEMENTED); }

TEST(abi_layout, versions_1_to_32_share_one_table) {
  for (std::uint32_t version = 1; version <= 32; ++version)
    EXPECT_EQ(OrtGetApiBase()->GetApi(version), newest_api()) << "API version " << version;
  for (std::uint32_t version : {0u, 33u, 0xffffffffu})
    EXPECT_EQ(OrtGetApiBase()->GetApi(version), nullptr) << "API version " << version;
}

TEST(abi_layout, version_string_names_a_served_api) {
  EXPECT_TRUE(std::string_view(OrtGetApiBase()->GetVersionString()).starts_with("1.32."));
  EXPECT_TRUE(std::string_view(newest_api()->GetBuildInfoString()).starts_with("Sardonyx"));
}

TEST(abi_layout, provider_options_start_with_usable_defaults_in_cpp) {
  OrtCUDAProviderOptions options;
  EXPECT_EQ(options.gpu_mem_limit, SIZE_MAX);
  EXPECT_EQ(options.do_copy_in_default_stream, 1);
  EXPECT_EQ(options.user_compute_stream, nullptr);
}

}  // namespace
