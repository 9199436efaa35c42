// split_tool [--splits N] [--share X] MODEL...: each model whole and split between three providers by rules, on made-up
// inputs. Prints a line a model; fails where values differ by more than a part in 1000 of the largest.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "onnx/model_file.h"
#include "providers/testing/rule_provider.h"
#include "runtime/session.h"

namespace {

using namespace sdx;  // NOLINT: a tool
using providers::RuleProvider;
using providers::Rules;

struct Inputs {
  std::vector<std::string> names;
  std::vector<Value> values;
  std::vector<runtime::Feed> feeds() const {
    std::vector<runtime::Feed> list;
    for (size_t i = 0; i < names.size(); ++i) list.push_back({names[i], values[i]});
    return list;
  }
};

// Floats between -1 and 1, whole numbers 0 and 1; 2 for every size that the model leaves open.
Result<Inputs> make_inputs(const runtime::Session& session) {
  Inputs inputs;
  for (const auto& input : session.inputs()) {
    if (!input.fact.is_tensor() || !input.fact.shape || input.fact.dtype == DType::string)
      return not_implemented("input {} is not made here", input.name);
    Shape shape;
    for (const Dim& dim : *input.fact.shape) shape.push_back(dim.is_known() ? dim.known() : 2);
    SDX_ASSIGN(Tensor tensor, Tensor::allocate(input.fact.dtype, shape));
    std::memset(tensor.raw(), 0, tensor.byte_size());
    for (int64_t i = 0; i < tensor.count(); ++i) {
      if (tensor.dtype() == DType::f32) tensor.data<float>()[i] = std::sin(0.7f * static_cast<float>(i));
      if (tensor.dtype() == DType::i64) tensor.data<int64_t>()[i] = i % 2;
    }
    inputs.names.push_back(input.name);
    inputs.values.emplace_back(std::move(tensor));
  }
  return inputs;
}

using Rule = std::shared_ptr<const RuleProvider>;
std::vector<Rule> rules_of(uint64_t seed, double share) {
  std::vector<Rule> rules;
  for (uint64_t i = 0; i < 3; ++i) {
    Rules made;
    made.name = formatted("Provider{}", i + 1);
    made.style = (seed + i) % 2 == 0 ? Rules::Style::kernels : Rules::Style::compiles;
    made.memory = (seed / 2 + i) % 3 == 0 ? Rules::Memory::shared : Rules::Memory::own;
    made.share = share;
    made.seed = seed * 3 + i;
    rules.push_back(std::make_shared<RuleProvider>(made));
  }
  return rules;
}

Result<std::unique_ptr<runtime::Session>> load(const char* path, const std::vector<Rule>& rules) {
  static Logger silent("", Severity::fatal);
  SDX_ASSIGN(auto model, onnx::open_model(path, {}));
  runtime::SessionOptions options;
  options.logger = &silent;
  options.threads = 1;
  options.random_seed = 1;
  options.providers.assign(rules.begin(), rules.end());
  return runtime::Session::create(std::move(model), options);
}

// Of all floats, in parts of the largest; 1 where anything else differs, with `what`.
double difference(const std::vector<Value>& found, const std::vector<Value>& wanted, std::string& what) {
  double worst = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].is_tensor()) continue;
    const Tensor &a = found[i].tensor(), &b = wanted[i].tensor();
    if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return 1;
    double largest = 1e-6, apart = 0;
    if (b.dtype() == DType::f32) {
      for (int64_t at = 0; at < b.count(); ++at) {
        const float x = a.data<float>()[at], y = b.data<float>()[at];
        if (x == y || (std::isnan(x) && std::isnan(y))) continue;
        if (!std::isfinite(x) || !std::isfinite(y)) {
          what = formatted("output {} is {}, not {}", i, x, y);
          return 1;
        }
        largest = std::max(largest, std::abs(static_cast<double>(y)));
        apart = std::max(apart, std::abs(static_cast<double>(x) - y));
      }
    }
    if (apart / largest > worst) what = formatted("output {} is {} apart, its largest is {}", i, apart, largest);
    worst = std::max(worst, apart / largest);
  }
  return worst;
}

Status check(const char* path, size_t splits, double share) {
  SDX_ASSIGN(auto whole, load(path, {}));
  SDX_ASSIGN(const Inputs inputs, make_inputs(*whole));
  SDX_ASSIGN(const auto wanted, whole->run(inputs.feeds(), {}));
  double worst = 0;
  size_t groups = 0, copies = 0;
  for (uint64_t seed = 0; seed < splits; ++seed) {
    SDX_ASSIGN(auto split, load(path, rules_of(seed, share)));
    for (int again = 0; again < 2; ++again) {
      auto found = split->run(inputs.feeds(), {});
      if (!found.ok()) return std::move(found).status().with_context(formatted("split {}", seed));
      std::string what = "types or shapes differ";
      const double apart = difference(*found, wanted, what);
      worst = std::max(worst, apart);
      if (apart > 1e-3) return make_error(Code::fail, "split {}: {}", seed, what);
    }
    groups += split->compiled()->partition().groups.size();
    copies += split->compiled()->copies();
  }
  std::printf("%s: %zu groups, %zu copies, values %.1e apart at most\n", path, groups, copies, worst);
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  size_t splits = 4;
  double share = 0.4;
  int failed = 0;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--splits" && i + 1 < count) {
      splits = static_cast<size_t>(std::atoi(arguments[++i]));
    } else if (argument == "--share" && i + 1 < count) {
      share = std::atof(arguments[++i]);
    } else {
      const sdx::Status status = check(arguments[i], splits, share);
      if (!status.ok()) std::printf("%s: %s\n", arguments[i], status.message().c_str()), ++failed;
    }
    std::fflush(stdout);
  }
  return failed == 0 ? 0 : 1;
}
