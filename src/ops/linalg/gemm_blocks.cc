// Products cut into blocks of c: rows by the height that pays for copying b's panels, columns by work and bytes.
#include <algorithm>

#include "base/stop_point.h"
#include "kernel/weight_parts.h"
#include "ops/linalg/gemm.h"
#include "ops/linalg/gemm_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockOperations = 6'000'000;    // some 20 us of a core
constexpr int64_t kBlockBytes = int64_t{1} << 19;  // of b, where few rows make memory the limit
constexpr int64_t kStreamRows = 65536;             // of packed b, where a single tile reads them
constexpr int64_t kBlockRows = 512, kShortBlockRows = 128;
// Of packed b, rows at a time: alone, and where there are more. With them, rows of a that stay in the second cache.
constexpr int64_t kDepth = 1024, kPartDepth = 768, kNearFloats = 98304, kNearRows = 512;
constexpr int64_t kFinishedRows = 256;                     // at most, of a block that is finished
constexpr int64_t kPanelsTogether = 4, kBlocksWanted = 8;  // where a panel's rows come in several parts
constexpr int64_t kWideBytes = int64_t{1} << 16;           // of packed b: less is not worth narrowing

int64_t div_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How c is cut, from its sizes alone. A panel's width differs between SIMD levels, no element's sum does.
struct Cut {
  int64_t depth;          // rows of b at a time
  int64_t rows, columns;  // of a block
  int64_t row_blocks, column_blocks;

  Cut(const GemmF32& g, const GemmTiles& tiles) {
    const int64_t m = g.m, n = g.n, k = std::max<int64_t>(g.k, 1), width = tiles.panel_width;
    const bool packed = g.packed != nullptr;
    const bool crowded = g.a.column != 1 && g.a.column % 512 == 0;  // few sets of the nearest cache hold a tile's a
    if (!packed || crowded) {
      depth = kPanelRows;
    } else {
      depth = m <= tiles.max_rows ? kStreamRows : k <= kDepth ? k : div_up(k, div_up(k, kPartDepth));
    }
    int64_t most = packed ? std::clamp(kNearFloats / depth, int64_t{tiles.max_rows}, kNearRows) : kBlockRows;
    if (g.finish != nullptr) most = std::min(most, kFinishedRows);
    row_blocks = div_up(m, most);
    rows = div_up(m, row_blocks);
    const int64_t by_work = kBlockOperations / (2 * k * rows);
    const int64_t by_bytes = std::max(kBlockBytes / (k * static_cast<int64_t>(sizeof(float))), 4 * width);
    const int64_t together =
        packed && depth < k ? std::min(kPanelsTogether * width, n * row_blocks / kBlocksWanted) : 0;
    const int64_t wanted = std::clamp(std::max(std::min(by_work, by_bytes), together), width, std::max(n, width));
    column_blocks = div_up(n, div_up(wanted, width) * width);
    columns = div_up(div_up(n, column_blocks), width) * width;
    column_blocks = div_up(n, columns);
    // A thin c, or a deep product: shorter blocks share the work.
    const int64_t fitting = kBlockOperations / (2 * k * std::min(n, columns));
    const int64_t shortest = column_blocks == 1 && columns <= width ? tiles.max_rows : std::min(rows, kShortBlockRows);
    rows = std::min(rows, std::max(div_up(fitting, tiles.max_rows) * tiles.max_rows, shortest));
    row_blocks = div_up(m, rows);
    rows = div_up(m, row_blocks);
  }
  int64_t blocks() const { return row_blocks * column_blocks; }
};

const GemmTiles& tiles_of(const GemmF32& g) { return g.packed != nullptr ? g.packed->tiles() : gemm_tiles(); }

// Where a tile reads its panel from: packed memory, b itself, or a copy.
class Panels {
 public:
  Panels(const GemmF32& g, const GemmTiles& tiles, int64_t rows)
      : g_(g),
        tiles_(tiles),
        direct_(g.packed == nullptr && g.fill == nullptr && g.b.column == 1 && rows <= 2 * tiles.max_rows) {}

  bool in_place(int64_t columns) const { return g_.packed != nullptr || (direct_ && columns == tiles_.panel_width); }

  void select(TileArgs& t, int64_t p, int64_t column, int64_t columns) {
    const int64_t width = tiles_.panel_width;
    if (g_.packed != nullptr) {
      t.b = g_.packed->panel(column / width, p);
      t.b_type = g_.packed->type();
      t.b_row = width;
      t.panel_stride = g_.k * width;
      return;
    }
    if (in_place(columns)) {
      t.b = g_.b.data + p * g_.b.row + column;
      t.b_row = g_.b.row;
      t.panel_stride = width;
      return;
    }
    if (g_.fill != nullptr) {
      (*g_.fill)(g_.source, p, t.k, column, columns, copy_);
    } else {
      const float* from = g_.b.data + p * g_.b.row + column * g_.b.column;
      tiles_.copy_panel(from, g_.b.row, g_.b.column, t.k, columns, copy_);
    }
    t.b = copy_;
    t.b_row = width;
  }

