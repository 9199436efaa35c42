#include "ops/testing/op_case.h"

#include <cstring>
#include <mutex>
#include <random>

#include "base/cpu.h"
#include "base/element.h"
#include "ops/testing/resized_case.h"
#include "ops/testing/symbolic_check.h"
#include "ops/testing/thread_case.h"

namespace sdx::ops::testing {
namespace {

struct NodeOf {
  Node node;
  const Contract* contract = nullptr;
  const KernelList* kernels = nullptr;
  std::vector<const Value*> pointers;
};

NodeOf node_of(std::string_view domain, std::string_view op, const std::vector<Value>& inputs, size_t outputs,
               const std::vector<Attribute>& attributes) {
  NodeOf made;
  const OpEntry* entry = find_op(domain, op);
  if (entry == nullptr) return made;
  made.contract = entry->contract;
  made.kernels = entry->cpu_kernels;
  made.node.domain = domain;
  made.node.op = op;
  made.node.attributes.list() = attributes;
  for (const Value& input : inputs) {
    made.pointers.push_back(input.defined() ? &input : nullptr);
    made.node.inputs.push_back(input.defined() ? static_cast<ValueId>(made.pointers.size()) : kNoValue);
  }
  for (size_t i = 0; i < outputs; ++i) made.node.outputs.push_back(static_cast<ValueId>(1000 + i));
  return made;
}

// What a kernel may prepare: nothing known but types and shapes, or every input a constant.
enum class Inputs : uint8_t { variable, constant };

// Memory between bytes that nobody may write, and filled with what is no number.
class GuardedAllocator : public Allocator {
 public:
  Result<std::shared_ptr<void>> allocate(size_t bytes) override {
    SDX_ASSIGN(std::shared_ptr<void> whole, allocate_bytes(bytes + 2 * kGuard));
    auto* first = static_cast<unsigned char*>(whole.get());
    std::memset(first, kPattern, kGuard);
    std::memset(first + kGuard, 0xff, bytes);
    std::memset(first + kGuard + bytes, kPattern, kGuard);
    const std::lock_guard lock(mutex_);
    blocks_.push_back({whole, bytes});
    return std::shared_ptr<void>(whole, first + kGuard);
  }
  bool intact() const {
    return std::all_of(blocks_.begin(), blocks_.end(), [](const Block& block) {
      const auto* first = static_cast<const unsigned char*>(block.memory.get());
      const auto* behind = first + kGuard + block.bytes;
      const auto same = [](unsigned char byte) { return byte == kPattern; };
      return std::all_of(first, first + kGuard, same) && std::all_of(behind, behind + kGuard, same);
    });
  }

