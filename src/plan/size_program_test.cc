#include "plan/size_program.h"

#include <gtest/gtest.h>

#include <random>

namespace sdx::plan {
namespace {

// A random expression over the symbols.
Dim random_dim(SymbolTable& symbols, std::span<const Dim> names, std::mt19937& random, int depth) {
  const auto pick = [&](uint32_t n) { return random() % n; };
  if (depth == 0) return pick(3) == 0 ? Dim(static_cast<int64_t>(pick(9)) - 2) : names[pick(names.size())];
  const Dim a = random_dim(symbols, names, random, depth - 1), b = random_dim(symbols, names, random, depth - 1);
  switch (pick(7)) {
    case 0: return symbols.add(a, b);
    case 1: return symbols.sub(a, b);
    case 2: return symbols.mul(a, b);
    case 3: return symbols.floor_div(a, symbols.add(symbols.mul(b, b), Dim(1)));
    case 4: return symbols.max(a, b);
    case 5: return symbols.min(a, b);
    default: return symbols.broadcast(symbols.mul(a, a), symbols.mul(b, b));
  }
}

TEST(size_program, gives_what_the_symbol_table_gives) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    SymbolTable symbols;
    const std::vector<Dim> names{symbols.symbol("a"), symbols.symbol("b"), symbols.symbol("c")};
    std::vector<Dim> dims;
    for (int i = 0; i < 8; ++i) dims.push_back(random_dim(symbols, names, random, 3));
    SizeProgram program(symbols);
    std::vector<Register> inputs;
    for (const Dim& name : names) inputs.push_back(program.define(*name.as_atom(), 0));
    std::vector<std::optional<SizeProgram::Place>> places;
    for (const Dim& dim : dims) places.push_back(program.compile(dim));
    std::vector<int64_t> registers(program.register_count(), -1);
    std::map<AtomId, int64_t> values;
    for (size_t i = 0; i < names.size(); ++i)
      values[*names[i].as_atom()] = registers[inputs[i]] = static_cast<int64_t>(random() % 20);
    const auto value_of = [&](AtomId id) -> std::optional<int64_t> {
      const auto found = values.find(id);
      return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    std::vector<std::optional<int64_t>> wanted;
    for (const Dim& dim : dims) wanted.push_back(symbols.evaluate(dim, value_of));
    const bool defined = std::ranges::all_of(wanted, [](const auto& value) { return value.has_value(); });
    if (!defined) continue;
    ASSERT_TRUE(program.evaluate(0, registers)) << seed;
    for (size_t i = 0; i < dims.size(); ++i) {
      ASSERT_TRUE(places[i].has_value()) << symbols.to_text(dims[i]);
      EXPECT_EQ(registers[places[i]->reg], *wanted[i]) << symbols.to_text(dims[i]);
    }
  }
}

TEST(size_program, knows_the_stage_from_which_a_size_can_be_had) {
  SymbolTable symbols;
  const Dim a = symbols.symbol("a"), late = symbols.symbol("late");
  SizeProgram program(symbols);
  const Register first = program.define(*a.as_atom(), 0);
  EXPECT_FALSE(program.compile(symbols.add(a, late)).has_value());
  const Register second = program.define(*late.as_atom(), 2);
  const auto place = program.compile(symbols.add(a, late));
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->stage, 2u);
  std::vector<int64_t> registers(program.register_count(), 0);
  registers[first] = 3;
  ASSERT_TRUE(program.evaluate(0, registers));
  registers[second] = 4;
  ASSERT_TRUE(program.evaluate(2, registers));
  EXPECT_EQ(registers[place->reg], 7);
}

TEST(size_program, refuses_overflow_and_division_by_zero) {
  SymbolTable symbols;
  const Dim a = symbols.symbol("a"), b = symbols.symbol("b");
  SizeProgram program(symbols);
  const Register ra = program.define(*a.as_atom(), 0), rb = program.define(*b.as_atom(), 0);
  ASSERT_TRUE(program.compile(symbols.mul(a, a)).has_value());
  ASSERT_TRUE(program.compile(symbols.floor_div(a, b)).has_value());
  std::vector<int64_t> registers(program.register_count(), 0);
  const auto evaluates = [&](int64_t x, int64_t y) {
    registers[ra] = x;
    registers[rb] = y;
    return program.evaluate(0, registers);
  };
  EXPECT_TRUE(evaluates(5, 2));
  EXPECT_FALSE(evaluates(5, 0));
  EXPECT_FALSE(evaluates(INT64_MAX / 2, 1));
  EXPECT_FALSE(evaluates(INT64_MIN, -1));
}

}  // namespace
}  // namespace sdx::plan