 private:
  const GemmF32& g_;
  const GemmTiles& tiles_;
  const bool direct_;
  alignas(64) float copy_[kPanelRows * kMaxPanelWidth];
};

struct Range {
  int64_t begin, end;
};

// What the product reads of packed weights after rows p.. of the panel in front of `column`.
const void* next_panel(const GemmF32& g, Range columns, int64_t depth, int64_t p, int64_t column) {
  const int64_t width = g.packed->tiles().panel_width;
  if (column < columns.end) return g.packed->panel(column / width, p);
  if (p + depth < g.k) return g.packed->panel(columns.begin / width, p + depth);
  return column < g.n ? g.packed->panel(column / width, 0) : nullptr;
}

// Where weights lie in small pages, finding those takes longer than reading them: all of them at once, in good time.
void find_pages(const void* from, int64_t bytes) {
  constexpr int64_t kPage = 4096;
  const auto* at = static_cast<const char*>(from);
  for (int64_t i = 0; i < bytes; i += kPage) __builtin_prefetch(at + i, 0, 2);
}

void prefetch_rows(const float* c, int64_t c_row, int64_t rows, int64_t columns) {
  for (int64_t row = 0; row < rows; ++row, c += c_row) {
    __builtin_prefetch(c, 1, 2);
    __builtin_prefetch(c + columns - 1, 1, 2);
  }
}

void multiply_block(const GemmF32& g, const GemmTiles& tiles, int64_t depth, Range rows, Range columns) {
  const int64_t width = tiles.panel_width;
  Panels panels(g, tiles, rows.end - rows.begin);
  alignas(64) float made[kFinishedRows * kMaxPanelWidth];
  const WeightType type = g.packed != nullptr ? g.packed->type() : WeightType::f32;
  const int several = tiles.panels_at_once(rows.end - rows.begin, type);
  TileArgs t{.rows = rows.end - rows.begin, .a_row = g.a.row, .a_column = g.a.column};
  t.from_row = g.c_row;
  if (g.packed != nullptr) t.ahead_row = width * bytes_of(g.packed->type());
  t.low = g.low;
  t.high = g.high;
  const bool clips = g.low > -std::numeric_limits<float>::infinity() || g.high < std::numeric_limits<float>::infinity();
  for (int64_t p = 0; p == 0 || p < g.k; p += depth) {
    t.k = std::min(depth, g.k - p);
    stop_point(t.k);  // the depth of a block has no bound
    t.clips = clips && p + t.k >= g.k;
    t.a = g.a.data + rows.begin * g.a.row + p * g.a.column;
    if (g.start == GemmF32::Start::per_row) t.row_bias = g.bias + rows.begin;
    int64_t step = 0;
    for (int64_t column = columns.begin; column < columns.end; column += step) {
      const int64_t left = columns.end - column;
      step = std::min(width, left);
      t.columns = step;
      if (several > 1 && left >= several * width && panels.in_place(width)) t.columns = step = several * width;
      panels.select(t, p, column, std::min(width, left));
      if (g.packed != nullptr) {
        t.ahead = next_panel(g, columns, depth, p, column + step);
        for (int64_t i = 0; t.ahead != nullptr && t.rows > tiles.max_rows && i * width < step; ++i)
          find_pages(static_cast<const std::byte*>(t.ahead) + i * g.k * t.ahead_row, t.k * t.ahead_row);
      }
      float* c = g.c + rows.begin * g.c_row + column;
      const bool finishes = g.finish != nullptr && p + t.k >= g.k;
      t.c = finishes ? made : c;
      t.c_row = finishes ? t.columns : g.c_row;
      t.from = p > 0 || g.start == GemmF32::Start::c ? c : nullptr;
      if (finishes) prefetch_rows(c, g.c_row, t.rows, t.columns);
      if (g.start == GemmF32::Start::per_column) t.column_bias = g.bias + column;
      tiles.multiply(t);
      if (finishes) (*g.finish)(made, c, t.rows, t.columns);
    }
  }
}

void multiply_block(const GemmF32& g, const GemmTiles& tiles, const Cut& cut, int64_t block) {
  const int64_t row = block / cut.column_blocks * cut.rows, column = block % cut.column_blocks * cut.columns;
  multiply_block(g, tiles, cut.depth, {row, std::min(row + cut.rows, g.m)},
                 {column, std::min(column + cut.columns, g.n)});
}

