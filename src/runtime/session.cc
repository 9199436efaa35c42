#include "runtime/session.h"

#include <algorithm>
#include <random>

#include "base/element.h"
#include "plan/prepare.h"
#include "runtime/compile_shared.h"
#include "runtime/detach.h"
#include "runtime/origins.h"

namespace sdx::runtime {
namespace {

Status wrong_type(const InputOutput& input, const Value& value) {
  return invalid_argument("Unexpected input data type. Actual: ({}) , expected: ({}) [input \"{}\"]",
                          to_text(value.type()), to_text(type_of(input.fact)), input.name);
}

// Whether a value of the type can be what is known of it, as far as both are known.
bool may_be(const ValueType& type, const Fact& fact) {
  if (fact.kind == ValueKind::none || type.kind == ValueKind::none) return true;
  if (type.kind != fact.kind) return false;
  if (fact.dtype != DType::undefined && type.dtype != DType::undefined && type.dtype != fact.dtype) return false;
  return fact.inner.empty() || type.inner.empty() || may_be(type.inner[0], fact.inner[0]);
}

// What a caller's value must be. The sizes that the model declares inside an optional are asked of callers only.
const Fact& asked_of_callers(const ValueInfo& value) {
  return value.fact.kind == ValueKind::optional && value.declared ? *value.declared : value.fact;
}

// Callers give one element for a scalar in any rank, and onnxruntime takes it.
bool stands_for_scalar(const Fact& fact, const Value& value) {
  return fact.is_tensor() && fact.shape && fact.rank() == 0 && value.is_tensor() && value.tensor().rank() > 0 &&
         value.tensor().count() == 1;
}

}  // namespace

Session::~Session() {
  for (auto& slot : idle_states_) delete slot.load();
}

Result<std::unique_ptr<Session>> Session::create(std::shared_ptr<onnx::Model> model, const SessionOptions& options) {
  auto session = std::unique_ptr<Session>(new Session());
  const int64_t start = options.profiler != nullptr ? TraceClock::now() : 0;
  session->model_ = std::move(model);
  session->options_ = options;
  if (session->options_.logger == nullptr) session->options_.logger = &default_logger();
  const std::string context =
      formatted("while loading {}", session->model_->path.empty() ? "a model from memory" : session->model_->path);
  session->pool_ = session->options_.pool != nullptr ? session->options_.pool : ThreadPool::shared(options.threads);
  session->account_ = std::make_shared<MemoryAccount>(options.memory_limit, &MemoryAccount::process());
  session->buffers_.emplace(session->account_);
  auto compiled = compile_shared(session->model_, session->compile_options());
  if (!compiled.ok()) return std::move(compiled).status().with_context(context);
  session->set_compiled(std::move(compiled).value());
  for (const std::string& warning : session->compiled_->warnings())
    SDX_LOG(*session->options_.logger, warning, "{} [{}]", warning, context);
  const Graph& graph = session->compiled_->graph();
  for (const ValueId id : graph.inputs()) {
    const ValueInfo& value = graph.value(id);
    session->input_index_.emplace(value.name, session->input_index_.size());
    if (!value.fact.is_tensor()) session->takes_containers_ = true;
    (value.is_initializer ? session->overridable_ : session->inputs_).push_back({value.name, asked_of_callers(value)});
  }
  for (const ValueId id : graph.outputs()) {
    const ValueInfo& value = graph.value(id);
    session->output_index_.emplace(value.name, session->outputs_.size());
    session->outputs_.push_back({value.name, value.fact});
  }
  session->next_seed_ = options.random_seed ? *options.random_seed : std::random_device()();
  if (options.profiler != nullptr) {
    options.profiler->set_operators(operators_by_origin(*session->model_->proto.graph));
    options.profiler->add_session_event(SessionEvent::initialize, start);
  }
  return session;
}

CompileOptions Session::compile_options() const {
  CompileOptions compile;
  compile.import.strict_shapes = options_.strict_shapes;
  compile.import.symbol_values = options_.symbol_values;
  compile.import.type_of_output = options_.type_of_output;
  compile.import.infer_opaque = options_.infer_opaque;
  compile.threads = pool_->size();
  compile.passes = options_.passes;
  compile.references_only = options_.references_only;
  compile.in_double = options_.in_double;
  compile.weights = options_.weights;
  compile.providers = options_.providers;
  compile.winograd = options_.winograd;
  compile.partitions_by_cost = options_.partitions_by_cost;
  return compile;
}

Result<onnx::Imported> Session::exported() const {
  if (options_.passes.to < passes::Level::layout && options_.providers.empty()) return compiled()->imported();
  CompileOptions compile = compile_options();
  compile.passes.to = std::min(compile.passes.to, passes::Level::extended);
  compile.purpose = CompileOptions::For::saving;
  SDX_ASSIGN(const auto standard, Compiled::create(model_, compile));
  return standard->imported();
}

std::shared_ptr<const Compiled> Session::compiled() const {
  const std::lock_guard lock(compiled_mutex_);
  return compiled_;
}

void Session::set_compiled(std::shared_ptr<const Compiled> compiled) {
  const std::lock_guard lock(compiled_mutex_);
  compiled_.swap(compiled);  // what it was ends after the lock
  current_.store(compiled_.get(), std::memory_order_release);
}

Status Session::replace_weights(const std::map<std::string, Tensor>& weights) {
  const std::lock_guard lock(replace_mutex_);
  CompileOptions compile = compile_options();
  compile.import.weights = replaced_;
  for (const auto& [name, weight] : weights) {
    SDX_ASSIGN(compile.import.weights[name], clone(weight));
  }
  SDX_ASSIGN(auto compiled, Compiled::create(model_, compile));
  replaced_ = std::move(compile.import.weights);
  set_compiled(std::move(compiled));
  for (auto& slot : idle_states_) delete slot.exchange(nullptr, std::memory_order_acquire);
  return {};
}

std::unique_ptr<Session::RunState> Session::take_state() {
  const Compiled* current = current_.load(std::memory_order_acquire);
  for (auto& slot : idle_states_) {
    if (slot.load(std::memory_order_relaxed) == nullptr) continue;
    std::unique_ptr<RunState> idle(slot.exchange(nullptr, std::memory_order_acquire));
    if (idle != nullptr && idle->compiled.get() == current) return idle;
  }
  auto now = compiled();
  const plan::Program& program = now->program();
  const RunLimits limits{now->weight_bytes(), account_.get()};
  std::unique_ptr<RunState> state(new RunState{std::move(now), ExecutionState(program)});
  state->execution.set_limits(limits);
  return state;
}

void Session::give_back(std::unique_ptr<RunState> state) {
  if (state->compiled.get() != current_.load(std::memory_order_acquire)) return;
  RunState* given = state.release();
  for (auto& slot : idle_states_) {
    RunState* empty = nullptr;
    if (slot.load(std::memory_order_relaxed) == nullptr &&
        slot.compare_exchange_strong(empty, given, std::memory_order_release))
      return;
  }
  delete given;  // more runs at once than places
}

Status Session::check_feed(const InputOutput& input, const Value& value) const {
  const Fact* fact = &input.fact;
  const Value* given = &value;
  if (fact->kind == ValueKind::optional && !fact->inner.empty()) {  // a plain value stands for an optional that has it
    fact = &fact->inner[0];
    if (value.kind() == ValueKind::optional) given = &value.optional().element;
    if (!given->defined()) return may_be(value.type(), input.fact) ? Status() : wrong_type(input, value);
  }
  if (!may_be(given->type(), *fact)) return wrong_type(input, value);
  if (!given->is_tensor() || !fact->is_tensor() || !fact->shape) return {};
  const Tensor& tensor = given->tensor();
  if (stands_for_scalar(*fact, *given)) return {};
  if (tensor.rank() != fact->rank())
    return invalid_argument(
        "Invalid rank for input: {} Got: {} Expected: {} Please fix either the inputs/outputs or the model.",
        input.name, tensor.rank(), fact->rank());
  std::string wrong;
  for (int axis = 0; axis < tensor.rank(); ++axis) {
    const Dim& dim = fact->dim(axis);
    if (dim.is_known() && dim.known() != tensor.dim(axis))
      wrong += formatted(" index: {} Got: {} Expected: {}\n", axis, tensor.dim(axis), dim.known());
  }
  if (wrong.empty()) return {};
  return invalid_argument(
      "Got invalid dimensions for input: {} for the following indices\n{} Please fix either the inputs/outputs or the "
      "model.",
      input.name, wrong);
}

// The inputs in the program's order: those given, and the defaults of the others.
Status Session::read_feeds(RunState& state, std::span<const Feed> feeds) const {
  const Graph& graph = state.compiled->graph();
  std::vector<Value>& inputs = state.execution.inputs();
  for (const Feed& feed : feeds) {
    const auto found = input_index_.find(feed.name);
    if (found == input_index_.end()) return invalid_argument("Invalid input name: {}", feed.name);
    if (!feed.value.defined()) return invalid_argument("input \"{}\" is given without a value", feed.name);
    const Fact& fact = graph.fact(graph.inputs()[found->second]);
    const bool wrap = fact.kind == ValueKind::optional && feed.value.kind() != ValueKind::optional;
    Value& input = inputs[found->second];
    input = wrap ? Value(OptionalValue{feed.value.type(), feed.value}) : lent(feed.value);
    if (stands_for_scalar(fact, input)) input = input.tensor().reshaped({});
  }
  std::string missing;
  for (size_t i = 0; i < graph.inputs().size(); ++i) {
    if (inputs[i].defined()) continue;
    const ValueInfo& info = graph.value(graph.inputs()[i]);
    if (info.is_initializer) {
      inputs[i] = lent(info.initial);
    } else if (info.fact.kind == ValueKind::optional && !info.fact.inner.empty()) {
      inputs[i] = OptionalValue{type_of(info.fact.inner[0]), {}};
    } else {
      missing += (missing.empty() ? "" : ", ") + info.name;
    }
  }
  if (missing.empty()) return {};
  return invalid_argument("Missing Input: {}", missing);
}

Status Session::check_feeds(const Graph& graph, std::span<const Feed> feeds) const {
  for (const Feed& feed : feeds) {
    const ValueInfo& info = graph.value(graph.inputs()[input_index_.find(feed.name)->second]);
    SDX_TRY(check_feed({info.name, asked_of_callers(info)}, feed.value));
  }
  return {};
}

Result<Session::Indices> Session::find_outputs(std::span<const std::string_view> names) const {
  Indices wanted;
  for (const std::string_view name : names) {
    const auto found = output_index_.find(name);
    if (found == output_index_.end()) return invalid_argument("Invalid output name:{}", name);
    wanted.push_back(found->second);
  }
  for (size_t i = 0; names.empty() && i < outputs_.size(); ++i) wanted.push_back(i);
  return wanted;
}

Status Session::report_broken(const std::string& broken) {
  if (broken.empty()) return {};
  if (options_.strict_shapes) return invalid_argument("{}", broken);
  if (!warned_about_symbols_.exchange(true)) SDX_LOG(*options_.logger, warning, "{}", broken);
  return {};
}

// What import could not tell: an output's shape against the one that the model declares. One warning a session.
void Session::warn_of_declared_outputs(const Compiled& compiled, const Binding& binding,
                                       std::span<const Value> results) {
  const Graph& graph = compiled.graph();
  const auto number = [&](AtomId symbol) -> std::optional<int64_t> {
    const auto reg = binding.program().sizes->defined(symbol);
    const bool known = reg && binding.program().sizes->stage_of(*reg) == 0 && binding.first_dynamic_stage() > 0;
    return known ? std::optional(binding.registers()[*reg]) : std::nullopt;
  };
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueInfo& info = graph.value(graph.outputs()[i]);
    if (!info.declared || !info.declared->shape || !results[i].is_tensor()) continue;
    if (compiled.contradicted().contains(info.name)) continue;
    const Tensor& made = results[i].tensor();
    bool as_declared = made.rank() == info.declared->rank();
    for (int axis = 0; as_declared && axis < made.rank(); ++axis) {
      const auto declared = graph.symbols().evaluate(info.declared->dim(axis), number);
      as_declared = !declared || *declared == made.dim(axis);
    }
    if (as_declared || warned_about_outputs_.exchange(true)) continue;
    SDX_LOG(*options_.logger, warning, "output \"{}\" has shape {}, the model declares {}", info.name,
            to_text(made.shape()), to_text(*info.declared, graph.symbols()));
  }
}

