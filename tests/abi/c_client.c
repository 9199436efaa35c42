// The same facts as abi_layout_test.cc, checked by a C11 compiler, and a round trip through the table.
#include "c_client.h"

#include <string.h>

#define SDX_TABLE(table, count) _Static_assert(sizeof(table) == (count) * sizeof(void*), "size of " #table);
#define SDX_ENTRY(table, index, name) \
  _Static_assert(offsetof(table, name) == (index) * sizeof(void*), "slot of " #table "::" #name);
#include "slot_facts.inc"

#define SDX_STRUCT(type, size, alignment) _Static_assert(_Alignof(struct type) == (alignment), "alignment of " #type);
#define SDX_FIELD(type, field, offset, size)                                         \
  _Static_assert(offsetof(struct type, field) == (offset), "offset of " #type "." #field); \
  _Static_assert(sizeof(((struct type*)0)->field) == (size), "size of " #type "." #field);
#include "layout_facts.inc"

#define SDX_ENUM(type, name, value) \
  _Static_assert((uint32_t)(name) == (uint32_t)(value) && sizeof(type) == 4, "value of " #name);
#include "enum_facts.inc"

int c_client_round_trip(const OrtApi* api) {
  OrtStatus* status = api->CreateStatus(ORT_NOT_IMPLEMENTED, "from C");
  int code = (int)api->GetErrorCode(status);
  if (strcmp(api->GetErrorMessage(status), "from C") != 0) code = -1;
  api->ReleaseStatus(status);
  return code;
}