// A single column of c would leave most of a panel empty: as a row of the transposed product it fills it.
GemmF32 oriented(const GemmF32& g) {
  if (g.n != 1 || g.m == 1 || g.c_row != 1 || g.packed != nullptr || g.fill != nullptr) return g;
  using Start = GemmF32::Start;
  GemmF32 flipped = g;
  flipped.m = 1;
  flipped.n = g.m;
  flipped.a = {.data = g.b.data, .row = g.b.column, .column = g.b.row};
  flipped.b = {.data = g.a.data, .row = g.a.column, .column = g.a.row};
  flipped.c_row = g.m;
  if (g.start == Start::per_row) flipped.start = Start::per_column;
  if (g.start == Start::per_column) flipped.start = Start::per_row;
  return flipped;
}

}  // namespace

int64_t gemm_panel_width() { return gemm_tiles().panel_width; }

void gemm(const GemmF32& product) {
  if (product.m <= 0 || product.n <= 0) return;
  const GemmF32 g = oriented(product);
  const GemmTiles& tiles = tiles_of(g);
  const Cut cut(g, tiles);
  for (int64_t block = 0; block < cut.blocks(); ++block) multiply_block(g, tiles, cut, block);
}

Status gemm(KernelContext& ctx, const GemmF32& product) {
  if (product.m <= 0 || product.n <= 0) return {};
  const GemmF32 g = oriented(product);
  const GemmTiles& tiles = tiles_of(g);
  const Cut cut(g, tiles);
  return parallel_ranges(ctx, cut.blocks(), 1, [&](int64_t block, int64_t) {
    const StopScope stops(ctx.environment().cancel);
    multiply_block(g, tiles, cut, g.order == GemmF32::Order::forward ? block : cut.blocks() - 1 - block);
  });
}

Status gemm_batch(KernelContext& ctx, int64_t count, FunctionRef<GemmF32(int64_t)> at) {
  if (count <= 0) return {};
  const GemmF32 first = oriented(at(0));
  if (first.m <= 0 || first.n <= 0) return {};
  const GemmTiles& tiles = tiles_of(first);
  const Cut cut(first, tiles);
  const int64_t operations = 2 * first.m * std::max<int64_t>(first.k, 1) * first.n / cut.blocks();
  const int64_t grain = std::max<int64_t>(1, kBlockOperations / std::max<int64_t>(operations, 1));
  return parallel_ranges(ctx, count * cut.blocks(), cut.blocks() > 1 ? 1 : grain, [&](int64_t begin, int64_t end) {
    const StopScope stops(ctx.environment().cancel);
    for (int64_t i = begin; i < end; ++i) multiply_block(oriented(at(i / cut.blocks())), tiles, cut, i % cut.blocks());
  });
}

int64_t PackedF32::bytes_for(int64_t k, int64_t n) {
  const int64_t width = gemm_tiles().panel_width;
  const auto count = checked_mul(k, div_up(n, width) * width);
  return (count ? checked_mul(*count, sizeof(float)) : std::nullopt).value_or(0);
}

const void* PackedF32::panel(int64_t index, int64_t row) const {
  return static_cast<const std::byte*>(memory_.get()) + (index * k_ + row) * tiles_->panel_width * bytes_of(type_);
}

namespace {

constexpr int64_t kLookedAt = 8;  // rows that tell most weights of 32 bits, before there is memory for others

bool may_be(WeightType type, const GemmTiles& tiles, const float* panel, int64_t rows) {
  uint16_t narrow[kLookedAt * kMaxPanelWidth];
  return tiles.narrow(type, panel, rows * tiles.panel_width, narrow);
}

}  // namespace

Result<PackedF32> PackedF32::create(PanelFill fill, const void* source, int64_t k, int64_t n) {
  const GemmTiles& tiles = gemm_tiles();
  for (const WeightType type : {WeightType::bf16, WeightType::f16}) {
    if (!tiles.takes_half || bytes_for(k, n) < kWideBytes) break;
    alignas(64) float first[kLookedAt * kMaxPanelWidth];
    fill(source, 0, std::min(k, kLookedAt), 0, std::min<int64_t>(n, tiles.panel_width), first);
    if (!may_be(type, tiles, first, std::min(k, kLookedAt))) continue;
    SDX_ASSIGN(PackedF32 narrow, create(fill, source, k, n, type));
    if (narrow.defined()) return narrow;
  }
  return create(fill, source, k, n, WeightType::f32);
}

namespace {

Status too_large(int64_t k, int64_t n) {
  return invalid_argument("a packed matrix of {} x {} elements is too large", k, n);
}

}  // namespace

