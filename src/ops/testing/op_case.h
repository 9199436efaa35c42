// Operator tests as data. Each case runs on the reference, and on every CPU kernel that takes it at every SIMD level
// there is.
//   OP_CASES(Clip, {"name", {inputs}, {expected}, {attributes}}, ...);
//   OP_REJECTS(Clip, "text of the error", {inputs}, {attributes});
//   OP_SWEEP(Clip, .inputs = 3, ...);   random shapes and values, kernels against the reference
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/invoke.h"

namespace sdx::ops::testing {

inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline const Value none;

using Dims = std::initializer_list<int64_t>;
// A tensor of any numeric type from doubles (rounded as Cast does); one value fills the whole tensor.
Value tensor(DType type, Dims shape, std::initializer_list<double> values);
Value tensor_i64_values(DType type, Dims shape, std::initializer_list<int64_t> values);
inline Value f32(Dims shape, std::initializer_list<double> values) { return tensor(DType::f32, shape, values); }
inline Value f64(Dims shape, std::initializer_list<double> values) { return tensor(DType::f64, shape, values); }
inline Value f16(Dims shape, std::initializer_list<double> values) { return tensor(DType::f16, shape, values); }
inline Value i64(Dims shape, std::initializer_list<int64_t> values) {
  return tensor_i64_values(DType::i64, shape, values);
}
inline Value i32(Dims shape, std::initializer_list<int64_t> values) {
  return tensor_i64_values(DType::i32, shape, values);
}
inline Value i8(Dims shape, std::initializer_list<int64_t> values) {
  return tensor_i64_values(DType::i8, shape, values);
}
inline Value u8(Dims shape, std::initializer_list<int64_t> values) {
  return tensor_i64_values(DType::u8, shape, values);
}
inline Value boolean(Dims shape, std::initializer_list<int64_t> values) {
  return tensor_i64_values(DType::boolean, shape, values);
}
Value str(Dims shape, std::initializer_list<std::string_view> values);
inline Value f32(double value) { return f32({}, {value}); }
inline Value i64(int64_t value) { return i64({}, {value}); }

struct Case {
  std::string name;
  std::vector<Value> inputs = {};
  std::vector<Value> expected = {};
  std::vector<Attribute> attributes = {};
};

struct Rejected {
  std::vector<Value> inputs = {};
  std::vector<Attribute> attributes = {};
};

struct Sweep {
  int inputs = 1;
  int outputs = 1;
  std::vector<DType> types = {DType::f32};
  std::vector<Attribute> attributes = {};
  double low = -4, high = 4;   // of the random values
  bool special_values = true;  // NaN, infinities, zeros among them
  bool broadcast = false;      // later inputs get some dimensions of 1
  // Shapes of all inputs for one round; null: random ranks 0 to 4 with odd sizes, the same for all (see broadcast).
  std::vector<Shape> (*shapes)(uint32_t round) = nullptr;
  std::vector<Value> fixed_inputs = {};  // follow the random ones, e.g. axes
};

void run_case(std::string_view domain, std::string_view op, const Case& test);
void run_rejects(std::string_view domain, std::string_view op, std::string_view message,
                 const std::vector<Value>& inputs, const std::vector<Attribute>& attributes);
void run_sweep(std::string_view domain, std::string_view op, const Sweep& sweep);

}  // namespace sdx::ops::testing

#define OP_CASES_IN(domain, op, ...)                                                     \
  TEST(op, SDX_CONCAT(cases_, __LINE__)) {                                               \
    using namespace ::sdx::ops::testing;                                                 \
    using ::sdx::DType;                                                                  \
    using ::sdx::ops::attr;                                                              \
    for (const Case& test : std::vector<Case>{__VA_ARGS__}) run_case(domain, #op, test); \
  }
#define OP_CASES(op, ...) OP_CASES_IN("", op, __VA_ARGS__)
#define OP_REJECTS_IN(domain, op, message, ...)                      \
  TEST(op, SDX_CONCAT(rejects_, __LINE__)) {                         \
    using namespace ::sdx::ops::testing;                             \
    using ::sdx::DType;                                              \
    using ::sdx::ops::attr;                                          \
    const Rejected test{__VA_ARGS__};                                \
    run_rejects(domain, #op, message, test.inputs, test.attributes); \
  }
#define OP_REJECTS(op, message, ...) OP_REJECTS_IN("", op, message, __VA_ARGS__)
#define OP_SWEEP_IN(domain, op, ...)            \
  TEST(op, SDX_CONCAT(sweep_, __LINE__)) {      \
    using namespace ::sdx::ops::testing;        \
    using ::sdx::DType;                         \
    using ::sdx::ops::attr;                     \
    run_sweep(domain, #op, Sweep{__VA_ARGS__}); \
  }
#define OP_SWEEP(op, ...) OP_SWEEP_IN("", op, __VA_ARGS__)
