#include "plan/size_registers.h"

#include "plan/memory.h"

namespace sdx::plan {

Result<std::vector<int64_t>> symbol_registers(const Program& program, const std::map<std::string, int64_t>& symbols) {
  const SymbolTable& table = program.graph->symbols();
  std::vector<int64_t> registers(program.sizes->register_count(), 0);
  for (AtomId atom = 0; atom < table.size(); ++atom) {
    const auto reg = program.sizes->defined(atom);
    if (!reg || table.atom(atom).function != SymbolTable::Function::symbol) continue;
    const std::string name = table.to_text(Dim::atom(atom));
    const auto given = symbols.find(name);
    if (given == symbols.end()) return invalid_argument("the symbol {} has no number", name);
    registers[*reg] = given->second;
  }
  return registers;
}

Result<std::vector<int64_t>> size_registers(const Program& program, const std::map<std::string, int64_t>& symbols) {
  SDX_ASSIGN(std::vector<int64_t> registers, symbol_registers(program, symbols));
  for (size_t stage = 0; stage < program.stages.size(); ++stage) {
    bool right = program.sizes->evaluate(static_cast<uint32_t>(stage), registers);
    for (const SlotId slot : program.stages[stage].shapes) right = right && slot_bytes(program, slot, registers);
    if (!right) return invalid_argument("the sizes are negative or more than can be addressed");
  }
  return registers;
}

}  // namespace sdx::plan
