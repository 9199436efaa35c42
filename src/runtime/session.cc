#include "runtime/session.h"

#include <algorithm>
#include <random>
#include <set>

#include "providers/cpu/cpu_provider.h"

namespace sdx::runtime {
namespace {

// The caller's tensor without an owner: an output that is a view of it is then seen to need a copy.
Value lent(const Value& value) {
  if (!value.is_tensor()) return value;
  const Tensor& tensor = value.tensor();
  return Tensor::wrap(tensor.dtype(), tensor.shape(), const_cast<void*>(tensor.raw()), nullptr, tensor.memory());
}

// An output that owns its memory alone: no view of an input, a weight or another output.
Result<Value> detached(const Value& value, std::set<const void*>& taken) {
  if (value.is_tensor()) {
    const Tensor& tensor = value.tensor();
    if (tensor.owner() != nullptr && (tensor.byte_size() == 0 || taken.insert(tensor.raw()).second)) return value;
    SDX_ASSIGN(Tensor copy, clone(tensor));
    return Value(std::move(copy));
  }
  if (value.kind() == ValueKind::sequence) {
    Sequence sequence{value.sequence().element_type, {}};
    for (const Value& element : value.sequence().elements) {
      SDX_ASSIGN(Value copy, detached(element, taken));
      sequence.elements.push_back(std::move(copy));
    }
    return Value(std::move(sequence));
  }
  if (value.kind() == ValueKind::optional && value.optional().element.defined()) {
    SDX_ASSIGN(Value element, detached(value.optional().element, taken));
    return Value(OptionalValue{value.optional().element_type, std::move(element)});
  }
  if (value.kind() == ValueKind::map) {
    SDX_ASSIGN(Value keys, detached(value.map().keys, taken));
    SDX_ASSIGN(Value values, detached(value.map().values, taken));
    return Value(Map{keys.tensor(), std::move(values)});
  }
  return value;
}

Status wrong_type(const InputOutput& input, const Value& value) {
  return invalid_argument("Unexpected input data type. Actual: ({}) , expected: ({}) [input \"{}\"]",
                          to_text(value.type()), to_text(type_of(input.fact)), input.name);
}

}  // namespace

Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(std::shared_ptr<onnx::Model> model, const SessionOptions& options) {
  auto session = std::unique_ptr<Session>(new Session());
  session->model_ = std::move(model);
  session->options_ = options;
  if (session->options_.logger == nullptr) session->options_.logger = &default_logger();
  const std::string context =
      formatted("while loading {}", session->model_->path.empty() ? "a model from memory" : session->model_->path);
  SDX_ASSIGN(session->imported_,
             onnx::import_model(*session->model_, {options.strict_shapes, 2'000'000, options.symbol_values}));
  for (const std::string& warning : session->imported_.warnings)
    SDX_LOG(*session->options_.logger, warning, "{} [{}]", warning, context);
  const Graph& graph = session->imported_.graph;
  const providers::Provider* const providers[] = {&providers::cpu_provider()};
  auto program = plan::make_program(graph, providers);
  if (!program.ok()) return std::move(program).status().with_context(context);
  session->program_ = std::move(program).value();
  for (const ValueId id : graph.inputs()) {
    const ValueInfo& value = graph.value(id);
    session->slots_by_name_.emplace(value.name, id);
    (value.is_initializer ? session->overridable_ : session->inputs_).push_back({value.name, value.fact});
  }
  for (const ValueId id : graph.outputs()) {
    const ValueInfo& value = graph.value(id);
    session->slots_by_name_.emplace(value.name, id);
    session->outputs_.push_back({value.name, value.fact});
  }
  session->next_seed_ = options.random_seed ? *options.random_seed : std::random_device()();
  session->model_->give_pages_back();
  session->pool_ = options.pool != nullptr ? options.pool : ThreadPool::shared(options.threads);
  return session;
}

std::unique_ptr<ExecutionState> Session::take_state() {
  {
    const std::lock_guard lock(states_mutex_);
    if (!idle_states_.empty()) {
      auto state = std::move(idle_states_.back());
      idle_states_.pop_back();
      return state;
    }
  }
  return std::make_unique<ExecutionState>(*program_);
}

void Session::give_back(std::unique_ptr<ExecutionState> state) {
  for (Value& slot : state->slots()) slot = Value();
  const std::lock_guard lock(states_mutex_);
  idle_states_.push_back(std::move(state));
}

Status Session::check_feed(const InputOutput& input, const Value& value, std::map<AtomId, int64_t>& symbol_values) {
  if (input.fact.kind != ValueKind::none && value.kind() != input.fact.kind) {
    // A plain value stands for an optional that has it.
    const bool for_optional =
        input.fact.kind == ValueKind::optional && !input.fact.inner.empty() && input.fact.inner[0].kind == value.kind();
    if (!for_optional) return wrong_type(input, value);
  }
  if (!value.is_tensor() || !input.fact.is_tensor()) return {};
  const Tensor& tensor = value.tensor();
  if (input.fact.dtype != DType::undefined && tensor.dtype() != input.fact.dtype) return wrong_type(input, value);
  if (!input.fact.shape) return {};
  if (tensor.rank() != input.fact.rank())
    return invalid_argument(
        "Invalid rank for input: {} Got: {} Expected: {} Please fix either the inputs/outputs or the model.",
        input.name, tensor.rank(), input.fact.rank());
  std::string wrong;
  for (int axis = 0; axis < tensor.rank(); ++axis) {
    const Dim& dim = input.fact.dim(axis);
    if (dim.is_known()) {
      if (dim.known() != tensor.dim(axis))
        wrong += formatted(" index: {} Got: {} Expected: {}\n", axis, tensor.dim(axis), dim.known());
      continue;
    }
    const auto atom = dim.as_atom();
    if (!atom) continue;
    const auto [known, fresh] = symbol_values.emplace(*atom, tensor.dim(axis));
    if (fresh || known->second == tensor.dim(axis)) continue;
    const std::string message = formatted("the symbol {} is {} and {} [input \"{}\"]", symbols().to_text(dim),
                                          known->second, tensor.dim(axis), input.name);
    if (options_.strict_shapes) return invalid_argument("{}", message);
    if (!warned_about_symbols_.exchange(true)) SDX_LOG(*options_.logger, warning, "{}", message);
  }
  if (wrong.empty()) return {};
  return invalid_argument(
      "Got invalid dimensions for input: {} for the following indices\n{} Please fix either the inputs/outputs or the "
      "model.",
      input.name, wrong);
}

Status Session::bind_feeds(ExecutionState& state, std::span<const Feed> feeds) {
  std::map<AtomId, int64_t> symbol_values;
  const Graph& graph = imported_.graph;
  for (const Feed& feed : feeds) {
    const auto slot = slots_by_name_.find(feed.name);
    if (slot == slots_by_name_.end() || !graph.value(slot->second).is_input)
      return invalid_argument("Invalid input name: {}", feed.name);
    if (!feed.value.defined()) return invalid_argument("input \"{}\" is given without a value", feed.name);
    const ValueInfo& info = graph.value(slot->second);
    SDX_TRY(check_feed({info.name, info.fact}, feed.value, symbol_values));
    const bool wrap = info.fact.kind == ValueKind::optional && feed.value.kind() != ValueKind::optional;
    state.slots()[slot->second] = wrap ? Value(OptionalValue{feed.value.type(), feed.value}) : lent(feed.value);
  }
  std::vector<std::string> missing;
  for (const ValueId id : graph.inputs()) {
    if (state.slots()[id].defined()) continue;
    const ValueInfo& info = graph.value(id);
    if (info.is_initializer) {
      state.slots()[id] = lent(info.initial);
    } else if (info.fact.kind == ValueKind::optional && !info.fact.inner.empty()) {
      state.slots()[id] = OptionalValue{type_of(info.fact.inner[0]), {}};
    } else {
      missing.push_back(info.name);
    }
  }
  if (missing.empty()) return {};
  return invalid_argument("Missing Input: {}", join(missing, ", ", [](const std::string& name) { return name; }));
}

Result<std::vector<Value>> Session::run(std::span<const Feed> feeds, std::span<const std::string_view> names,
                                        const RunOptions& options) {
  std::vector<ValueId> wanted;
  for (const std::string_view name : names) {
    const auto slot = slots_by_name_.find(name);
    if (slot == slots_by_name_.end() || !imported_.graph.is_output(slot->second))
      return invalid_argument("Invalid output name:{}", name);
    wanted.push_back(slot->second);
  }
  if (names.empty()) wanted = imported_.graph.outputs();
  struct Loan {
    Session& session;
    std::unique_ptr<ExecutionState> state;
    ~Loan() { session.give_back(std::move(state)); }
  } loan{*this, take_state()};
  ExecutionState& state = *loan.state;
  SDX_TRY(bind_feeds(state, feeds));
  RunEnvironment environment;
  environment.pool = pool_.get();
  environment.cancel = options.cancel;
  environment.allocator = &buffers_;
  environment.random_seed = next_seed_.fetch_add(1, std::memory_order_relaxed);
  {
    const ThreadPool::ActiveScope active(*pool_);
    SDX_TRY(execute(state, environment));
  }
  std::vector<Value> outputs;
  std::set<const void*> taken;
  for (const ValueId id : wanted) {
    SDX_ASSIGN(const Value value, read_slot(state, id));
    SDX_ASSIGN(Value output, detached(value, taken));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace sdx::runtime
