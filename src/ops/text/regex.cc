#include "ops/text/regex.h"

#include <dlfcn.h>

#include <string>

#include "modules/regex/regex_module.h"

namespace sdx::ops {
namespace {

constexpr char kFileName[] = "libsardonyx_regex.so";

// Beside the binary this code is in, or in ../lib from there (programs in bin/).
Result<const SdxRegexModule*> open_module() {
  Dl_info here;
  std::string folder;
  if (dladdr(reinterpret_cast<const void*>(&open_module), &here) != 0 && here.dli_fname != nullptr) {
    folder = here.dli_fname;
    const size_t slash = folder.rfind('/');
    folder = slash == std::string::npos ? std::string() : folder.substr(0, slash + 1);
  }
  std::string reason;
  for (const std::string& path : {folder + kFileName, folder + "../lib/" + kFileName}) {
    // A bare name would be looked for in the system's folders.
    void* library =
        dlopen(path.find('/') == std::string::npos ? ("./" + path).c_str() : path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      if (const char* text = dlerror(); text != nullptr && reason.empty()) reason = text;
      continue;
    }
    const auto entry = reinterpret_cast<SdxRegexModuleEntry>(dlsym(library, SDX_REGEX_MODULE_ENTRY));
    const SdxRegexModule* found = entry != nullptr ? entry() : nullptr;
    if (found != nullptr && found->version == SDX_REGEX_MODULE_VERSION) return found;
    return not_implemented("regular expressions: {} is of another version of the engine", path);
  }
  return not_implemented("regular expressions need the module {}: {}", kFileName, reason);
}

const Result<const SdxRegexModule*>& regex_module() {
  static const Result<const SdxRegexModule*> opened = open_module();
  return opened;
}

const SdxRegexModule& loaded() { return **regex_module(); }

}  // namespace

Result<Regex> Regex::compile(std::string_view pattern) {
  if (!regex_module().ok()) return regex_module().status();
  char error[256] = "";
  void* compiled = loaded().compile(pattern.data(), pattern.size(), error, sizeof(error));
  if (compiled == nullptr) return invalid_argument("pattern \"{}\": {}", pattern, std::string_view(error));
  return Regex(std::shared_ptr<void>(compiled, loaded().destroy));
}

bool Regex::matches_whole(std::string_view text) const {
  return loaded().matches_whole(compiled_.get(), text.data(), text.size()) != 0;
}

std::optional<Regex::Span> Regex::find(std::string_view text, size_t from) const {
  Span span{};
  if (loaded().find(compiled_.get(), text.data(), text.size(), from, &span.begin, &span.end) == 0) return std::nullopt;
  return span;
}

}  // namespace sdx::ops
