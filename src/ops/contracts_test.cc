// Every contract against inputs that nobody would write: shape rules with random facts and attributes, references and
// kernels with random tensors. They may refuse; they may not crash, throw, or promise impossible shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>

#include "base/sanitizer.h"
#include "ops/checked_infer.h"
#include "ops/invoke.h"

namespace sdx::ops {
namespace {

constexpr int kRuleRounds = kUnderSanitizer ? 600 : 150;
constexpr int kRunRounds = kUnderSanitizer ? 300 : 100;
constexpr size_t kMostBytes = size_t{16} << 20;  // for one tensor of a run

// The attributes that operators without a schema of the standard read.
constexpr AttributeFacts kUnlistedAttributes[] = {
    {"activation", AttributeKind::s, false, false, ""},
    {"alpha", AttributeKind::f, false, false, ""},
    {"axis", AttributeKind::i, false, false, ""},
    {"bits", AttributeKind::i, false, false, ""},
    {"block_size", AttributeKind::i, false, false, ""},
    {"do_rotary", AttributeKind::i, false, false, ""},
    {"epsilon", AttributeKind::f, false, false, ""},
    {"K", AttributeKind::i, false, false, ""},
    {"kernel_shape", AttributeKind::ints, false, false, ""},
    {"kv_num_heads", AttributeKind::i, false, false, ""},
    {"N", AttributeKind::i, false, false, ""},
    {"num_heads", AttributeKind::i, false, false, ""},
    {"pads", AttributeKind::ints, false, false, ""},
    {"scale", AttributeKind::f, false, false, ""},
    {"strides", AttributeKind::ints, false, false, ""},
    {"transA", AttributeKind::i, false, false, ""},
    {"transB", AttributeKind::i, false, false, ""},
    {"unidirectional", AttributeKind::i, false, false, ""},
};

class LimitedAllocator final : public Allocator {
 public:
  Result<std::shared_ptr<void>> allocate(size_t bytes) override {
    if (bytes > kMostBytes) return make_error(Code::runtime_exception, "out of memory: {} bytes were asked for", bytes);
    return allocate_bytes(bytes);
  }
};

const OpFacts* newest_facts(const OpEntry& entry) {
  for (const OpFacts& facts : all_facts())
    if (facts.newest && facts.name == entry.name &&
        (facts.domain == entry.domain || (facts.domain == "ai.onnx" && entry.domain.empty())))
      return &facts;
  return nullptr;
}

// Everything of one round, from its seed.
class Maker {
 public:
  Maker(const OpEntry& entry, const OpFacts* facts, uint32_t seed) : entry_(entry), facts_(facts), random_(seed) {
    node_.domain = entry.domain;
    node_.op = entry.name;
    node_.opset = 28;
  }

  bool one_in(uint32_t n) { return random_() % n == 0; }
  size_t below(size_t n) { return random_() % n; }

  int64_t integer() {
    static constexpr int64_t kNumbers[] = {0,
                                           1,
                                           -1,
                                           2,
                                           3,
                                           -2,
                                           4,
                                           8,
                                           5,
                                           16,
                                           -3,
                                           32,
                                           100,
                                           INT32_MAX,
                                           INT32_MIN,
                                           INT64_MAX,
                                           1000,
                                           INT64_MIN,
                                           INT64_MAX - 1,
                                           int64_t{1} << 32,
                                           int64_t{1} << 62,
                                           -100,
                                           7,
                                           64};
    return one_in(4) ? kNumbers[below(std::size(kNumbers))] : static_cast<int64_t>(below(5)) - 1;
  }
  std::vector<int64_t> integers() {
    std::vector<int64_t> list(below(one_in(8) ? 12 : 5));
    for (int64_t& number : list) number = integer();
    return list;
  }

  Shape shape() {
    if (!last_.empty() && !one_in(3)) {  // shapes that have something to do with each other
      Shape near = last_;
      if (one_in(4)) near[below(near.size())] = 1;
      if (one_in(4)) std::swap(near[below(near.size())], near[below(near.size())]);
      if (one_in(6)) near.erase(below(near.size()));
      return near;
    }
    Shape made;
    for (size_t i = below(6); i > 0; --i)
      made.push_back(one_in(8) ? 0 : one_in(5) ? 8 : static_cast<int64_t>(1 + below(4)));
    if (!made.empty()) last_ = made;
    return made;
  }