 private:
  static constexpr size_t kGuard = 2 * kTensorAlignment;
  static constexpr unsigned char kPattern = 0xa7;
  struct Block {
    std::shared_ptr<void> memory;
    size_t bytes;
  };
  std::mutex mutex_;
  std::vector<Block> blocks_;
};

// Where the first output goes: memory of its own, or that of the input that the contract names.
enum class Place : uint8_t { own, input };

bool has_place(const NodeOf& made) {
  const auto i = static_cast<size_t>(std::max<int>(made.contract->in_place, 0));
  return made.contract->in_place >= 0 && i < made.pointers.size() && made.pointers[i] != nullptr;
}

bool can_share(const NodeOf& made, const std::vector<OutputSpec>& specs) {
  if (!has_place(made) || specs.empty() || !specs[0].shape_known) return false;
  const Value& input = *made.pointers[static_cast<size_t>(made.contract->in_place)];
  if (!input.is_tensor()) return false;
  const Tensor& tensor = input.tensor();
  return tensor.dtype() != DType::string && tensor.dtype() == specs[0].dtype &&
         tensor.count() == count_of(specs[0].shape);
}

struct Setup {
  Inputs inputs = Inputs::variable;
  Place place = Place::own;
  int threads = 1;
  ThreadPool* pool = nullptr;  // given: instead of `threads`
};

ThreadPool& pool_of_three() {
  static const std::shared_ptr<ThreadPool> pool = ThreadPool::shared(3);
  return *pool;
}

std::vector<Fact> facts_of(const NodeOf& made, Inputs inputs) {
  std::vector<Fact> facts(made.pointers.size());
  for (size_t i = 0; i < facts.size(); ++i) {
    if (made.pointers[i] == nullptr) continue;
    const bool constant = inputs == Inputs::constant && made.pointers[i]->is_tensor();
    facts[i] = constant ? Fact::constant_of(made.pointers[i]->tensor()) : Fact::of(*made.pointers[i]);
  }
  return facts;
}

std::vector<const Fact*> pointers_of(const NodeOf& made, const std::vector<Fact>& facts) {
  std::vector<const Fact*> pointers;
  for (size_t i = 0; i < facts.size(); ++i) pointers.push_back(made.pointers[i] != nullptr ? &facts[i] : nullptr);
  return pointers;
}

Result<std::vector<Value>> run_once(const NodeOf& node, const Kernel* kernel, const Setup& setup = {}) {
  SDX_ASSIGN(const auto specs, output_specs(*node.contract, node.node, node.pointers));
  NodeOf made = node;
  const Inputs inputs = setup.inputs;
  Value shared;
  if (setup.place == Place::input && can_share(made, specs)) {
    const auto i = static_cast<size_t>(made.contract->in_place);
    SDX_ASSIGN(shared, clone(made.pointers[i]->tensor()));
    made.pointers[i] = &shared;
  }
  std::unique_ptr<KernelState> state;
  if (kernel != nullptr && kernel->prepare != nullptr) {
    const auto facts = facts_of(made, inputs);
    SDX_ASSIGN(state, kernel->prepare(NodeFacts(made.node, pointers_of(made, facts))));
  }
  std::vector<Value> taken(made.pointers.size());  // what `prepare` has packed holds nothing useful any more
  for (size_t i = 0; inputs == Inputs::constant && kernel != nullptr && i < taken.size(); ++i) {
    if (i >= 32 || ((kernel->packs_inputs >> i) & 1) == 0 || made.pointers[i] == nullptr) continue;
    const Tensor& given = made.pointers[i]->tensor();
    SDX_ASSIGN(Tensor blank, Tensor::allocate(given.dtype(), given.shape()));
    std::memset(blank.raw(), 0x5b, blank.byte_size());
    taken[i] = std::move(blank);
    made.pointers[i] = &taken[i];
  }
  std::vector<Value> outputs(made.node.outputs.size());
  if (shared.defined())
    outputs[0] = Tensor::wrap(specs[0].dtype, specs[0].shape, shared.tensor().raw(), shared.tensor().owner());
  GuardedAllocator allocator;
  const RunEnvironment environment{.pool = setup.threads > 1 ? &pool_of_three() : setup.pool, .allocator = &allocator};
  SDX_TRY(invoke({made.contract, kernel, state.get()}, made.node, made.pointers, specs, outputs, environment));
  if (!allocator.intact())
    return Status(Code::fail, "bytes before or behind the outputs or the scratch memory are written");
  return outputs;
}

bool takes(const Kernel& kernel, const NodeOf& made, Inputs inputs = Inputs::variable) {
  const auto facts = facts_of(made, inputs);
  const auto pointers = pointers_of(made, facts);
  return kernel.can_run(NodeFacts(made.node, pointers)).accepted();
}

double ulp_of(DType type, double value) {
  const int mantissa = type == DType::f64    ? 52
                       : type == DType::f32  ? 23
                       : type == DType::f16  ? 10
                       : type == DType::bf16 ? 7
                                             : 3;
  const int lowest = type == DType::f64 ? -1022 : type == DType::f32 || type == DType::bf16 ? -126 : -14;
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent - 1, lowest) - mantissa);
}

