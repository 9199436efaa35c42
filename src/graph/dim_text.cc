// Symbolic dimensions as text: "2*batch + floor_div(n, 4) + 1", and back.
#include <cctype>

#include "graph/dim.h"

namespace sdx {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':' || c == '?' || c == '/' ||
         c == '[' || c == ']';
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name)
    if (!is_name_character(c)) return false;
  return true;
}

std::string_view function_name(SymbolTable::Function function) {
  switch (function) {
    case SymbolTable::Function::floor_div: return "floor_div";
    case SymbolTable::Function::modulo: return "mod";
    case SymbolTable::Function::minimum: return "min";
    case SymbolTable::Function::maximum: return "max";
    case SymbolTable::Function::broadcast: return "broadcast";
    case SymbolTable::Function::symbol: return "";
  }
  return "";
}

class Parser {
 public:
  Parser(SymbolTable& table, std::string_view text) : table_(table), text_(text) {}

  Result<Dim> parse() {
    SDX_ASSIGN(Dim dim, sum(0));
    skip_space();
    if (at_ != text_.size()) return fail("unexpected text");
    return dim;
  }

 private:
  Status fail(std::string_view what) const {
    return invalid_argument("dimension \"{}\": {} at character {}", text_, what, at_);
  }
  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Result<Dim> sum(int depth) {
    if (depth > 64) return fail("nested too deep");
    const bool negative = take('-');
    SDX_ASSIGN(Dim total, product(depth));
    if (negative) total = table_.mul(total, Dim(-1));
    while (true) {
      if (take('+')) {
        SDX_ASSIGN(const Dim next, product(depth));
        total = table_.add(total, next);
      } else if (take('-')) {
        SDX_ASSIGN(const Dim next, product(depth));
        total = table_.sub(total, next);
      } else {
        return total;
      }
    }
  }

  Result<Dim> product(int depth) {
    SDX_ASSIGN(Dim total, factor(depth));
    while (take('*')) {
      SDX_ASSIGN(const Dim next, factor(depth));
      total = table_.mul(total, next);
    }
    return total;
  }

  Result<Dim> factor(int depth) {
    skip_space();
    if (at_ >= text_.size()) return fail("the text ends");
    if (text_[at_] == '"') return quoted();
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) return number();
    const size_t first = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    if (at_ == first) return fail("a name or a number is expected");
    const std::string_view name = text_.substr(first, at_ - first);
    if (take('(')) return call(name, depth);
    return table_.symbol(name);
  }

  Result<Dim> number() {
    int64_t value = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_++] - '0', &value))
        return fail("the number is too large");
    return Dim(value);
  }

  Result<Dim> quoted() {
    std::string name;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      name += text_[at_];
    }
    if (at_++ >= text_.size()) return fail("a quoted name does not end");
    return table_.symbol(name);
  }

  Result<Dim> call(std::string_view name, int depth) {
    SDX_ASSIGN(const Dim a, sum(depth + 1));
    if (!take(',')) return fail("',' is expected");
    SDX_ASSIGN(const Dim b, sum(depth + 1));
    if (!take(')')) return fail("')' is expected");
    if (name == "floor_div") return table_.floor_div(a, b);
    if (name == "mod") return table_.modulo(a, b);
    if (name == "min") return table_.min(a, b);
    if (name == "max") return table_.max(a, b);
    if (name == "broadcast") return table_.broadcast(a, b);
    return fail(formatted("unknown function {}", name));
  }

  SymbolTable& table_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string SymbolTable::to_text(const Dim& dim) const {
  std::string text;
  const auto append = [&](bool negative, const std::string& part) {
    if (text.empty()) {
      text = (negative ? "-" : "") + part;
    } else {
      text += (negative ? " - " : " + ") + part;
    }
  };
  for (const auto& term : dim.terms()) {
    std::string part;
    // The magnitude of the least int64 does not fit in an int64.
    const uint64_t magnitude =
        term.coefficient < 0 ? 0 - static_cast<uint64_t>(term.coefficient) : static_cast<uint64_t>(term.coefficient);
    if (magnitude != 1) part = formatted("{}*", magnitude);
    part += join(term.atoms, "*", [&](AtomId id) {
      const Atom& a = atoms_[id];
      if (a.function != Function::symbol)
        return formatted("{}({}, {})", function_name(a.function), to_text(a.a), to_text(a.b));
      if (is_plain_name(a.name)) return a.name;
      std::string quoted = "\"";
      for (const char c : a.name) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
      }
      return quoted + "\"";
    });
    append(term.coefficient < 0, part);
  }
  if (dim.constant() != 0 || text.empty()) {
    const uint64_t magnitude =
        dim.constant() < 0 ? 0 - static_cast<uint64_t>(dim.constant()) : static_cast<uint64_t>(dim.constant());
    append(dim.constant() < 0, formatted("{}", magnitude));
  }
  return text;
}

std::string SymbolTable::to_text(const Constraint& constraint) const {
  const std::string a = to_text(constraint.a), b = to_text(constraint.b);
  switch (constraint.kind) {
    case Constraint::Kind::equal: return formatted("{} == {}", a, b);
    case Constraint::Kind::broadcasts: return formatted("{} and {} are equal, or one is 1", a, b);
    case Constraint::Kind::divides: return formatted("{} divides {}", b, a);
    case Constraint::Kind::at_least: return formatted("{} >= {}", a, b);
  }
  return "";
}

Result<Dim> SymbolTable::parse(std::string_view text) { return Parser(*this, text).parse(); }

}  // namespace sdx