// Undefined where an element is no value of the type.
Result<PackedF32> PackedF32::create(PanelFill fill, const void* source, int64_t k, int64_t n, WeightType type) {
  PackedF32 packed;
  packed.tiles_ = &gemm_tiles();
  packed.type_ = type;
  packed.k_ = k;
  packed.n_ = n;
  const int64_t width = packed.tiles_->panel_width;
  const auto count = checked_mul(k, div_up(n, width) * width);
  const auto bytes = count ? checked_mul(*count, bytes_of(type)) : std::nullopt;
  if (!bytes) return too_large(k, n);
  packed.bytes_ = static_cast<size_t>(*bytes);
  SDX_ASSIGN(packed.memory_, allocate_bytes(packed.bytes_));
  auto* to = static_cast<std::byte*>(packed.memory_.get());
  alignas(64) float wide[kPanelRows * kMaxPanelWidth];
  for (int64_t column = 0; column < n; column += width)
    for (int64_t p = 0; p < k; p += kPanelRows) {
      const int64_t rows = std::min(kPanelRows, k - p);
      float* panel = type == WeightType::f32 ? reinterpret_cast<float*>(to) : wide;
      fill(source, p, rows, column, std::min(width, n - column), panel);
      if (type != WeightType::f32 && !packed.tiles_->narrow(type, wide, rows * width, to)) return PackedF32();
      to += rows * width * bytes_of(type);
    }
  return packed;
}

// From a file in parts that lie together in b: some rows, or some columns.
Result<PackedF32> PackedF32::create(MatrixF32 b, int64_t k, int64_t n) {
  const GemmTiles& tiles = gemm_tiles();
  WeightParts parts;
  const bool by_rows = b.column == 1 && b.row == n, by_columns = b.row == 1 && b.column == k;
  const int64_t part = static_cast<int64_t>(WeightParts::kPart / sizeof(float)), width = tiles.panel_width;
  if (!by_rows && !by_columns) b.data = parts.floats(b.data, (k - 1) * b.row + (n - 1) * b.column + 1);
  const int64_t together = std::max<int64_t>(part / std::max<int64_t>(k, 1) / width, 1) * width;  // columns
  const auto fill = [&](const void*, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
    const float* from = b.data + p * b.row + column * b.column;
    if (by_columns) {
      const int64_t first = column / together * together;
      from = parts.floats(b.data + first * k, std::min(together, n - first) * k) + (column - first) * k + p;
    }
    tiles.copy_panel(from, b.row, b.column, count, columns, panel);
  };
  if (!by_rows || !WeightParts::has(b.data)) return create(fill, nullptr, k, n);
  const int64_t rows = std::clamp<int64_t>(part / std::max<int64_t>(n, 1), 1, kPanelRows);
  alignas(64) float wide[kPanelRows * kMaxPanelWidth];
  const auto pack_as = [&](WeightType type) -> Result<PackedF32> {
    PackedF32 packed;
    packed.tiles_ = &tiles;
    packed.type_ = type;
    packed.k_ = k;
    packed.n_ = n;
    const auto bytes = checked_mul(bytes_for(k, n), bytes_of(type));
    if (!bytes || *bytes == 0) return too_large(k, n);
    packed.bytes_ = static_cast<size_t>(*bytes) / sizeof(float);
    SDX_ASSIGN(packed.memory_, allocate_bytes(packed.bytes_));
    for (int64_t p = 0; p < k; p += rows) {
      const int64_t count = std::min(rows, k - p);
      const float* from = parts.floats(b.data + p * n, count * n);
      for (int64_t column = 0; column < n; column += width) {
        auto* to = static_cast<std::byte*>(packed.memory_.get()) + (column / width * k + p) * width * bytes_of(type);
        float* panel = type == WeightType::f32 ? reinterpret_cast<float*>(to) : wide;
        tiles.copy_panel(from + column, n, 1, count, std::min(width, n - column), panel);
        if (type != WeightType::f32 && !tiles.narrow(type, wide, count * width, to)) return PackedF32();
      }
    }
    return packed;
  };
  for (const WeightType type : {WeightType::bf16, WeightType::f16}) {
    if (!tiles.takes_half || bytes_for(k, n) < kWideBytes) break;
    const int64_t some = std::min({k, rows, kLookedAt});
    tiles.copy_panel(parts.floats(b.data, std::min(rows, k) * n), n, 1, some, std::min(width, n), wide);
    if (!may_be(type, tiles, wide, some)) continue;
    SDX_ASSIGN(PackedF32 narrow, pack_as(type));
    if (narrow.defined()) return narrow;
  }
  return pack_as(WeightType::f32);
}

}  // namespace sdx::ops
