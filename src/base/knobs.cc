#include "base/knobs.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/fork.h"
#include "base/format.h"
#include "base/log.h"

namespace sdx {
namespace {

using knob::text;
using StoredText = std::string;

// What a knob of type T is kept as: texts need a home of their own, the environment may change under us.
template <typename T>
using Stored = std::conditional_t<std::is_same_v<T, text>, StoredText, T>;

struct Values {
#define SDX_KNOB(type, name, fallback, sentence) Stored<type> name{fallback};
#define SDX_KNOB_CHOICE(name, fallback, choices, sentence) StoredText name{fallback};
#include "base/knobs.inc"
#undef SDX_KNOB
#undef SDX_KNOB_CHOICE
  std::unique_ptr<const Values> previous;  // readers may still hold references into it
};

std::string environment_name(std::string_view name) {
  std::string out = "SARDONYX_";
  for (const char c : name) out += (c >= 'a' && c <= 'z') ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

[[maybe_unused]] bool parse(std::string_view from, bool& to) {
  const bool yes = from == "1" || from == "true" || from == "on" || from == "yes";
  const bool no = from == "0" || from == "false" || from == "off" || from == "no";
  if (yes || no) to = yes;
  return yes || no;
}
template <typename T>
requires std::is_arithmetic_v<T>
bool parse(std::string_view from, T& to) {
  T value{};
  const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), value);
  if (error != std::errc() || end != from.data() + from.size()) return false;
  to = value;
  return true;
}
bool parse(std::string_view from, StoredText& to) {
  to = from;
  return true;
}

bool is_choice(std::string_view value, std::string_view choices) {
  while (true) {
    const size_t bar = choices.find('|');
    if (choices.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    choices.remove_prefix(bar + 1);
  }
}

template <typename T>
void read(std::string_view name, std::string_view wanted, std::string_view choices, T& to,
          std::vector<std::string>& warnings) {
  const std::string variable = environment_name(name);
  const char* found = std::getenv(variable.c_str());
  if (found == nullptr || *found == '\0') return;
  if ((choices.empty() || is_choice(found, choices)) && parse(std::string_view(found), to)) return;
  warnings.push_back(formatted("{} is \"{}\", wanted {}; the default is used", variable, found, wanted));
}

std::vector<std::string> read_all(Values& values) {
  std::vector<std::string> warnings;
#define SDX_KNOB(type, name, fallback, sentence) read(#name, #type, {}, values.name, warnings);
#define SDX_KNOB_CHOICE(name, fallback, choices, sentence) read(#name, choices, choices, values.name, warnings);
#include "base/knobs.inc"
#undef SDX_KNOB
#undef SDX_KNOB_CHOICE
  return warnings;
}

constinit std::atomic<const Values*> g_values{nullptr};
ForkMutex& mutex() {
  static ForkMutex& changing = *new ForkMutex;
  return changing;
}

// Warnings are logged only after the values are visible: the default logger asks for its level here.
const Values& load() {
  std::vector<std::string> warnings;
  {
    const std::lock_guard lock(mutex());
    if (const Values* done = g_values.load(std::memory_order_acquire)) return *done;
    auto fresh = std::make_unique<Values>();
    warnings = read_all(*fresh);
    g_values.store(fresh.release(), std::memory_order_release);
  }
  for (const auto& warning : warnings) SDX_LOG(default_logger(), warning, "{}", warning);
  return *g_values.load(std::memory_order_acquire);
}

const Values& values() {
  const Values* done = g_values.load(std::memory_order_acquire);
  return done != nullptr ? *done : load();
}

[[maybe_unused]] std::string shown(bool value) { return value ? "true" : "false"; }
template <typename T>
std::string shown(const T& value) {
  return formatted("{}", value);
}

}  // namespace

namespace knob {
#define SDX_KNOB(type, name, fallback, sentence) \
  type name() { return values().name; }
#define SDX_KNOB_CHOICE(name, fallback, choices, sentence) \
  text name() { return values().name; }
#include "base/knobs.inc"
#undef SDX_KNOB
#undef SDX_KNOB_CHOICE
}  // namespace knob

std::vector<KnobInfo> all_knobs() {
  const Values fallback;
  const Values& now = values();
  std::vector<KnobInfo> knobs;
#define SDX_KNOB(type, name, fallback_, sentence) \
  knobs.push_back({#name, {}, #type, shown(fallback.name), shown(now.name), sentence});
#define SDX_KNOB_CHOICE(name, fallback_, choices, sentence) \
  knobs.push_back({#name, {}, choices, shown(fallback.name), shown(now.name), sentence});
#include "base/knobs.inc"
#undef SDX_KNOB
#undef SDX_KNOB_CHOICE
  for (auto& knob : knobs) knob.environment = environment_name(knob.name);
  std::sort(knobs.begin(), knobs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return knobs;
}

void reload_knobs_for_test() {
  auto fresh = std::make_unique<Values>();
  const auto warnings = read_all(*fresh);
  {
    const std::lock_guard lock(mutex());
    fresh->previous.reset(g_values.load());
    g_values.store(fresh.release(), std::memory_order_release);
  }
  for (const auto& warning : warnings) SDX_LOG(default_logger(), warning, "{}", warning);
}

}  // namespace sdx
