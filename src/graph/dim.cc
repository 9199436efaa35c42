#include "graph/dim.h"

#include <algorithm>

#include "base/shape.h"

namespace sdx {
namespace {

int compare_atoms(const Dim::Term& x, const Dim::Term& y) {
  if (x.atoms.size() != y.atoms.size()) return x.atoms.size() < y.atoms.size() ? -1 : 1;
  for (size_t i = 0; i < x.atoms.size(); ++i)
    if (x.atoms[i] != y.atoms[i]) return x.atoms[i] < y.atoms[i] ? -1 : 1;
  return 0;
}

int compare_terms(const Dim::Term& x, const Dim::Term& y) {
  if (const int order = compare_atoms(x, y); order != 0) return order;
  return x.coefficient < y.coefficient ? -1 : x.coefficient > y.coefficient ? 1 : 0;
}

// Merges equal monomials of a list sorted by atoms; false on overflow.
bool normalize(std::vector<Dim::Term>& terms) {
  std::sort(terms.begin(), terms.end(), [](const auto& x, const auto& y) { return compare_atoms(x, y) < 0; });
  std::vector<Dim::Term> merged;
  for (auto& term : terms) {
    if (!merged.empty() && compare_atoms(merged.back(), term) == 0) {
      if (__builtin_add_overflow(merged.back().coefficient, term.coefficient, &merged.back().coefficient)) return false;
    } else {
      merged.push_back(std::move(term));
    }
  }
  std::erase_if(merged, [](const auto& term) { return term.coefficient == 0; });
  terms = std::move(merged);
  return true;
}

int64_t floor_quotient(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

// With the sign of b. The quotient times b may lie beyond the type where this does not.
int64_t floor_remainder(int64_t a, int64_t b) {
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

bool divides(int64_t a, int64_t b) { return b != 0 && b != -1 && a % b == 0; }

constexpr size_t kMaxTerms = 64;  // a larger polynomial tells nobody anything

}  // namespace

Dim Dim::atom(AtomId id) {
  Dim dim;
  dim.terms_.push_back({1, {id}});
  return dim;
}

std::optional<AtomId> Dim::as_atom() const {
  if (constant_ != 0 || terms_.size() != 1 || terms_[0].coefficient != 1 || terms_[0].atoms.size() != 1)
    return std::nullopt;
  return terms_[0].atoms[0];
}

Dim SymbolTable::symbol(std::string_view name) {
  if (const auto found = find(name)) return Dim::atom(*found);
  const auto id = static_cast<AtomId>(atoms_.size());
  atoms_.push_back({.name = std::string(name), .a = {}, .b = {}});
  by_name_.emplace(std::string(name), id);
  return Dim::atom(id);
}

Dim SymbolTable::value_symbol(std::string_view name) {
  const bool is_new = !find(name);
  const Dim dim = symbol(name);
  if (is_new) atoms_[*dim.as_atom()].non_negative = false;
  return dim;
}

Dim SymbolTable::fresh() {
  size_t number = atoms_.size();
  while (find(formatted("?{}", number))) ++number;  // a model may have symbols of such names
  Dim dim = symbol(formatted("?{}", number));
  atoms_[*dim.as_atom()].anonymous = true;
  return dim;
}

Dim SymbolTable::fresh_value() {
  Dim dim = fresh();
  atoms_[*dim.as_atom()].non_negative = false;
  return dim;
}

std::optional<AtomId> SymbolTable::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

Dim SymbolTable::add(const Dim& a, const Dim& b) {
  Dim sum;
  if (__builtin_add_overflow(a.constant_, b.constant_, &sum.constant_)) return fresh_value();
  sum.terms_ = a.terms_;
  sum.terms_.insert(sum.terms_.end(), b.terms_.begin(), b.terms_.end());
  if (!normalize(sum.terms_) || sum.terms_.size() > kMaxTerms) return fresh_value();
  return sum;
}

Dim SymbolTable::sub(const Dim& a, const Dim& b) { return add(a, mul(b, Dim(-1))); }

Dim SymbolTable::mul(const Dim& a, const Dim& b) {
  Dim product;
  if (__builtin_mul_overflow(a.constant_, b.constant_, &product.constant_)) return fresh_value();
  const auto with_constant = [](const Dim& d) {
    std::vector<Dim::Term> terms = d.terms_;
    if (d.constant_ != 0) terms.push_back({d.constant_, {}});
    return terms;
  };
  for (const auto& x : with_constant(a)) {
    for (const auto& y : with_constant(b)) {
      if (x.atoms.empty() && y.atoms.empty()) continue;  // the constants' product
      Dim::Term term = x;
      if (__builtin_mul_overflow(x.coefficient, y.coefficient, &term.coefficient)) return fresh_value();
      for (const AtomId atom : y.atoms) term.atoms.push_back(atom);
      std::sort(term.atoms.begin(), term.atoms.end());
      product.terms_.push_back(std::move(term));
    }
  }
  if (!normalize(product.terms_) || product.terms_.size() > kMaxTerms) return fresh_value();
  return product;
}

// a / b where b is one monomial that divides every term of a.
std::optional<Dim> SymbolTable::exact_quotient(const Dim& a, const Dim& b) const {
  if (b.constant_ != 0 && !b.terms_.empty()) return a == b ? std::optional<Dim>(Dim(1)) : std::nullopt;
  if (b.terms_.size() > 1) return a == b ? std::optional<Dim>(Dim(1)) : std::nullopt;
  const Dim::Term divisor = b.terms_.empty() ? Dim::Term{b.constant_, {}} : b.terms_[0];
  Dim quotient;
  if (a.constant_ != 0) {
    if (!divisor.atoms.empty() || !divides(a.constant_, divisor.coefficient)) return std::nullopt;
    quotient.constant_ = a.constant_ / divisor.coefficient;
  }
  for (const auto& term : a.terms_) {
    if (!divides(term.coefficient, divisor.coefficient)) return std::nullopt;
    Dim::Term left{term.coefficient / divisor.coefficient, {}};
    size_t next = 0;
    for (const AtomId atom : term.atoms) {
      if (next < divisor.atoms.size() && divisor.atoms[next] == atom) {
        ++next;
      } else {
        left.atoms.push_back(atom);
      }
    }
    if (next != divisor.atoms.size()) return std::nullopt;
    if (left.atoms.empty()) {
      quotient.constant_ += left.coefficient;
    } else {
      quotient.terms_.push_back(std::move(left));
    }
  }
  if (!normalize(quotient.terms_)) return std::nullopt;
  return quotient;
}

Dim SymbolTable::function_atom(Function function, const Dim& a, const Dim& b) {
  for (size_t id = 0; id < atoms_.size(); ++id)
    if (atoms_[id].function == function && atoms_[id].a == a && atoms_[id].b == b)
      return Dim::atom(static_cast<AtomId>(id));
  Atom atom;
  atom.function = function;
  atom.a = a;
  atom.b = b;
  switch (function) {
    case Function::symbol: break;
    case Function::floor_div: atom.non_negative = is_non_negative(a) && is_non_negative(b); break;
    case Function::modulo: atom.non_negative = is_non_negative(b); break;
    case Function::minimum: atom.non_negative = is_non_negative(a) && is_non_negative(b); break;
    case Function::maximum: atom.non_negative = is_non_negative(a) || is_non_negative(b); break;
    case Function::broadcast: break;  // of sizes
  }
  atoms_.push_back(std::move(atom));
  return Dim::atom(static_cast<AtomId>(atoms_.size() - 1));
}

Dim SymbolTable::floor_div(const Dim& a, const Dim& b) {
  if (b.is(0)) return fresh_value();
  if (b.is(1)) return a;
  if (b.is(-1)) return mul(a, Dim(-1));
  if (a.is_known() && b.is_known()) return Dim(floor_quotient(a.constant_, b.constant_));
  if (const auto exact = exact_quotient(a, b)) return *exact;
  if (b.is_known()) {  // (k*b*x + rest) / b = k*x + rest / b
    Dim whole, rest;
    whole.constant_ = floor_quotient(a.constant_, b.constant_);
    rest.constant_ = a.constant_ - whole.constant_ * b.constant_;
    for (const auto& term : a.terms_) {
      const bool exact = divides(term.coefficient, b.constant_);
      (exact ? whole : rest).terms_.push_back(exact ? Dim::Term{term.coefficient / b.constant_, term.atoms} : term);
    }
    if (!(whole == Dim(0))) return add(whole, floor_div(rest, b));
  }
  return function_atom(Function::floor_div, a, b);
}

Dim SymbolTable::ceil_div(const Dim& a, const Dim& b) {
  if (a.is_known() && b.is_known() && b.constant_ > 0)
    return Dim(floor_quotient(a.constant_, b.constant_) + (a.constant_ % b.constant_ != 0));
  return mul(floor_div(mul(a, Dim(-1)), b), Dim(-1));
}

Dim SymbolTable::modulo(const Dim& a, const Dim& b) {
  if (b.is(0)) return fresh_value();
  if (b.is(1) || b.is(-1)) return Dim(0);
  if (a.is_known() && b.is_known()) return Dim(floor_remainder(a.constant_, b.constant_));
  if (exact_quotient(a, b)) return Dim(0);
  return function_atom(Function::modulo, a, b);
}

Dim SymbolTable::min(const Dim& a, const Dim& b) {
  if (a == b || less(a, b) == Truth::yes || less(b, a) == Truth::no) return a;
  if (less(b, a) == Truth::yes || less(a, b) == Truth::no) return b;
  return function_atom(Function::minimum, a, b);
}

Dim SymbolTable::max(const Dim& a, const Dim& b) {
  if (a == b || less(a, b) == Truth::yes || less(b, a) == Truth::no) return b;
  if (less(b, a) == Truth::yes || less(a, b) == Truth::no) return a;
  return function_atom(Function::maximum, a, b);
}

// Flattened and sorted, so that the same operands in any order and grouping give the same atom.
Dim SymbolTable::broadcast(const Dim& a, const Dim& b) {
  std::vector<Dim> operands;
  const std::function<void(const Dim&)> collect = [&](const Dim& dim) {
    const auto id = dim.as_atom();
    if (id && atoms_[*id].function == Function::broadcast) {
      const Dim left = atoms_[*id].a, right = atoms_[*id].b;
      collect(left);
      collect(right);
    } else if (!dim.is(1) && std::ranges::find(operands, dim) == operands.end()) {
      operands.push_back(dim);
    }
  };
  collect(a);
  collect(b);
  // Of n and min(n, c), c >= 1, the result is n: they are the same, or the second is 1.
  const auto has_whole = [&](const Dim& operand) {
    const auto id = operand.as_atom();
    if (!id || atoms_[*id].function != Function::minimum) return false;
    for (const auto& [n, c] : {std::pair(&atoms_[*id].a, &atoms_[*id].b), std::pair(&atoms_[*id].b, &atoms_[*id].a)})
      if (c->is_known() && c->constant_ >= 1 && std::ranges::find(operands, *n) != operands.end()) return true;
    return false;
  };
  std::erase_if(operands, has_whole);
  if (operands.empty()) return Dim(1);
  // One that is certainly not 1 is the result: the others are 1 or the same.
  for (const Dim& operand : operands)
    if (equal(operand, Dim(1)) == Truth::no) return operand;
  std::ranges::sort(operands, [](const Dim& x, const Dim& y) {
    return std::ranges::lexicographical_compare(x.terms_, y.terms_,
                                                [](const auto& s, const auto& t) { return compare_terms(s, t) < 0; }) ||
           (x.terms_ == y.terms_ && x.constant_ < y.constant_);
  });
  Dim result = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) result = function_atom(Function::broadcast, result, operands[i]);
  return result;
}

bool SymbolTable::is_non_negative(const Dim& a) const {
  return a.constant_ >= 0 && std::all_of(a.terms_.begin(), a.terms_.end(), [&](const Dim::Term& term) {
           return term.coefficient >= 0 &&
                  std::all_of(term.atoms.begin(), term.atoms.end(), [&](AtomId id) { return atoms_[id].non_negative; });
         });
}

bool SymbolTable::is_nameable(const Dim& a) const {
  return std::ranges::all_of(a.terms_, [&](const Dim::Term& term) {
    return std::ranges::all_of(term.atoms, [&](AtomId id) {
      const Atom& atom = atoms_[id];
      if (atom.function == Function::symbol) return atom.non_negative || !atom.anonymous;
      return is_nameable(atom.a) && is_nameable(atom.b);
    });
  });
}

Truth SymbolTable::less(const Dim& a, const Dim& b) const {
  if (a.is_known() && b.is_known()) return a.constant_ < b.constant_ ? Truth::yes : Truth::no;
  SymbolTable scratch = {};  // sub never touches the table but on overflow
  const Dim gap = scratch.sub(b, a);
  if (scratch.size() > 0) return Truth::unknown;
  if (is_non_negative(gap) && gap.constant_ > 0) return Truth::yes;
  const Dim opposite = scratch.sub(a, b);
  if (scratch.size() == 0 && is_non_negative(opposite)) return Truth::no;
  return Truth::unknown;
}

Truth SymbolTable::equal(const Dim& a, const Dim& b) const {
  if (a == b) return Truth::yes;
  if (a.is_known() && b.is_known()) return Truth::no;
  if (less(a, b) == Truth::yes || less(b, a) == Truth::yes) return Truth::no;
  SymbolTable scratch = {};
  const Dim gap = scratch.sub(a, b);
  if (scratch.size() == 0 && gap.is_known() && gap.constant_ != 0) return Truth::no;
  return Truth::unknown;
}

std::optional<int64_t> SymbolTable::evaluate(const Dim& dim,
                                             const std::function<std::optional<int64_t>(AtomId)>& symbol_value) const {
  int64_t sum = dim.constant_;
  for (const auto& term : dim.terms_) {
    int64_t product = term.coefficient;
    for (const AtomId id : term.atoms) {
      const Atom& atom = atoms_[id];
      std::optional<int64_t> value;
      if (atom.function == Function::symbol) {
        value = symbol_value(id);
      } else {
        const auto a = evaluate(atom.a, symbol_value), b = evaluate(atom.b, symbol_value);
        if (!a || !b) return std::nullopt;
        const bool divides_by_zero = *b == 0 || (*b == -1 && *a == INT64_MIN);
        switch (atom.function) {
          case Function::floor_div:
            if (!divides_by_zero) value = floor_quotient(*a, *b);
            break;
          case Function::modulo:
            if (!divides_by_zero) value = floor_remainder(*a, *b);
            break;
          case Function::minimum: value = std::min(*a, *b); break;
          case Function::maximum: value = std::max(*a, *b); break;
          case Function::broadcast: value = *a == 1 ? *b : *a; break;
          case Function::symbol: break;
        }
      }
      if (!value || __builtin_mul_overflow(product, *value, &product)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

Truth SymbolTable::holds(const Constraint& constraint) const {
  const auto &a = constraint.a, &b = constraint.b;
  switch (constraint.kind) {
    case Constraint::Kind::equal: return equal(a, b);
    case Constraint::Kind::broadcasts: {
      const Truth same = equal(a, b), one_a = equal(a, Dim(1)), one_b = equal(b, Dim(1));
      if (same == Truth::yes || one_a == Truth::yes || one_b == Truth::yes) return Truth::yes;
      return same == Truth::no && one_a == Truth::no && one_b == Truth::no ? Truth::no : Truth::unknown;
    }
    case Constraint::Kind::divides:
      if (a.is_known() && b.is_known() && !b.is(0))
        return (b.is(-1) || a.known() % b.known() == 0) ? Truth::yes : Truth::no;
      return !b.is(0) && exact_quotient(a, b) ? Truth::yes : Truth::unknown;
    case Constraint::Kind::at_least:
      switch (less(a, b)) {
        case Truth::yes: return Truth::no;
        case Truth::no: return Truth::yes;
        case Truth::unknown: return Truth::unknown;
      }
  }
  return Truth::unknown;
}

std::optional<bool> SymbolTable::evaluate(const Constraint& constraint,
                                          const std::function<std::optional<int64_t>(AtomId)>& symbol_value) const {
  const auto a = evaluate(constraint.a, symbol_value), b = evaluate(constraint.b, symbol_value);
  if (!a || !b) return std::nullopt;
  switch (constraint.kind) {
    case Constraint::Kind::equal: return *a == *b;
    case Constraint::Kind::broadcasts: return *a == *b || *a == 1 || *b == 1;
    case Constraint::Kind::divides: return *b == -1 || (*b != 0 && *a % *b == 0);
    case Constraint::Kind::at_least: return *a >= *b;
  }
  return std::nullopt;
}

}  // namespace sdx
