#include "plan/size_program.h"

#include <algorithm>

namespace sdx::plan {
namespace {

using Function = SymbolTable::Function;

std::optional<int64_t> apply(Function function, int64_t a, int64_t b) {
  const bool undefined = b == 0 || (b == -1 && a == INT64_MIN);
  const auto quotient = [&] { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); };
  switch (function) {
    case Function::floor_div:
      if (undefined) return std::nullopt;
      return quotient();
    case Function::modulo:
      if (undefined) return std::nullopt;
      return a - quotient() * b;
    case Function::minimum: return std::min(a, b);
    case Function::maximum: return std::max(a, b);
    case Function::broadcast: return a == 1 ? b : a;
    case Function::symbol: break;
  }
  return std::nullopt;
}

}  // namespace

bool SizeProgram::DimOrder::operator()(const Dim& x, const Dim& y) const {
  if (x.constant() != y.constant()) return x.constant() < y.constant();
  return std::ranges::lexicographical_compare(x.terms(), y.terms(), [](const Dim::Term& s, const Dim::Term& t) {
    if (s.coefficient != t.coefficient) return s.coefficient < t.coefficient;
    return std::ranges::lexicographical_compare(s.atoms, t.atoms);
  });
}

Register SizeProgram::add_register(uint32_t stage) {
  stages_.push_back(stage);
  if (instructions_.size() <= stage) instructions_.resize(stage + 1);
  return static_cast<Register>(register_count_++);
}

Register SizeProgram::define(AtomId symbol, uint32_t stage) {
  if (const auto found = atoms_.find(symbol); found != atoms_.end()) return found->second;
  const Register reg = add_register(stage);
  atoms_.emplace(symbol, reg);
  return reg;
}

std::optional<Register> SizeProgram::defined(AtomId symbol) const {
  const auto found = atoms_.find(symbol);
  if (found == atoms_.end()) return std::nullopt;
  return found->second;
}

std::optional<SizeProgram::Place> SizeProgram::compile_atom(AtomId id) {
  if (const auto reg = defined(id)) return Place{*reg, stages_[*reg]};
  const SymbolTable::Atom& atom = symbols_->atom(id);
  if (atom.function == Function::symbol) return std::nullopt;
  const auto a = compile(atom.a), b = compile(atom.b);
  if (!a || !b) return std::nullopt;
  const uint32_t stage = std::max(a->stage, b->stage);
  const Register target = add_register(stage);
  instructions_[stage].push_back({.function = atom.function, .target = target, .a = a->reg, .b = b->reg});
  atoms_.emplace(id, target);
  return Place{target, stage};
}

std::optional<SizeProgram::Place> SizeProgram::compile(const Dim& dim) {
  if (const auto atom = dim.as_atom()) return compile_atom(*atom);
  if (const auto found = known_.find(dim); found != known_.end()) return Place{found->second, stages_[found->second]};
  uint32_t stage = 0;
  for (const Dim::Term& term : dim.terms()) {
    for (const AtomId id : term.atoms) {
      const auto factor = compile_atom(id);
      if (!factor) return std::nullopt;
      stage = std::max(stage, factor->stage);
    }
  }
  Instruction polynomial{.constant = dim.constant(), .first = static_cast<uint32_t>(terms_.size())};
  for (const Dim::Term& term : dim.terms()) {
    terms_.push_back(
        {term.coefficient, static_cast<uint32_t>(factors_.size()), static_cast<uint32_t>(term.atoms.size())});
    for (const AtomId id : term.atoms) factors_.push_back(atoms_.at(id));
  }
  polynomial.count = static_cast<uint32_t>(dim.terms().size());
  polynomial.target = add_register(stage);
  instructions_[stage].push_back(polynomial);
  known_.emplace(dim, polynomial.target);
  return Place{polynomial.target, stage};
}

std::optional<Register> SizeProgram::find(const Dim& dim) const {
  if (const auto atom = dim.as_atom()) return defined(*atom);
  const auto found = known_.find(dim);
  if (found == known_.end()) return std::nullopt;
  return found->second;
}

bool SizeProgram::run(const Instruction& instruction, std::span<int64_t> registers) const {
  if (instruction.function != Function::symbol) {
    const auto value = apply(instruction.function, registers[instruction.a], registers[instruction.b]);
    if (!value) return false;
    registers[instruction.target] = *value;
    return true;
  }
  int64_t sum = instruction.constant;
  for (uint32_t t = 0; t < instruction.count; ++t) {
    const Term& term = terms_[instruction.first + t];
    int64_t product = term.coefficient;
    for (uint32_t f = 0; f < term.count; ++f)
      if (__builtin_mul_overflow(product, registers[factors_[term.first + f]], &product)) return false;
    if (__builtin_add_overflow(sum, product, &sum)) return false;
  }
  registers[instruction.target] = sum;
  return true;
}

bool SizeProgram::evaluate(uint32_t stage, std::span<int64_t> registers) const {
  if (stage >= instructions_.size()) return true;
  return std::ranges::all_of(instructions_[stage],
                             [&](const Instruction& instruction) { return run(instruction, registers); });
}

}  // namespace sdx::plan