bool close(DType type, double found, double wanted, const Tolerance& tolerance, double scale) {
  if (std::isnan(found) || std::isnan(wanted)) return std::isnan(found) && std::isnan(wanted);
  if (found == wanted) return true;
  if (std::isinf(found) || std::isinf(wanted)) return false;
  switch (tolerance.kind) {
    case Tolerance::Kind::exact: return false;
    case Tolerance::Kind::ulp: return std::fabs(found - wanted) <= tolerance.amount * ulp_of(type, wanted);
    case Tolerance::Kind::relative:
      return std::fabs(found - wanted) <=
             std::max(tolerance.amount * std::max(scale, std::fabs(wanted)), ulp_of(type, wanted));
  }
  return false;
}

void expect_equal(const Value& found, const Value& wanted, const Tolerance& tolerance, const std::string& where);

void expect_equal_tensors(const Tensor& found, const Tensor& wanted, Tolerance tolerance, const std::string& where) {
  ASSERT_EQ(name(found.dtype()), name(wanted.dtype())) << where;
  ASSERT_EQ(to_text(found.shape()), to_text(wanted.shape())) << where;
  if (wanted.dtype() == DType::string) {
    for (int64_t i = 0; i < wanted.count(); ++i)
      ASSERT_EQ(found.string_at(i), wanted.string_at(i)) << where << " at " << i;
    return;
  }
  double scale = 0;
  if (is_floating(wanted.dtype()))
    for (int64_t i = 0; i < wanted.count(); ++i)
      if (const double v = std::fabs(load_double(wanted, i)); std::isfinite(v)) scale = std::max(scale, v);
  for (int64_t i = 0; i < wanted.count(); ++i) {
    if (is_complex(wanted.dtype())) {
      const auto a = load_complex(found.dtype(), found.raw(), i), b = load_complex(wanted.dtype(), wanted.raw(), i);
      ASSERT_TRUE(close(DType::f32, a.real(), b.real(), tolerance, scale) &&
                  close(DType::f32, a.imag(), b.imag(), tolerance, scale))
          << where << " at " << i;
    } else if (is_floating(wanted.dtype())) {
      ASSERT_TRUE(close(wanted.dtype(), load_double(found, i), load_double(wanted, i), tolerance, scale))
          << where << " at " << i << ": found " << load_double(found, i) << ", wanted " << load_double(wanted, i);
    } else {
      ASSERT_EQ(load_i64(found, i), load_i64(wanted, i)) << where << " at " << i;
    }
  }
}

void expect_equal(const Value& found, const Value& wanted, const Tolerance& tolerance, const std::string& where) {
  ASSERT_EQ(to_text(found.type()), to_text(wanted.type())) << where;
  switch (wanted.kind()) {
    case ValueKind::tensor: return expect_equal_tensors(found.tensor(), wanted.tensor(), tolerance, where);
    case ValueKind::sequence: {
      const auto &a = found.sequence().elements, &b = wanted.sequence().elements;
      ASSERT_EQ(a.size(), b.size()) << where;
      for (size_t i = 0; i < b.size(); ++i) expect_equal(a[i], b[i], tolerance, where + formatted("[{}]", i));
      return;
    }
    case ValueKind::optional:
      ASSERT_EQ(found.optional().element.defined(), wanted.optional().element.defined()) << where;
      if (wanted.optional().element.defined())
        expect_equal(found.optional().element, wanted.optional().element, tolerance, where);
      return;
    case ValueKind::map:
      expect_equal(found.map().keys, wanted.map().keys, exact, where + " keys");
      return expect_equal(found.map().values, wanted.map().values, tolerance, where + " values");
    case ValueKind::none:
    case ValueKind::sparse: return;
  }
}

// Cases state values to the precision of their text: a reference may be that far from them.
Tolerance for_cases(Tolerance tolerance, bool floating) {
  if (!floating || tolerance.kind == Tolerance::Kind::exact) return tolerance;
  if (tolerance.kind == Tolerance::Kind::ulp) return ulp(std::max(tolerance.amount, 4.0));
  return tolerance;
}

