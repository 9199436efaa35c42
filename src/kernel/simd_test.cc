// Tiny kernels through every compiled target: load_n and store_n keep inside their bounds, clamps keep NaN, the
// dispatch obeys the cap.
#include "base/simd_targets.h"  // first

#include "kernel/clamp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

template <typename T>
void twice(const T* x, T* y, size_t count) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < count; i += lanes) {
    const auto v = load_n(d, x + i, count - i);
    store_n(hn::Add(v, v), d, y + i, count - i);
  }
}
void twice_f32(const float* x, float* y, size_t count) { twice(x, y, count); }
void twice_f64(const double* x, double* y, size_t count) { twice(x, y, count); }
void twice_i8(const int8_t* x, int8_t* y, size_t count) { twice(x, y, count); }
void twice_u16(const uint16_t* x, uint16_t* y, size_t count) { twice(x, y, count); }
void twice_i64(const int64_t* x, int64_t* y, size_t count) { twice(x, y, count); }

void clamp_all(const float* x, float low, float high, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(clamped(hn::Set(d, low), hn::Set(d, high), load_n(d, x + i, count - i)), d, y + i, count - i);
}

size_t vector_bytes() { return hn::Lanes(hn::ScalableTag<uint8_t>()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace sdx {
namespace {

// Memory whose end lies against a page that must not be touched.
class GuardedEnd {
 public:
  GuardedEnd() : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    base_ =
        static_cast<std::byte*>(mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + page_, page_, PROT_NONE);
  }
  ~GuardedEnd() { munmap(base_, 2 * page_); }
  template <typename T>
  T* last(size_t count) const {
    return reinterpret_cast<T*>(base_ + page_) - count;
  }

 private:
  size_t page_;
  std::byte* base_;
};

template <typename T>
void check_bounds(void (*kernel)(const T*, T*, size_t)) {
  const GuardedEnd x_memory, y_memory;
  for (size_t count = 0; count <= 130; ++count) {
    T* x = x_memory.last<T>(count);
    T* y = y_memory.last<T>(count);
    for (size_t i = 0; i < count; ++i) x[i] = static_cast<T>(i % 60 + 1);
    std::memset(static_cast<void*>(y - 64), 0x55, 64 * sizeof(T));
    kernel(x, y, count);
    for (size_t i = 0; i < count; ++i) ASSERT_EQ(y[i], static_cast<T>(2 * (i % 60 + 1))) << i << " of " << count;
    T untouched;
    std::memset(static_cast<void*>(&untouched), 0x55, sizeof(T));
    for (size_t i = 1; i <= 64; ++i) ASSERT_EQ(std::memcmp(y - i, &untouched, sizeof(T)), 0);
  }
}

TEST(simd, load_n_and_store_n_stay_inside_at_every_level) {
  for_each_isa([](Isa isa) {
    SCOPED_TRACE(std::string(name(isa)));
    check_bounds(SDX_DISPATCH(twice_f32));
    check_bounds(SDX_DISPATCH(twice_f64));
    check_bounds(SDX_DISPATCH(twice_i8));
    check_bounds(SDX_DISPATCH(twice_u16));
    check_bounds(SDX_DISPATCH(twice_i64));
  });
}

constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(simd, clamps_keep_nan_and_the_sign_of_zero_at_every_level) {
  struct Case {
    float low, high;
    std::array<float, 8> wanted;
  };
  constexpr std::array<float, 8> kX = {kNaN, -kNaN, -kInf, kInf, -0.0f, 0.0f, -5, 5};
  constexpr Case kCases[] = {{-kInf, kInf, kX},
                             {0, kInf, {kNaN, -kNaN, 0, kInf, -0.0f, 0.0f, 0, 5}},
                             {-2, 3, {kNaN, -kNaN, -2, 3, -0.0f, 0.0f, -2, 3}},
                             {4, 3, {kNaN, -kNaN, 3, 3, 3, 3, 3, 3}}};
  for_each_isa([&](Isa isa) {
    for (const Case& one : kCases) {
      std::array<float, 8> y = {};
      SDX_DISPATCH(clamp_all)(kX.data(), one.low, one.high, y.data(), y.size());
      for (size_t i = 0; i < y.size(); ++i)
        EXPECT_EQ(std::bit_cast<uint32_t>(y[i]), std::bit_cast<uint32_t>(one.wanted[i]))
            << kX[i] << " in " << one.low << " to " << one.high << " at " << name(isa) << ": " << y[i];
    }
  });
}

#if defined(__x86_64__)
TEST(simd, the_dispatch_takes_the_best_target_under_the_cap) {
  for_each_isa([](Isa isa) {
    const bool has_avx3 = (HWY_TARGETS & HWY_AVX3) != 0, has_avx2 = (HWY_TARGETS & HWY_AVX2) != 0;
    const size_t wanted = has_avx3 && isa >= Isa::avx512 ? 64 : has_avx2 && isa >= Isa::avx2 ? 32 : 16;
    EXPECT_EQ(SDX_DISPATCH(vector_bytes)(), wanted) << name(isa);
  });
}
#endif

}  // namespace
}  // namespace sdx
#endif
