// SizeProgram: the symbolic dimensions of a graph compiled to a straight list of instructions over registers, so that a
// new shape costs a few additions and multiplications instead of shape inference. Instructions have a stage: those of
// stage 0 need the symbols of the inputs, those of a later stage also sizes that only a run finds out.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "graph/dim.h"

namespace sdx::plan {

using Register = uint32_t;

class SizeProgram {
 public:
  explicit SizeProgram(const SymbolTable& symbols) : symbols_(&symbols) {}

  // A symbol whose value is given from `stage` on. The same symbol keeps its register and its first stage.
  Register define(AtomId symbol, uint32_t stage);
  std::optional<Register> defined(AtomId symbol) const;

  struct Place {
    Register reg = 0;
    uint32_t stage = 0;  // from which on its value can be had
  };
  // Where the dimension's value will stand; nullopt while one of its symbols is not defined.
  std::optional<Place> compile(const Dim& dim);

  std::optional<Register> find(const Dim& dim) const;  // where it was compiled to

  size_t register_count() const { return register_count_; }
  uint32_t stage_of(Register reg) const { return stages_[reg]; }

  // Runs the instructions of one stage. False on overflow and division by zero.
  bool evaluate(uint32_t stage, std::span<int64_t> registers) const;

 private:
  struct Term {
    int64_t coefficient = 0;
    uint32_t first = 0, count = 0;  // in factors_
  };
  struct Instruction {
    SymbolTable::Function function = SymbolTable::Function::symbol;  // symbol: a polynomial
    Register target = 0, a = 0, b = 0;                               // operands of a function
    int64_t constant = 0;
    uint32_t first = 0, count = 0;  // in terms_
  };
  struct DimOrder {
    bool operator()(const Dim& x, const Dim& y) const;
  };

  std::optional<Place> compile_atom(AtomId id);
  Register add_register(uint32_t stage);
  bool run(const Instruction& instruction, std::span<int64_t> registers) const;

  const SymbolTable* symbols_;
  std::map<AtomId, Register> atoms_;
  std::map<Dim, Register, DimOrder> known_;
  std::vector<uint32_t> stages_;                        // by register
  std::vector<std::vector<Instruction>> instructions_;  // by stage
  std::vector<Term> terms_;
  std::vector<Register> factors_;
  size_t register_count_ = 0;
};

}  // namespace sdx::plan