// SARDONYX_CHECK_UNFLAGGED=1 tries contracts without the flag too: which of them could have it?
void check_symbols(const NodeOf& made, CaseIs what, const std::string& where, std::span<const Value> expected = {}) {
  static const bool all = std::getenv("SARDONYX_CHECK_UNFLAGGED") != nullptr;
  if (!made.contract->records_constraints && !all) return;
  const auto complaint = find_broken_promise(*made.contract, made.node, made.pointers, what, expected);
  EXPECT_FALSE(complaint) << "PROMISE " << made.node.op << " " << where << ": " << *complaint;
}

// Over the input that the contract names, a kernel gives the bits that it gives elsewhere.
void check_in_place(const NodeOf& made, const Kernel& kernel, Setup setup, const std::string& where) {
  if (!has_place(made)) return;
  const auto wanted = run_once(made, &kernel, setup);
  if (!wanted.ok()) return;  // `where` says so
  setup.place = Place::input;
  setup.threads = 3;
  const auto found = run_once(made, &kernel, setup);
  ASSERT_TRUE(found.ok()) << where << " in place: " << found.status().message();
  for (size_t i = 0; i < wanted->size(); ++i)
    expect_equal((*found)[i], (*wanted)[i], exact, formatted("{} in place, three threads: output {}", where, i));
}

template <typename F>
void on_every_kernel(const NodeOf& made, F f) {
  if (made.kernels == nullptr) return;
  for (const Kernel& kernel : made.kernels->kernels()) {
    const bool wants_constants = !takes(kernel, made);
    if (wants_constants && !takes(kernel, made, Inputs::constant)) continue;
    count_comparison(made.node.domain, made.node.op, kernel.name);
    for_each_isa([&](Isa isa) {
      const auto where = [&](std::string_view how) {
        return formatted("{} at {}{}", kernel.name, sdx::name(isa), how);
      };
      if (wants_constants) {
        const Setup constant{.inputs = Inputs::constant};
        f(kernel, constant, where(" with constants"));
        if (kernel.scratch_bytes != nullptr)
          f(kernel, Setup{.inputs = Inputs::constant, .threads = 3}, where(" with constants and three threads"));
        return check_in_place(made, kernel, constant, where(" with constants"));
      }
      f(kernel, Setup(), where(""));
      if (kernel.prepare != nullptr) f(kernel, Setup{.inputs = Inputs::constant}, where(" with constants"));
      if (kernel.scratch_bytes != nullptr) f(kernel, Setup{.threads = 3}, where(" with three threads"));
      check_in_place(made, kernel, Setup(), where(""));
      if (kernel.prepare != nullptr)
        check_in_place(made, kernel, Setup{.inputs = Inputs::constant}, where(" with constants"));
    });
  }
}

void expect_same_bits_on_kernels(const NodeOf& made, const std::string& where) {
  if (made.kernels == nullptr) return;
  for (const Kernel& kernel : made.kernels->kernels())
    if (takes(kernel, made))
      expect_same_bits([&](ThreadPool* pool) { return run_once(made, &kernel, Setup{.pool = pool}); },
                       formatted("{} {}", where, kernel.name));
}

// Kernels against the reference on cases of other sizes made of this one; SARDONYX_RESIZED=N makes N of each.
void check_resized(std::string_view domain, std::string_view op, const Case& test) {
  static const char* const asked = std::getenv("SARDONYX_RESIZED");
  const int rounds = asked != nullptr ? std::atoi(asked) : 3;
  const OpEntry* entry = find_op(domain, op);
  if (entry->cpu_kernels == nullptr) return;
  for (int round = 0; round < rounds; ++round) {
    std::mt19937 random(static_cast<uint32_t>(std::hash<std::string>{}(test.name)) + static_cast<uint32_t>(round));
    const auto inputs = resized(*entry->contract, test.inputs, random);
    if (!inputs) continue;
    const NodeOf made = node_of(domain, op, *inputs, test.expected.size(), test.attributes);
    const auto wanted = run_once(made, nullptr);
    if (!wanted.ok()) continue;
    on_every_kernel(made, [&](const Kernel& kernel, const Setup& setup, const std::string& where) {
      std::string shapes;
      for (const Value& input : *inputs) shapes += input.defined() ? to_text(input.tensor().shape()) : "-";
      const std::string what = formatted("{}.{} resized {} to {} on {}", op, test.name, round, shapes, where);
      const auto found = run_once(made, &kernel, setup);
      ASSERT_TRUE(found.ok()) << what << ": " << found.status().message();
      for (size_t i = 0; i < wanted->size(); ++i)
        if (test.expected[i].defined())
          expect_equal((*found)[i], (*wanted)[i], made.contract->tolerance, formatted("{}: output {}", what, i));
    });
  }
}

}  // namespace