  DType any_type() { return static_cast<DType>(1 + below(kDTypeCount - 1)); }
  // One that the schema allows, the same for inputs of one constraint.
  DType type_of_input(size_t i) {
    if (facts_ == nullptr || facts_->inputs.empty()) {
      static constexpr DType kUsual[] = {DType::f32, DType::f32, DType::f32, DType::f16,
                                         DType::i32, DType::i64, DType::u8,  DType::i8};
      return one_in(2) ? DType::f32 : kUsual[below(std::size(kUsual))];
    }
    const Formal& formal = facts_->inputs[std::min(i, facts_->inputs.size() - 1)];
    if (formal.constraint < 0) return DType::undefined;
    bound_.resize(facts_->constraints.size(), DType::undefined);
    DType& bound = bound_[static_cast<size_t>(formal.constraint)];
    if (bound != DType::undefined) return bound;
    std::vector<DType> allowed;
    for (int type = 1; type < kDTypeCount; ++type)
      if (facts_->constraints[static_cast<size_t>(formal.constraint)].tensor_types >> type & 1)
        allowed.push_back(static_cast<DType>(type));
    if (allowed.empty()) return DType::undefined;
    return bound = one_in(2) ? allowed.front() : allowed[below(allowed.size())];
  }

  Tensor tensor(DType type, const Shape& dims) {
    if (type == DType::string) {
      StringTensorBuilder builder;
      for (int64_t i = 0; i < count_of(dims); ++i) builder.append(one_in(3) ? "" : one_in(2) ? "a" : "1.5");
      return builder.finish(dims).value();
    }
    Tensor made = Tensor::allocate(type, dims).value();
    if (made.byte_size() > 0) std::memset(made.raw(), 0, made.byte_size());
    for (int64_t i = 0; i < made.count(); ++i) {
      if (is_integer(type) || type == DType::boolean) {
        const int64_t number = integer();
        if (type == DType::boolean) made.data<uint8_t>()[i] = number & 1;
        if (type == DType::i64 || type == DType::u64) made.data<int64_t>()[i] = number;
        if (type == DType::i32 || type == DType::u32) made.data<int32_t>()[i] = static_cast<int32_t>(number);
        if (bit_width(type) == 16) made.data<int16_t>()[i] = static_cast<int16_t>(number);
      } else if (type == DType::f32) {
        static constexpr float kNumbers[] = {
            0, 1, -1, 0.5f, 3, 1e30f, -2.5f, std::numeric_limits<float>::quiet_NaN(), 1e10f};
        made.data<float>()[i] = kNumbers[below(std::size(kNumbers))];
      }
    }
    if (bit_width(type) < 16 || bit_width(type) > 64 || (type != DType::f32 && is_floating(type)))
      if (type != DType::boolean)
        for (size_t i = 0; i < made.byte_size(); ++i) made.data<uint8_t>()[i] = static_cast<uint8_t>(random_());
    return made;
  }

  Dim dimension() {
    switch (below(12)) {
      case 0: return symbols_.symbol("n");
      case 1: return symbols_.symbol("m");
      case 2: return symbols_.fresh();
      case 3: return symbols_.add(symbols_.symbol("n"), Dim(1));
      case 4: return symbols_.floor_div(symbols_.symbol("n"), Dim(2));
      case 5: return Dim(std::max<int64_t>(integer(), 0));
      default: return Dim(static_cast<int64_t>(below(6)));
    }
  }

