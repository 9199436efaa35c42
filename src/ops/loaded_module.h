// What links third-party libraries is no part of the engine but a module, libsardonyx_<name>.so (src/modules/<name>),
// that is loaded from beside the engine when it is first needed.
#pragma once

#include <string_view>

#include "base/status.h"

namespace sdx::ops {

struct ModuleName {
  const char* file;
  const char* entry;  // the function that gives the table
  uint32_t version;   // what the table begins with
  std::string_view purpose;
};

// NOT_IMPLEMENTED, with the loader's reason, where the module or a library that it needs is missing.
Result<const void*> load_module(const ModuleName& name);

template <typename Table>
Result<const Table*> load_module_table(const ModuleName& name) {
  SDX_ASSIGN(const void* const table, load_module(name));
  return static_cast<const Table*>(table);
}

}  // namespace sdx::ops