Value tensor(DType type, Dims shape, std::initializer_list<double> values) {
  auto made = Tensor::allocate(type, std::span<const int64_t>(shape.begin(), shape.size()));
  SDX_CHECK(made.ok(), "a test's tensor");
  SDX_CHECK(values.size() == 1 || static_cast<int64_t>(values.size()) == made->count(),
            "a test's tensor has another number of values");
  for (int64_t i = 0; i < made->count(); ++i) store_double(*made, i, values.begin()[values.size() == 1 ? 0 : i]);
  return std::move(made).value();
}

Value tensor_i64_values(DType type, Dims shape, std::initializer_list<int64_t> values) {
  auto made = Tensor::allocate(type, std::span<const int64_t>(shape.begin(), shape.size()));
  SDX_CHECK(made.ok(), "a test's tensor");
  SDX_CHECK(values.size() == 1 || static_cast<int64_t>(values.size()) == made->count(),
            "a test's tensor has another number of values");
  for (int64_t i = 0; i < made->count(); ++i) store_i64(*made, i, values.begin()[values.size() == 1 ? 0 : i]);
  return std::move(made).value();
}

Value str(Dims shape, std::initializer_list<std::string_view> values) {
  StringTensorBuilder builder;
  for (const auto text : values) builder.append(text);
  auto made = builder.finish(std::span<const int64_t>(shape.begin(), shape.size()));
  SDX_CHECK(made.ok(), "a test's tensor");
  return std::move(made).value();
}

void run_case(std::string_view domain, std::string_view op, const Case& test) {
  const NodeOf made = node_of(domain, op, test.inputs, test.expected.size(), test.attributes);
  ASSERT_NE(made.contract, nullptr) << "no contract for " << op;
  const auto check = [&](const Kernel* kernel, const Setup& setup, const std::string& where) {
    const auto found = run_once(made, kernel, setup);
    ASSERT_TRUE(found.ok()) << where << ": " << found.status().message();
    for (size_t i = 0; i < test.expected.size(); ++i) {
      const bool floating = test.expected[i].is_tensor() && is_floating(test.expected[i].tensor().dtype());
      if (test.expected[i].defined())
        expect_equal((*found)[i], test.expected[i], for_cases(made.contract->tolerance, floating),
                     formatted("{}: output {}", where, i));
    }
  };
  check(nullptr, Setup(), formatted("{}.{} on the reference", op, test.name));
  if (has_place(made))
    check(nullptr, Setup{.place = Place::input}, formatted("{}.{} on the reference in place", op, test.name));
  check_symbols(made, CaseIs::valid, test.name, test.expected);
  on_every_kernel(made, [&](const Kernel& kernel, const Setup& setup, const std::string& where) {
    check(&kernel, setup, formatted("{}.{} on {}", op, test.name, where));
  });
  check_resized(domain, op, test);
}

void run_rejects(std::string_view domain, std::string_view op, std::string_view message,
                 const std::vector<Value>& inputs, const std::vector<Attribute>& attributes) {
  const NodeOf made = node_of(domain, op, inputs, 1, attributes);
  ASSERT_NE(made.contract, nullptr) << "no contract for " << op;
  const auto found = run_once(made, nullptr);
  ASSERT_FALSE(found.ok()) << "no error, wanted: " << message;
  check_symbols(made, CaseIs::rejected, std::string(message));
  EXPECT_NE(found.status().message().find(message), std::string::npos) << "found: " << found.status().message();
  on_every_kernel(made, [&](const Kernel& kernel, const Setup& setup, const std::string& where) {
    EXPECT_FALSE(run_once(made, &kernel, setup).ok()) << where << " gives no error, wanted: " << message;
  });
}