  Fact fact(DType type, int depth = 0) {
    if (one_in(25)) return {};
    if (type == DType::undefined || one_in(25)) {
      if (depth > 2) return Fact();
      if (one_in(5)) {
        Fact map;
        map.kind = ValueKind::map;
        map.dtype = one_in(2) ? DType::i64 : DType::string;
        map.inner.push_back(fact(DType::f32, depth + 1));
        return map;
      }
      Fact inner = fact(any_type(), depth + 1);
      if (one_in(10)) {
        Fact bare;
        bare.kind = one_in(2) ? ValueKind::sequence : ValueKind::optional;
        return bare;
      }
      return one_in(2) ? Fact::sequence(std::move(inner)) : Fact::optional(std::move(inner));
    }
    if (one_in(4)) return Fact::constant_of(tensor(type, shape()));
    Fact made = Fact::tensor(one_in(30) ? DType::undefined : type);
    if (one_in(8)) return made;
    made.shape.emplace();
    const Shape near = shape();
    for (const int64_t dim : near) made.shape->push_back(one_in(2) ? Dim(dim) : dimension());
    if (is_integer(type) && made.rank() <= 1 && one_in(2)) {
      made.elements.emplace();
      const size_t count = made.rank() == 0 ? 1 : below(5);
      for (size_t i = 0; i < count; ++i) made.elements->push_back(one_in(3) ? dimension() : Dim(integer()));
      if (made.rank() == 1) made.shape->front() = Dim(static_cast<int64_t>(count));
    }
    return made;
  }

  GraphBox graph(size_t inputs) {
    auto made = std::make_unique<Graph>(symbols_);
    std::vector<ValueId> ids;
    for (size_t i = 0; i < inputs; ++i)
      ids.push_back(made->add_input(formatted("i{}", i), fact(one_in(3) ? DType::boolean : DType::f32)));
    for (size_t i = below(5); i > 0; --i)
      made->add_output(ids.empty() || one_in(3) ? made->add_value("", fact(one_in(2) ? DType::boolean : DType::f32))
                                                : ids[below(ids.size())]);
    return GraphBox(std::move(made));
  }

  Attribute::Content content(AttributeKind kind, size_t inputs) {
    static constexpr const char* kWords[] = {"",
                                             "NOTSET",
                                             "SAME_UPPER",
                                             "SAME_LOWER",
                                             "VALID",
                                             "linear",
                                             "cubic",
                                             "nearest",
                                             "constant",
                                             "reflect",
                                             "edge",
                                             "wrap",
                                             "bij,bjk->bik",
                                             "...",
                                             "i->",
                                             "->",
                                             "ii->i",
                                             "bidirectional",
                                             "reverse",
                                             "add",
                                             "mul",
                                             "TF",
                                             "SOFTMAX",
                                             "RBF",
                                             "BRANCH_LEQ",
                                             "LEAF",
                                             "gelu",
                                             "Relu",
                                             "tanh",
                                             "float",
                                             "mean",
                                             "none",
                                             "sum",
                                             "pytorch_half_pixel",
                                             "align_corners",
                                             "tf_crop_and_resize",
                                             "UPPER",
                                             "L1",
                                             "MAX",
                                             "zeros",
                                             "border",
                                             "CRD",
                                             "DCR",
                                             "jpeg",
                                             "RGB"};
    switch (kind) {
      case AttributeKind::f: return one_in(4) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(integer());
      case AttributeKind::i: return integer();
      case AttributeKind::s: return std::string(kWords[below(std::size(kWords))]);
      case AttributeKind::tensor: {
        const DType type = one_in(2) ? DType::f32 : any_type();
        return tensor(type, one_in(2) ? Shape({1}) : shape());
      }
      case AttributeKind::graph: return graph(one_in(3) ? below(5) : inputs);
      case AttributeKind::floats: {
        std::vector<float> list(below(6));
        for (float& number : list) number = static_cast<float>(integer());
        return list;
      }
      case AttributeKind::ints: return integers();
      case AttributeKind::strings: {
        std::vector<std::string> list;
        for (size_t i = below(6); i > 0; --i) list.push_back(kWords[below(std::size(kWords))]);
        return list;
      }
      case AttributeKind::tensors: return std::vector<Tensor>{tensor(DType::f32, shape())};
      case AttributeKind::sparse_tensor:
        return SparseTensor{Shape({3}), tensor(DType::f32, Shape({0})), tensor(DType::i64, Shape({0}))};
      case AttributeKind::type: return fact(one_in(2) ? DType::undefined : any_type());
      default: return integer();
    }
  }

