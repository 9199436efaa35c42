// The ways a convolution can be computed, side by side, on one thread and with weights that are not in a cache, as
// inside a network. SARDONYX_LAYERS names a file with a layer a line, as tools/bench_choices.py writes it:
//   FORM X W STRIDES PADS DILATIONS GROUP      for example: blocked 1x64x56x56 64x64x3x3 1x1 1x1x1x1 1x1 1
// FORM is what the network gives it: blocked, first (plain in, blocked out) or plain. A benchmark is a layer, a counter
// the microseconds of a way; the label is the cost model's pick.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "ops/conv/blocked_winograd.h"
#include "ops/conv/conv_weights.h"
#include "ops/conv/few_pixels.h"
#include "ops/conv/row_conv.h"
#include "ops/op_facts.h"

namespace sdx::ops {
namespace {

Shape read_numbers(const std::string& text) {
  Shape numbers;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, 'x');) numbers.push_back(std::stoll(part));
  return numbers;
}

struct Layer {
  std::string line, form;
  Shape x, w, strides, pads, dilations, out;  // x as the model has it
  int64_t group = 1;

  explicit Layer(const std::string& text) : line(text) {
    std::stringstream in(text);
    std::string part;
    in >> form;
    for (Shape* shape : {&x, &w, &strides, &pads, &dilations}) {
      in >> part;
      *shape = read_numbers(part);
    }
    in >> group;
    const size_t axes = w.size() - 2;
    for (size_t i = 0; i < axes; ++i)
      out.push_back((x[i + 2] + pads[i] + pads[i + axes] - dilations[i] * (w[i + 2] - 1) - 1) / strides[i] + 1);
  }
  double operations() const { return 2.0 * static_cast<double>(count_of(w) * count_of(out) * x[0]); }
};

Value filled(const Shape& shape) {
  Tensor tensor = std::move(Tensor::allocate(DType::f32, shape)).value();
  for (int64_t i = 0; i < tensor.count(); ++i) tensor.data<float>()[i] = static_cast<float>(i % 7) - 3;
  return tensor;
}

Shape blocked(const Shape& plain) {
  Shape shape = plain;
  shape[1] = channel_blocks(plain[1]);
  shape.push_back(kChannelBlock);
  return shape;
}

std::vector<int64_t> numbers(const Shape& shape) { return {shape.begin(), shape.end()}; }

using State = std::unique_ptr<KernelState>;

// One way to compute a layer: the node, its operands, and copies of the weights.
class Way {
 public:
  Way(const Layer& layer, bool blocked_in, bool blocked_out)
      : x_(filled(blocked_in ? blocked(layer.x) : layer.x)), w_(filled(layer.w)), bias_(filled({layer.w[0]})) {
    Shape y{layer.x[0], layer.w[0]};
    for (const int64_t size : layer.out) y.push_back(size);
    y_ = filled(blocked_out ? blocked(y) : y);
    node_.attributes.list() = {{"group", layer.group},
                               {"pads", numbers(layer.pads)},
                               {"strides", numbers(layer.strides)},
                               {"dilations", numbers(layer.dilations)},
                               {"activation", std::string("Relu")}};
    if (blocked_out && !blocked_in) node_.attributes.set("plain_input", int64_t{1});
    node_.outputs = {0};
    facts_ = {Fact::of(x_), Fact::constant_of(w_.tensor()), Fact::of(bias_), Fact::of(y_)};
    spec_ = {.dtype = DType::f32, .shape_known = true, .shape = y_.tensor().shape()};
    ctx_.emplace(node_, inputs_, std::span(&spec_, 1), std::span(&y_, 1), environment_);
    known_.emplace(node_, std::span(fact_list_, 3));
  }
  Way(const Way&) = delete;

  const NodeFacts& facts() const { return *known_; }
  ScratchFacts scratch_facts() { return {*known_, std::span(fact_list_ + 3, 1), symbols_}; }

  bool prepare(int64_t scratch, int64_t weight_bytes, const std::function<Result<State>(const NodeFacts&)>& make,
               Status (*run)(KernelContext&)) {
    run_ = run;
    scratch_ = filled({scratch / 4 + 1});
    ctx_->set_scratch({scratch_.tensor().bytes(), scratch_.tensor().byte_size()});
    const int64_t cache = std::max<int64_t>(sysconf(_SC_LEVEL3_CACHE_SIZE), 8 << 20);
    const int64_t copies = std::clamp<int64_t>(cache * 3 / 2 / std::max<int64_t>(weight_bytes, 1), 2, 1024);
    for (int64_t i = 0; i < copies; ++i) {
      auto state = make(*known_);
      if (!state.ok()) return false;
      states_.push_back(std::move(state).value());
    }
    return true;
  }

  // The mean of some runs, in microseconds, after one that brings what a network has just written.
  double time(int64_t runs) {
    run();
    const auto begin = std::chrono::steady_clock::now();
    for (int64_t i = 0; i < runs; ++i) run();
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / static_cast<double>(runs);
  }

 private:
  void run() {
    ctx_->set_state(states_[next_].get());
    next_ = next_ + 1 == states_.size() ? 0 : next_ + 1;
    if (!run_(*ctx_).ok()) std::abort();
    benchmark::ClobberMemory();
  }

