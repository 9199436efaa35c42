#include "ops/testing/thread_case.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sdx::ops::testing {
namespace {

bool same_bits(const Value& a, const Value& b) {
  if (a.kind() != b.kind() || a.defined() != b.defined()) return false;
  if (a.kind() == ValueKind::sequence) {
    const auto &x = a.sequence().elements, &y = b.sequence().elements;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_bits);
  }
  if (!a.is_tensor()) return true;
  const Tensor &x = a.tensor(), &y = b.tensor();
  if (x.dtype() != y.dtype() || !(x.shape() == y.shape())) return false;
  if (x.dtype() != DType::string) return x.byte_size() == 0 || std::memcmp(x.raw(), y.raw(), x.byte_size()) == 0;
  for (int64_t i = 0; i < x.count(); ++i)
    if (x.string_at(i) != y.string_at(i)) return false;
  return true;
}

}  // namespace

void expect_same_bits(FunctionRef<Result<std::vector<Value>>(ThreadPool* pool)> run, const std::string& where) {
  const auto wanted = run(nullptr);
  ASSERT_TRUE(wanted.ok()) << where << ": " << wanted.status().message();
  for (const int threads : {2, 3, 8}) {
    static const std::shared_ptr<ThreadPool> pools[] = {ThreadPool::shared(2), ThreadPool::shared(3),
                                                        ThreadPool::shared(8)};
    const auto found = run(pools[threads == 2 ? 0 : threads == 3 ? 1 : 2].get());
    ASSERT_TRUE(found.ok()) << where << ": " << found.status().message();
    ASSERT_EQ(found->size(), wanted->size()) << where;
    for (size_t i = 0; i < wanted->size(); ++i)
      ASSERT_TRUE(same_bits((*found)[i], (*wanted)[i]))
          << where << ": output " << i << " has other bits with " << threads << " threads";
  }
}

Shape wide_shape(uint32_t index) {
  switch (index) {
    case 0: return {9, 4007};
    default: return {3, 5, 41, 61};
  }
}

}  // namespace sdx::ops::testing