  enum class Arity : uint8_t { any, by_schema };
  void set_arity(Arity arity) {
    const size_t least = facts_ != nullptr ? static_cast<size_t>(facts_->min_inputs) : 0;
    const size_t most =
        facts_ != nullptr && facts_->max_inputs < 20 ? static_cast<size_t>(facts_->max_inputs) : least + 8;
    // The importer has checked the arity of what the standard knows.
    input_count_ =
        arity == Arity::any && facts_ == nullptr && one_in(4) ? below(most + 2) : least + below(most - least + 1);
    const size_t least_outputs = facts_ != nullptr ? static_cast<size_t>(facts_->min_outputs) : 1;
    const size_t most_outputs =
        facts_ != nullptr && facts_->max_outputs < 20 ? static_cast<size_t>(facts_->max_outputs) : least_outputs + 3;
    const size_t outputs = least_outputs + below(most_outputs - least_outputs + 1);
    for (size_t i = 0; i < outputs; ++i) {
      // The importer gives a value to every output that is not optional.
      const bool optional =
          facts_ == nullptr ? i > 0 : i < facts_->outputs.size() && facts_->outputs[i].option == FormalOption::optional;
      node_.outputs.push_back(optional && one_in(3) ? kNoValue : static_cast<ValueId>(1000 + i));
    }
  }
  size_t input_count() const { return input_count_; }
  bool may_omit(size_t i) const {
    return facts_ == nullptr || (i < facts_->inputs.size() && facts_->inputs[i].option == FormalOption::optional);
  }
  void add_input(bool given) { node_.inputs.push_back(given ? static_cast<ValueId>(node_.inputs.size()) : kNoValue); }

  void add_attributes(Arity arity) {
    const std::span<const AttributeFacts> list = facts_ != nullptr ? facts_->attributes : kUnlistedAttributes;
    for (const AttributeFacts& attribute : list) {
      const bool required = attribute.required && !(arity == Arity::any && one_in(10));
      if (!required && !one_in(3)) continue;
      AttributeKind kind = attribute.kind;
      if (arity == Arity::any && one_in(30)) kind = static_cast<AttributeKind>(1 + below(8));
      node_.attributes.set(attribute.name, content(kind, input_count_));
    }
  }

  Node& node() { return node_; }
  SymbolTable& symbols() { return symbols_; }

 private:
  const OpEntry& entry_;
  const OpFacts* facts_;
  std::mt19937 random_;
  SymbolTable symbols_;
  Node node_;
  Shape last_;
  std::vector<DType> bound_;
  size_t input_count_ = 0;
};

// SDX_ONE_OP=Name and SDX_ONE_ROUND=n look into one that failed.
bool chosen(const OpEntry& entry, int round) {
  const char *op = std::getenv("SDX_ONE_OP"), *number = std::getenv("SDX_ONE_ROUND");
  return (op == nullptr || entry.name == op) && (number == nullptr || std::atoi(number) == round);
}

class Watch {
 public:
  Watch(const OpEntry& entry, int round) : where_(formatted("{}.{} round {}", entry.domain, entry.name, round)) {
    if (std::getenv("SDX_VERBOSE") != nullptr) std::fprintf(stderr, "%s\n", where_.c_str());
  }
  ~Watch() {
    EXPECT_LT(std::chrono::steady_clock::now() - start_, std::chrono::seconds(kUnderSanitizer ? 20 : 5)) << where_;
  }
  const std::string& where() const { return where_; }

