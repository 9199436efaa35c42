// Symbolic dimensions: integers, named symbols and expressions of them, kept in a normal form so that equality is
// decidable where it can be: a polynomial with integer coefficients over atoms. An atom is a symbol, or a function
// (floor division, remainder, minimum, maximum, broadcast) of two dimensions. Atoms live in a SymbolTable, shared by a
// graph and its subgraphs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/small_vector.h"
#include "base/status.h"

namespace sdx {

using AtomId = uint32_t;

class Dim {
 public:
  // coefficient * product of atoms (sorted, repeated for powers)
  struct Term {
    int64_t coefficient = 0;
    SmallVector<AtomId, 2> atoms;
    friend bool operator==(const Term&, const Term&) = default;
  };

  Dim() = default;
  Dim(int64_t value) : constant_(value) {}
  static Dim atom(AtomId id);

  bool is_known() const { return terms_.empty(); }
  bool is(int64_t value) const { return is_known() && constant_ == value; }
  int64_t known() const { return constant_; }  // meaningful when is_known()
  int64_t constant() const { return constant_; }
  const std::vector<Term>& terms() const { return terms_; }
  // The atom, when the dimension is nothing but one.
  std::optional<AtomId> as_atom() const;

  friend bool operator==(const Dim&, const Dim&) = default;  // of the normal forms

 private:
  friend class SymbolTable;
  int64_t constant_ = 0;
  std::vector<Term> terms_;  // sorted by atoms, no zero coefficients
};

enum class Truth : uint8_t { no, yes, unknown };

// A condition that a shape rule could not decide: what the numbers of a run must satisfy.
struct Constraint {
  enum class Kind : uint8_t {
    equal,       // a == b
    broadcasts,  // a == b, or one of them is 1
    divides,     // b divides a
    at_least,    // a >= b
  } kind = Kind::equal;
  Dim a, b;
  friend bool operator==(const Constraint&, const Constraint&) = default;
};

class SymbolTable {
 public:
  enum class Function : uint8_t { symbol, floor_div, modulo, minimum, maximum, broadcast };
  struct Atom {
    Function function = Function::symbol;
    std::string name;  // of a symbol; of an anonymous one "?<id>"
    bool anonymous = false;
    bool non_negative = true;  // dimensions are; elements of integer tensors need not be
    Dim a, b;                  // arguments of a function
  };

  Dim symbol(std::string_view name);        // the same name gives the same symbol
  Dim value_symbol(std::string_view name);  // of an integer that may be negative, such as an input's element
  Dim fresh();                              // a dimension nothing is known about
  Dim fresh_value();                        // an integer nothing is known about, maybe negative
  const Atom& atom(AtomId id) const { return atoms_[id]; }
  size_t size() const { return atoms_.size(); }
  std::optional<AtomId> find(std::string_view name) const;

  // Where a coefficient would overflow the result is a fresh value.
  Dim add(const Dim& a, const Dim& b);
  Dim sub(const Dim& a, const Dim& b);
  Dim mul(const Dim& a, const Dim& b);
  Dim floor_div(const Dim& a, const Dim& b);  // toward minus infinity; by zero: a fresh value
  Dim ceil_div(const Dim& a, const Dim& b);
  Dim modulo(const Dim& a, const Dim& b);  // sign of b
  Dim min(const Dim& a, const Dim& b);
  Dim max(const Dim& a, const Dim& b);
  Dim broadcast(const Dim& a, const Dim& b);  // of two that are equal, or one of them 1: the other one

  Truth equal(const Dim& a, const Dim& b) const;
  Truth less(const Dim& a, const Dim& b) const;  // a < b
  Truth holds(const Constraint& constraint) const;
  bool is_non_negative(const Dim& a) const;  // provably
  // Every symbol that may be negative has a name: none stands for an element that only data decide.
  bool is_nameable(const Dim& a) const;

  // With numbers for the symbols; nullopt where one is missing, on overflow, on division by zero.
  std::optional<int64_t> evaluate(const Dim& dim,
                                  const std::function<std::optional<int64_t>(AtomId)>& symbol_value) const;

  // With numbers, as evaluate; nullopt where a side has none.
  std::optional<bool> evaluate(const Constraint& constraint,
                               const std::function<std::optional<int64_t>(AtomId)>& symbol_value) const;

  std::string to_text(const Constraint& constraint) const;
  std::string to_text(const Dim& dim) const;  // "2*batch + floor_div(n, 4) + 1"
  Result<Dim> parse(std::string_view text);   // what to_text prints

 private:
  Dim function_atom(Function function, const Dim& a, const Dim& b);
  std::optional<Dim> exact_quotient(const Dim& a, const Dim& b) const;

  std::vector<Atom> atoms_;
  std::map<std::string, AtomId, std::less<>> by_name_;
};

using SymShape = std::vector<Dim>;

}  // namespace sdx
