#include <dlfcn.h>

#include "abi/options.h"

namespace sdx::abi {
namespace {

std::string loader_error() {
  const char* text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

Result<void*> find_symbol(void* handle, const std::string& name) {
  void* address = dlsym(handle, name.c_str());
  if (address == nullptr) return make_error(Code::fail, "Failed to get symbol {} with error: {}", name, loader_error());
  return address;
}

}  // namespace

Result<std::shared_ptr<LoadedLibrary>> LoadedLibrary::open(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return make_error(Code::fail, "Failed to load library {} with error: {}", path, loader_error());
  return std::shared_ptr<LoadedLibrary>(new LoadedLibrary(handle));
}

LoadedLibrary::~LoadedLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* LoadedLibrary::leak() { return std::exchange(handle_, nullptr); }

Result<void*> LoadedLibrary::symbol(const std::string& name) const { return find_symbol(handle_, name); }

Result<void*> symbol_of_program(const std::string& name) { return find_symbol(RTLD_DEFAULT, name); }

}  // namespace sdx::abi