Profiler* Session::recording_profiler(const RunOptions& options) const {
  if (options_.profiler != nullptr && options_.profiler->is_recording()) return options_.profiler.get();
  return options.profiler != nullptr && options.profiler->is_recording() ? options.profiler : nullptr;
}

Result<std::vector<Value>> Session::run(std::span<const Feed> feeds, std::span<const std::string_view> names,
                                        std::span<const Value> given, const RunOptions& options) {
  Profiler* profiler = recording_profiler(options);
  const int64_t start = profiler != nullptr ? TraceClock::now() : 0;
  SDX_ASSIGN(const Indices wanted, find_outputs(names));
  struct Loan {
    Session& session;
    std::unique_ptr<RunState> state;
    ~Loan() { session.give_back(std::move(state)); }
  } loan{*this, take_state()};
  ExecutionState& state = loan.state->execution;
  for (Value& input : state.inputs()) input = Value();
  SDX_TRY(read_feeds(*loan.state, feeds));
  bool is_new = false;
  std::string broken;
  Binding& binding = state.bind(is_new, broken);
  if (is_new || takes_containers_) {  // a binding says nothing of what containers hold
    Status checked = check_feeds(loan.state->compiled->graph(), feeds);
    if (checked.ok() && is_new) checked = report_broken(broken);
    if (!checked.ok()) {
      if (is_new) state.forget(binding);
      return checked;
    }
  }
  std::vector<Value>& targets = loan.state->targets;
  targets.assign(given.empty() ? 0 : outputs_.size(), Value());
  for (size_t i = 0; i < wanted.size() && i < given.size(); ++i) targets[wanted[i]] = lent(given[i]);
  RunEnvironment environment;
  environment.pool = pool_.get();
  environment.cancel = options.cancel;
  environment.allocator = &*buffers_;
  environment.random_seed = next_seed_.fetch_add(1, std::memory_order_relaxed);
  std::vector<Value>& results = loan.state->results;
  {
    const ThreadPool::ActiveScope active(*pool_);
    if (profiler == nullptr) [[likely]] {
      SDX_TRY(state.run(binding, targets, results, environment));
    } else {
      if (profiler == options.profiler) profiler->set_operators(operators_by_origin(*model_->proto.graph));
      RunTrace trace(*profiler, binding.program().steps.size() + 2);
      Status ran = state.run(binding, targets, results, environment, &trace);
      trace.add_session_event(SessionEvent::run, start);
      if (!ran.ok()) return ran;
    }
  }
  buffers_->finish_run();
  if (is_new) plan::give_tables_back(binding.program());
  if (is_new) warn_of_declared_outputs(*loan.state->compiled, binding, results);
  return take_results(results, wanted);
}

// In the order asked for. One that is asked for twice is copied.
Result<std::vector<Value>> Session::take_results(std::span<Value> results, std::span<const size_t> wanted) {
  std::vector<Value> outputs;
  outputs.reserve(wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto before = std::find(wanted.begin(), wanted.begin() + static_cast<ptrdiff_t>(i), wanted[i]);
    if (before == wanted.begin() + static_cast<ptrdiff_t>(i)) {
      outputs.push_back(std::move(results[wanted[i]]));
      continue;
    }
    TakenMemory taken;
    SDX_ASSIGN(Value copy, detached(lent(outputs[static_cast<size_t>(before - wanted.begin())]), taken));
    outputs.push_back(std::move(copy));
  }
  for (Value& unwanted : results) unwanted = Value();
  return outputs;
}

}  // namespace sdx::runtime