  Node node_;
  Value x_, w_, bias_, y_, scratch_;
  const Value* inputs_[3] = {&x_, &w_, &bias_};
  std::array<Fact, 4> facts_;
  const Fact* fact_list_[4] = {&facts_[0], &facts_[1], &facts_[2], &facts_[3]};
  OutputSpec spec_;
  RunEnvironment environment_;
  std::optional<KernelContext> ctx_;
  std::optional<NodeFacts> known_;
  SymbolTable symbols_;
  Status (*run_)(KernelContext&) = nullptr;
  std::vector<State> states_;
  size_t next_ = 0;
};

struct Candidate {
  std::string name;
  std::unique_ptr<Way> way;
  double least = 0;
};

// The kernels of BlockedConv; the first that takes a node has it.
void add_blocked(const Layer& layer, bool blocked_in, std::vector<Candidate>& list, std::string& pick) {
  for (const Kernel& kernel : find_op("sardonyx", "BlockedConv")->cpu_kernels->kernels()) {
    auto way = std::make_unique<Way>(layer, blocked_in, true);
    std::string name(kernel.name.substr(sizeof("blocked_conv_") - 1));
    name = name == "f32" ? (blocked_in ? "direct" : "first") : name.substr(0, name.rfind('_'));
    const bool taken = kernel.can_run(way->facts()).accepted();
    if (taken && pick.empty()) pick = name;
    const bool winograd = name == "winograd";
    if (!taken && !(winograd && blocked_in && can_transform(way->facts()).accepted())) continue;
    const int64_t scratch = kernel.scratch_bytes(way->scratch_facts()).known();
    if (way->prepare(scratch, kernel.packed_bytes(way->facts()), kernel.prepare,
                     winograd ? run_transformed : kernel.run))
      list.push_back({std::move(name), std::move(way)});
  }
}

Result<State> clone_weights(const NodeFacts& facts) {
  auto state = std::make_unique<ConvWeights>();
  SDX_ASSIGN(state->plain, clone(*facts.constant(1)));
  return State(std::move(state));
}
Result<State> make_rows(const NodeFacts& facts) {
  auto state = std::make_unique<ConvWeights>();
  SDX_ASSIGN(state->rows, pack_row_weights(facts));
  return State(std::move(state));
}
Result<State> make_panels(const NodeFacts& facts) {
  auto state = std::make_unique<ConvWeights>();
  const Tensor& w = *facts.constant(1);
  const int64_t depth = w.count() / w.dim(0);
  SDX_ASSIGN(state->panels, PackedF32::create({w.data<float>(), 1, depth}, depth, w.dim(0)));
  return State(std::move(state));
}

// Of Conv's kernel, by what it keeps of the weights.
void add_plain(const Layer& layer, std::vector<Candidate>& list, std::string& pick) {
  const auto add = [&](const char* name, Result<State> (*make)(const NodeFacts&)) {
    auto way = std::make_unique<Way>(layer, false, false);
    if (make == make_rows && !suits_rows(way->facts())) return;
    if (make == make_panels && (layer.group != 1 || count_of(layer.out) > 4096)) return;
    const int64_t depth = count_range(layer.w, 1, layer.w.size()), pixels = count_of(layer.out);
    const int64_t turned = make == make_panels ? (depth + layer.w[0]) * pixels * 4 + 4096 : 0;
    const int64_t few = make == clone_weights ? most_pixels(depth) * depth * 4 : 0;
    const int64_t scratch = std::max({turned, few, conv_scratch(way->scratch_facts()).known()});
    if (way->prepare(scratch, count_of(layer.w) * 4, make, [](KernelContext& ctx) { return run_conv_f32(ctx, {}); }))
      list.push_back({name, std::move(way)});
  };
  const Way probe(layer, false, false);
  const auto state = prepare_conv_f32(probe.facts());
  const auto& kept = static_cast<const ConvWeights&>(**state);
  pick = kept.rows.defined() ? "rows" : kept.panels.defined() ? "turned" : "columns";
  add("rows", make_rows);
  add("turned", make_panels);
  add("columns", clone_weights);
}

// Interleaved, so that what else the machine does meets all of them.
void measure(std::vector<Candidate>& list) {
  constexpr int kRounds = 11;
  constexpr double kRoundMicroseconds = 1200;
  for (int round = 0; round <= kRounds; ++round) {
    for (Candidate& c : list) {
      const auto runs =
          round == 0 ? 1 : std::clamp<int64_t>(static_cast<int64_t>(kRoundMicroseconds / c.least), 1, 256);
      const double time = c.way->time(runs);
      c.least = round <= 1 ? time : std::min(c.least, time);
    }
  }
}

void choices(benchmark::State& state, const Layer& layer) {
  std::vector<Candidate> list;
  std::string picks[3];
  add_blocked(layer, true, list, picks[0]);
  add_blocked(layer, false, list, picks[1]);
  add_plain(layer, list, picks[2]);
  for (auto _ : state) measure(list);
  for (const Candidate& c : list) state.counters[c.name] = c.least;
  state.counters["operations"] = layer.operations();
  state.SetLabel(layer.form == "blocked" ? picks[0] : layer.form == "first" ? picks[1] : picks[2]);
}

const bool registered = [] {
  const char* path = std::getenv("SARDONYX_LAYERS");
  if (path == nullptr) return false;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const Layer layer(line);
    benchmark::RegisterBenchmark(line.c_str(), [layer](benchmark::State& state) {
      choices(state, layer);
    })->Iterations(1);
  }
  return true;
}();

}  // namespace
}  // namespace sdx::ops
