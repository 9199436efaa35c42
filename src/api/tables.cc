// Fills the C function tables at compile time: each slot gets its implementation if implemented.inc names it,
// else a stub with a safe answer.
#include "tables.h"

#include <type_traits>

#include "not_implemented.h"

namespace sdx::api {
namespace {

template <auto slot>
struct Implementation {
  static constexpr std::nullptr_t function = nullptr;
};

#define SDX_IMPLEMENTED(table, name)               \
  template <>                                      \
  struct Implementation<table::Slot::name> {       \
    static constexpr auto function = &table::name; \
  };
#define SDX_ACCEPTED(table, name, why) SDX_IMPLEMENTED(table, name)
#define SDX_REFUSED(table, name, why) SDX_IMPLEMENTED(table, name)
#include "implemented.inc"
#undef SDX_REFUSED
#undef SDX_ACCEPTED
#undef SDX_IMPLEMENTED

template <auto slot, class Table, class Return, class... Args>
consteval void fill(Table& table, Return (ORT_API_CALL* Table::*entry)(Args...) noexcept) {
  if constexpr (std::is_null_pointer_v<std::remove_const_t<decltype(Implementation<slot>::function)>>) {
    table.*entry = &Stub<slot, Return, Args...>::call;
  } else {
    table.*entry = Implementation<slot>::function;
  }
}

consteval OrtApi build_ort_api() {
  OrtApi table{};
#define SDX_SLOT(index, since, type, name, params) fill<ort_api::Slot::name>(table, &decltype(table)::name);
#include "ort_api_slots.inc"
#undef SDX_SLOT
  return table;
}

consteval OrtModelEditorApi build_model_editor_api() {
  OrtModelEditorApi table{};
#define SDX_SLOT(index, since, type, name, params) fill<model_editor_api::Slot::name>(table, &decltype(table)::name);
#include "model_editor_api_slots.inc"
#undef SDX_SLOT
  return table;
}

consteval OrtCompileApi build_compile_api() {
  OrtCompileApi table{};
#define SDX_SLOT(index, since, type, name, params) fill<compile_api::Slot::name>(table, &decltype(table)::name);
#include "compile_api_slots.inc"
#undef SDX_SLOT
  return table;
}

consteval OrtInteropApi build_interop_api() {
  OrtInteropApi table{};
#define SDX_SLOT(index, since, type, name, params) fill<interop_api::Slot::name>(table, &decltype(table)::name);
#include "interop_api_slots.inc"
#undef SDX_SLOT
  return table;
}

consteval OrtEpApi build_ep_api() {
  OrtEpApi table{};
#define SDX_SLOT(index, since, type, name, params) fill<ep_api::Slot::name>(table, &decltype(table)::name);
#include "ep_api_slots.inc"
#undef SDX_SLOT
  return table;
}

consteval OrtModelPackageApi build_model_package_api() {
  OrtModelPackageApi table{};
#define SDX_SLOT(index, since, type, name, params) fill<model_package_api::Slot::name>(table, &decltype(table)::name);
#include "model_package_api_slots.inc"
#undef SDX_SLOT
  return table;
}

}  // namespace

constinit const OrtApi kOrtApi = build_ort_api();
constinit const OrtModelEditorApi kOrtModelEditorApi = build_model_editor_api();
constinit const OrtCompileApi kOrtCompileApi = build_compile_api();
constinit const OrtInteropApi kOrtInteropApi = build_interop_api();
constinit const OrtEpApi kOrtEpApi = build_ep_api();
constinit const OrtModelPackageApi kOrtModelPackageApi = build_model_package_api();

}  // namespace sdx::api
