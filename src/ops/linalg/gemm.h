// Float32 matrix products for kernels, on plain pointers:
//   c[i,j] = clip(start[i,j] + sum over p of a[i,p] * b[p,j])
// Each element is one chain of multiply-adds over p in ascending order, whatever the sizes, blocks and threads: a row
// has the same bits alone as among others.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "kernel/kernel.h"

namespace sdx::ops {

struct GemmTiles;  // gemm_tiles.h: the code of one SIMD level
enum class WeightType : uint8_t;

// A matrix in memory with any strides (in elements): element (i, j) is data[i * row + j * column].
struct MatrixF32 {
  const float* data = nullptr;
  int64_t row = 0;
  int64_t column = 1;
};

// Writes rows [p, p + count) of columns [column, column + columns) of some matrix b as
// panel[count][gemm_panel_width()], with zeros beyond `columns`. For b that is of another type (converted, dequantized)
// or only thought of (im2col).
using PanelFill =
    FunctionRef<void(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel)>;

// b cut into panels of some columns each, in the order that the product reads. Made once where b is a constant.
// Elements that are all values of float16, or of bfloat16, are kept in 16 bits: those of a model of such a type,
// whatever has widened them. Belongs to the SIMD level in force when it was made.
class PackedF32 {
 public:
  static constexpr std::string_view kForm = "f32_panels.2";
  static int64_t bytes_for(int64_t k, int64_t n);  // 0 where it overflows
  PackedF32() = default;
  static Result<PackedF32> create(MatrixF32 b, int64_t k, int64_t n);
  static Result<PackedF32> create(PanelFill fill, const void* source, int64_t k, int64_t n);

  bool defined() const { return tiles_ != nullptr; }
  int64_t k() const { return k_; }
  int64_t n() const { return n_; }
  const GemmTiles& tiles() const { return *tiles_; }
  WeightType type() const { return type_; }
  const void* panel(int64_t index, int64_t row) const;  // from that row on: [k][panel width], zeros beyond n
  size_t byte_size() const { return bytes_; }

 private:
  static Result<PackedF32> create(PanelFill fill, const void* source, int64_t k, int64_t n, WeightType type);

  const GemmTiles* tiles_ = nullptr;
  WeightType type_ = {};
  int64_t k_ = 0, n_ = 0;
  size_t bytes_ = 0;
  std::shared_ptr<void> memory_;
};

// One product. b comes from one of three places: packed, b, or fill.
struct GemmF32 {
  int64_t m = 0, n = 0, k = 0;
  MatrixF32 a = {};
  MatrixF32 b = {};
  const PackedF32* packed = nullptr;
  // Called for every panel in every block of rows: cheap beside the product where m is not tiny.
  const PanelFill* fill = nullptr;
  const void* source = nullptr;  // what `fill` gets

  float* c = nullptr;
  int64_t c_row = 0;  // stride of rows; columns lie together

  // What each sum starts from: c itself, one value a row (m), one value a column (n), or zero.
  enum class Start : uint8_t { zero, c, per_row, per_column } start = Start::zero;
  const float* bias = nullptr;

  // The ends of the clip: {0, infinity} is Relu. NaN stays NaN.
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();

  // Writes some rows and columns of c from what the product `made` of them, rows of `columns` elements one after
  // another, which it may change. Called by the thread that made them.
  using Finish = FunctionRef<void(float* made, float* c, int64_t rows, int64_t columns)>;
  const Finish* finish = nullptr;

  // Of products with the same b one after another, every second one from its end: what the last one read is near still.
  enum class Order : uint8_t { forward, backward } order = Order::forward;
};

int64_t gemm_panel_width();  // columns of a panel at the SIMD level in force

// On the caller's thread. Allocates nothing.
void gemm(const GemmF32& product);
// Over the pool's threads, cut by the sizes alone.
Status gemm(KernelContext& ctx, const GemmF32& product);
// `count` products of the same sizes; `at(i)` gives the i-th, from any thread.
Status gemm_batch(KernelContext& ctx, int64_t count, FunctionRef<GemmF32(int64_t)> at);

}  // namespace sdx::ops
