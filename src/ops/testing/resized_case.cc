#include "ops/testing/resized_case.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "base/element.h"
#include "ops/op_facts.h"

namespace sdx::ops::testing {
namespace {

constexpr int64_t kMaxElements = 20000;

class Sizes {
 public:
  Sizes(const std::vector<Value>& inputs, std::mt19937& random) : random_(random) {
    std::map<int64_t, bool> seen;
    for (const Value& input : inputs)
      if (input.defined())
        for (const int64_t dim : input.tensor().shape()) seen[dim] = true;
    for (const auto& [dim, used] : seen) sizes_[dim] = dim < 2 ? dim : choose(dim);
  }
  int64_t of(int64_t dim) const {
    const auto found = sizes_.find(dim);
    return found == sizes_.end() ? dim : found->second;
  }

 private:
  int64_t choose(int64_t dim) {
    constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 64, 65, 100};
    if (random_() % 3 == 0) return dim;
    for (const auto& [smaller, size] : sizes_)
      if (smaller > 1 && dim % smaller == 0 && random_() % 2 == 0) return dim / smaller * size;
    return kSizes[random_() % std::size(kSizes)];
  }

  std::mt19937& random_;
  std::map<int64_t, int64_t> sizes_;
};

Result<Tensor> resized_text(const Tensor& tensor, const Shape& shape, std::mt19937& random) {
  StringTensorBuilder builder;
  for (int64_t i = 0; i < count_of(shape); ++i)
    builder.append(tensor.string_at(static_cast<int64_t>(random()) % tensor.count()));
  return builder.finish(shape);
}

void fill(Tensor& made, const Tensor& tensor, std::mt19937& random) {
  double low = INFINITY, high = -INFINITY;
  const bool floating = is_floating(tensor.dtype());
  for (int64_t i = 0; floating && i < tensor.count(); ++i) {
    const double value = load_double(tensor, i);
    if (!std::isfinite(value)) continue;
    low = std::min(low, value), high = std::max(high, value);
  }
  for (int64_t i = 0; i < made.count(); ++i) {
    const int64_t from = static_cast<int64_t>(random()) % tensor.count();
    if (is_complex(tensor.dtype())) {
      store_complex(made.dtype(), made.raw(), i, load_complex(tensor.dtype(), tensor.raw(), from));
    } else if (!floating) {
      store_i64(made, i, load_i64(tensor, from));
    } else if (low < high && random() % 4 != 0) {
      store_double(made, i, low + (high - low) * (static_cast<double>(random() % 65536) / 65535));
    } else {
      store_double(made, i, load_double(tensor, from));
    }
  }
}

// Elements that are sizes may be those of dimensions that have changed.
Result<Tensor> renamed(const Tensor& tensor, const Sizes& sizes, std::mt19937& random) {
  SDX_ASSIGN(Tensor made, clone(tensor));
  if (!is_integer(tensor.dtype()) || random() % 2 == 0) return made;
  for (int64_t i = 0; i < made.count(); ++i) store_i64(made, i, sizes.of(load_i64(tensor, i)));
  return made;
}

struct Coverage {
  std::map<std::string, uint64_t> counts;
  ~Coverage() {
    const char* path = std::getenv("SARDONYX_KERNEL_COVERAGE");
    std::FILE* file = path != nullptr ? std::fopen(path, "a") : nullptr;
    if (file == nullptr) return;
    for (const OpEntry& op : all_ops()) {
      if (op.cpu_kernels == nullptr) continue;
      for (const Kernel& kernel : op.cpu_kernels->kernels()) {
        const std::string name = formatted("{}:{}\t{}", op.domain, op.name, kernel.name);
        std::fputs(formatted("{}\t{}\n", name, counts[name]).c_str(), file);
      }
    }
    std::fclose(file);
  }
};

}  // namespace

std::optional<std::vector<Value>> resized(const Contract& contract, const std::vector<Value>& inputs,
                                          std::mt19937& random) {
  for (const Value& input : inputs)
    if (input.defined() && !input.is_tensor()) return std::nullopt;
  const Sizes sizes(inputs, random);
  std::vector<Value> made(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined()) continue;
    const Tensor& tensor = inputs[i].tensor();
    Shape shape;
    for (const int64_t dim : tensor.shape()) shape.push_back(sizes.of(dim));
    const auto count = checked_count(shape);
    if (!count || *count > kMaxElements || (*count > 0 && tensor.count() == 0)) return std::nullopt;
    const bool decides = i < 32 && ((contract.needs_values >> i) & 1) != 0;
    Result<Tensor> one = decides                           ? renamed(tensor, sizes, random)
                         : tensor.dtype() == DType::string ? resized_text(tensor, shape, random)
                                                           : Tensor::allocate(tensor.dtype(), shape);
    if (!one.ok()) return std::nullopt;
    if (!decides && tensor.dtype() != DType::string) fill(*one, tensor, random);
    made[i] = std::move(one).value();
  }
  return made;
}

void count_comparison(std::string_view domain, std::string_view op, std::string_view kernel) {
  static Coverage coverage;
  ++coverage.counts[formatted("{}:{}\t{}", domain, op, kernel)];
}

}  // namespace sdx::ops::testing
