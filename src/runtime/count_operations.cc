#include "runtime/count_operations.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sdx::runtime {
namespace {

using Dims = std::span<const int64_t>;

struct Operands {
  std::vector<Dims> inputs, outputs;
  Dims input(size_t i) const { return i < inputs.size() ? inputs[i] : Dims(); }
};

int64_t count(Dims dims) { return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies()); }

// Two operations for each element of the result and each of what is summed for it.
std::optional<int64_t> products(Dims result, int64_t summed) { return 2 * count(result) * summed; }

std::optional<int64_t> matrix_product(const Operands& of, const Node& node) {
  const Dims a = of.input(0);
  if (a.empty()) return std::nullopt;
  const bool transposed = node.attributes.get_int("transA", 0) != 0 && a.size() > 1;
  return products(of.outputs[0], transposed ? a[a.size() - 2] : a.back());
}

std::optional<int64_t> convolution(const Operands& of, size_t weight) {
  const Dims w = of.input(weight);
  if (w.size() < 3 || w[0] == 0) return std::nullopt;
  return products(of.outputs[0], count(w) / w[0]);
}

std::optional<int64_t> transposed_convolution(const Operands& of) {
  const Dims w = of.input(1);
  if (w.size() < 3 || w[0] == 0) return std::nullopt;
  return products(of.input(0), count(w) / w[0]);
}

// Queries meet keys, and their scores the values: [batch, heads, positions, channels], or other orders of the same.
std::optional<int64_t> attention(const Operands& of, const Node& node) {
  const Dims q = of.input(0), k = of.input(1), y = of.outputs[0];
  if (q.size() < 3 || k.size() != q.size()) return std::nullopt;
  const bool grown = of.outputs.size() > 1 && of.outputs[1].size() == 4;  // with what was there before
  const bool turned = node.attributes.get_int("k_by_position", 0) != 0;
  const int64_t keys = grown ? of.outputs[1][2] : k[k.size() - (turned ? 3 : 2)];
  return 2 * keys * (count(q) + count(y));
}

// Both weights [directions, gates * hidden, width] meet each step of each row of the batch.
std::optional<int64_t> recurrent(const Operands& of) {
  const Dims x = of.input(0), w = of.input(1), r = of.input(2);
  if (x.size() != 3 || w.size() != 3 || r.size() != 3) return std::nullopt;
  return 2 * x[0] * x[1] * (count(w) + count(r));
}

}  // namespace

std::optional<int64_t> count_operations(const Node& node, const TensorList& inputs, const TensorList& outputs) {
  Operands of;
  inputs.for_each([&](const auto& entry) { of.inputs.push_back(entry.dims); });
  outputs.for_each([&](const auto& entry) { of.outputs.push_back(entry.dims); });
  if (of.outputs.empty()) return std::nullopt;
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, std::string_view(node.op)) != names.end();
  };
  if (is({"MatMul", "Gemm", "MatMulInteger", "QLinearMatMul", "FusedMatMul", "FusedGemm", "MatMulNBits",
          "MatMulIntegerToFloat", "DynamicQuantizeMatMul", "QGemm", "BiasMatMul"}))
    return matrix_product(of, node);
  if (is({"Conv", "FusedConv", "ConvInteger"})) return convolution(of, 1);
  if (is({"QLinearConv"})) return convolution(of, 3);
  if (is({"ConvTranspose"})) return transposed_convolution(of);
  const bool projects = node.op == "Attention" && node.domain == "com.microsoft";
  if (is({"ScaledDotProductAttention", "Attention", "MultiHeadAttention", "GroupQueryAttention"}) && !projects)
    return attention(of, node);
  if (is({"LSTM", "GRU", "RNN", "DynamicQuantizeLSTM"})) return recurrent(of);
  return std::nullopt;
}

}  // namespace sdx::runtime