void run_sweep(std::string_view domain, std::string_view op, const Sweep& sweep) {
  constexpr uint32_t kRounds = 40;
  for (const DType type : sweep.types) {
    const uint32_t wide_rounds = sweep.shapes == nullptr ? kWideShapes : 0;
    for (uint32_t round = 0; round < kRounds + wide_rounds; ++round) {
      const bool wide = round >= kRounds;  // for threads alone: the reference would take long
      std::mt19937 random(round * 977 + static_cast<uint32_t>(type));
      const auto below = [&](uint32_t n) { return random() % n; };
      std::vector<Shape> shapes;
      if (sweep.shapes != nullptr) {
        shapes = sweep.shapes(round);
      } else {
        Shape shape(below(5));
        for (auto& dim : shape) dim = round % 11 == 5 ? below(2) : 1 + below(round % 3 == 0 ? 37 : 5);
        if (wide) shape = wide_shape(round - kRounds);
        for (int i = 0; i < sweep.inputs; ++i) {
          Shape own = shape;
          if (sweep.broadcast && i > 0) {
            for (auto& dim : own)
              if (below(3) == 0 && dim != 0) dim = 1;
            if (!own.empty() && below(3) == 0) own.erase(0);
          }
          shapes.push_back(own);
        }
      }
      std::vector<Value> inputs;
      for (const Shape& shape : shapes) {
        auto made = Tensor::allocate(type, shape);
        ASSERT_TRUE(made.ok());
        std::uniform_real_distribution<double> values(sweep.low, sweep.high);
        for (int64_t i = 0; i < made->count(); ++i) {
          double value = values(random);
          if (sweep.special_values && is_floating(type) && below(16) == 0) {
            const double specials[] = {kNaN, kInf, -kInf, 0.0, -0.0, 1e-40, 3e38, -1.0};
            value = specials[below(8)];
          }
          store_double(*made, i, value);
        }
        inputs.emplace_back(std::move(made).value());
      }
      for (const Value& fixed : sweep.fixed_inputs) inputs.push_back(fixed);
      const NodeOf made = node_of(domain, op, inputs, static_cast<size_t>(sweep.outputs), sweep.attributes);
      ASSERT_NE(made.contract, nullptr) << "no contract for " << op;
      if (wide || round % 10 == 9)
        expect_same_bits_on_kernels(made, formatted("{} {} round {}", op, name(type), round));
      if (wide) continue;
      const auto wanted = run_once(made, nullptr);
      ASSERT_TRUE(wanted.ok()) << "reference: " << wanted.status().message();
      if (has_place(made)) {
        const auto found = run_once(made, nullptr, {.place = Place::input});
        ASSERT_TRUE(found.ok()) << "reference in place: " << found.status().message();
        for (size_t i = 0; i < wanted->size(); ++i)
          expect_equal((*found)[i], (*wanted)[i], exact,
                       formatted("{} {} round {} reference in place output {}", op, name(type), round, i));
      }
      if (round < 6 && type == sweep.types.front())
        check_symbols(made, CaseIs::valid, formatted("sweep round {}", round), *wanted);
      on_every_kernel(made, [&](const Kernel& kernel, const Setup& setup, const std::string& where) {
        const auto found = run_once(made, &kernel, setup);
        ASSERT_TRUE(found.ok()) << where << ": " << found.status().message();
        for (size_t i = 0; i < wanted->size(); ++i)
          expect_equal((*found)[i], (*wanted)[i], made.contract->tolerance,
                       formatted("{} {} round {} {} output {}", op, name(type), round, where, i));
      });
    }
  }
}

}  // namespace sdx::ops::testing
