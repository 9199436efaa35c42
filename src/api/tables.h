// Every entry of every C function table as a declared function: ort_api::CreateSession, ep_api::CreateEpDevice, ...
// To implement one: include this file in any src/api/*.cc, define the function with the declared signature, and
// name it in implemented.inc. Entries not named there answer through not_implemented.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "onnxruntime_c_api.h"

#define SDX_TABLE ort_api
#define SDX_TABLE_TYPE OrtApi
#define SDX_TABLE_SLOTS "ort_api_slots.inc"
#include "declare_table.inc"

#define SDX_TABLE model_editor_api
#define SDX_TABLE_TYPE OrtModelEditorApi
#define SDX_TABLE_SLOTS "model_editor_api_slots.inc"
#include "declare_table.inc"

#define SDX_TABLE compile_api
#define SDX_TABLE_TYPE OrtCompileApi
#define SDX_TABLE_SLOTS "compile_api_slots.inc"
#include "declare_table.inc"

#define SDX_TABLE interop_api
#define SDX_TABLE_TYPE OrtInteropApi
#define SDX_TABLE_SLOTS "interop_api_slots.inc"
#include "declare_table.inc"

#define SDX_TABLE ep_api
#define SDX_TABLE_TYPE OrtEpApi
#define SDX_TABLE_SLOTS "ep_api_slots.inc"
#include "declare_table.inc"

#define SDX_TABLE model_package_api
#define SDX_TABLE_TYPE OrtModelPackageApi
#define SDX_TABLE_SLOTS "model_package_api_slots.inc"
#include "declare_table.inc"

namespace sdx::api {

// The filled tables. No slot is null.
extern const OrtApi kOrtApi;
extern const OrtModelEditorApi kOrtModelEditorApi;
extern const OrtCompileApi kOrtCompileApi;
extern const OrtInteropApi kOrtInteropApi;
extern const OrtEpApi kOrtEpApi;
extern const OrtModelPackageApi kOrtModelPackageApi;

}  // namespace sdx::api
