#include "ops/text/regex.h"

#include "modules/regex/regex_module.h"
#include "ops/loaded_module.h"

namespace sdx::ops {
namespace {

const Result<const SdxRegexModule*>& regex_module() {
  static const Result<const SdxRegexModule*> opened = load_module_table<SdxRegexModule>(
      {"libsardonyx_regex.so", SDX_REGEX_MODULE_ENTRY, SDX_REGEX_MODULE_VERSION, "regular expressions"});
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