 private:
  std::string where_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void expect_possible(const Fact& fact, const std::string& where) {
  if (fact.shape) {
    for (const Dim& dim : *fact.shape) {
      EXPECT_TRUE(!dim.is_known() || dim.known() >= 0) << where << ": " << dim.known();
    }
  }
  for (const Fact& inner : fact.inner) expect_possible(inner, where);
}

void infer_once(const OpEntry& entry, const OpFacts* facts, int round) {
  const Watch watch(entry, round);
  Maker maker(entry, facts, static_cast<uint32_t>(round));
  maker.set_arity(Maker::Arity::any);
  std::vector<std::optional<Fact>> inputs;
  for (size_t i = 0; i < maker.input_count(); ++i) {
    const DType type = maker.one_in(10) ? maker.any_type() : maker.type_of_input(i);
    inputs.emplace_back();
    if (!(maker.may_omit(i) && maker.one_in(4))) inputs.back() = maker.fact(type);
    maker.add_input(inputs.back().has_value());
  }
  std::vector<const Fact*> pointers;
  for (const auto& input : inputs) pointers.push_back(input ? &*input : nullptr);
  maker.add_attributes(Maker::Arity::any);
  try {
    InferContext ctx(maker.node(), pointers, maker.symbols());
    const auto inferred = checked_infer(*entry.contract, ctx);
    EXPECT_TRUE(inferred.ok() || !inferred.status().message().empty()) << watch.where();
    if (inferred.ok())
      for (const Fact& fact : inferred->list) expect_possible(fact, watch.where());
  } catch (const std::exception& error) {
    ADD_FAILURE() << watch.where() << ": " << error.what();
  }
}

TEST(contracts, shape_rules_take_any_facts) {
  for (const OpEntry& entry : all_ops()) {
    const OpFacts* facts = newest_facts(entry);
    for (int round = 0; round < kRuleRounds; ++round)
      if (chosen(entry, round)) infer_once(entry, facts, round);
  }
}

Status run_with(const OpEntry& entry, const Kernel* kernel, const Node& node, std::span<const Value* const> inputs) {
  SDX_ASSIGN(const auto specs, output_specs(*entry.contract, node, inputs));
  std::vector<Fact> facts(inputs.size());
  std::vector<const Fact*> pointers;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr) facts[i] = Fact::of(*inputs[i]);
    pointers.push_back(inputs[i] != nullptr ? &facts[i] : nullptr);
  }
  const NodeFacts view(node, pointers);
  std::unique_ptr<KernelState> state;
  if (kernel != nullptr) {
    if (!kernel->can_run(view).accepted()) return {};
    if (kernel->prepare != nullptr) {
      SDX_ASSIGN(state, kernel->prepare(view));
    }
  }
  LimitedAllocator allocator;
  CancelToken cancel;
  cancel.set_deadline(CancelToken::Clock::now() + std::chrono::seconds(1));
  RunEnvironment environment;
  environment.cancel = &cancel;
  environment.allocator = &allocator;
  std::vector<Value> outputs(node.outputs.size());
  return invoke({entry.contract, kernel, state.get()}, node, inputs, specs, outputs, environment);
}

void run_once(const OpEntry& entry, const OpFacts* facts, int round) {
  const Watch watch(entry, round);
  Maker maker(entry, facts, static_cast<uint32_t>(round));
  maker.set_arity(Maker::Arity::by_schema);
  std::vector<Value> inputs;
  for (size_t i = 0; i < maker.input_count(); ++i) {
    const DType type = maker.type_of_input(i);
    inputs.emplace_back();
    if (!(maker.may_omit(i) && maker.one_in(4))) {
      if (type == DType::undefined) return;  // sequences and the like
      inputs.back() = maker.tensor(type, maker.shape());
    }
    maker.add_input(inputs.back().defined());
  }
  std::vector<const Value*> pointers;
  for (const auto& input : inputs) pointers.push_back(input.defined() ? &input : nullptr);
  maker.add_attributes(Maker::Arity::by_schema);
  const auto try_out = [&](const Kernel* kernel) {
    try {
      const Status status = run_with(entry, kernel, maker.node(), pointers);
      EXPECT_TRUE(status.ok() || !status.message().empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << watch.where() << (kernel != nullptr ? kernel->name : "") << ": " << error.what();
    }
  };
  if (entry.contract->reference != nullptr) try_out(nullptr);
  if (entry.cpu_kernels != nullptr)
    for (const Kernel& kernel : entry.cpu_kernels->kernels()) try_out(&kernel);
}

bool has_subgraphs(const OpFacts* facts) {
  return facts != nullptr && std::ranges::any_of(facts->attributes, [](const AttributeFacts& attribute) {
           return attribute.kind == AttributeKind::graph;
         });
}

TEST(contracts, references_and_kernels_take_any_tensors) {
  for (const OpEntry& entry : all_ops()) {
    const OpFacts* facts = newest_facts(entry);
    if (has_subgraphs(facts)) continue;
    for (int round = 0; round < kRunRounds; ++round)
      if (chosen(entry, round)) run_once(entry, facts, round);
  }
}

}  // namespace
}  // namespace sdx::ops
