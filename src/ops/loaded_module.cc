#include "ops/loaded_module.h"

#include <dlfcn.h>

#include <string>

namespace sdx::ops {
namespace {

std::string folder_of_this_binary() {
  Dl_info here;
  if (dladdr(reinterpret_cast<const void*>(&load_module), &here) == 0 || here.dli_fname == nullptr) return {};
  const std::string path = here.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

}  // namespace

// Beside the binary this code is in, or in ../lib from there (programs in bin/).
Result<const void*> load_module(const ModuleName& name) {
  const std::string folder = folder_of_this_binary();
  std::string reason;
  for (const std::string& path : {folder + name.file, folder + "../lib/" + name.file}) {
    // A bare name would be looked for in the system's folders.
    void* library =
        dlopen(path.find('/') == std::string::npos ? ("./" + path).c_str() : path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      if (const char* text = dlerror(); text != nullptr && reason.empty()) reason = text;
      continue;
    }
    const auto entry = reinterpret_cast<const uint32_t* (*)()>(dlsym(library, name.entry));
    const uint32_t* found = entry != nullptr ? entry() : nullptr;
    if (found != nullptr && *found == name.version) return static_cast<const void*>(found);
    return not_implemented("{}: {} is of another version of the engine", name.purpose, path);
  }
  return not_implemented("{} need the module {}: {}", name.purpose, name.file, reason);
}

}  // namespace sdx::ops
