// Numbers<T>: a repeated numeric field, left in the file's encoding until somebody asks for the values.
// The encoding was checked when it was read, so decoding cannot fail. Copies share what they point to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sdx::onnx {

// packed: the bare elements. tagged: each element behind its field's tag. native: an array of T.
enum class NumberForm : uint8_t { packed, tagged, native };

// T: float, double (fixed width on the wire), int32_t, int64_t, uint64_t (varints).
template <typename T>
class Numbers {
 public:
  Numbers() = default;
  explicit Numbers(std::vector<T> values);

  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  NumberForm form() const { return form_; }
  std::string_view encoded() const { return encoded_; }  // in that form
  void copy_to(T* out) const;                            // size() elements
  std::vector<T> values() const;

  // Appends `count` valid elements. Stays undecoded while all of them lie together in one form.
  void append(NumberForm form, std::string_view encoded, size_t count);

 private:
  std::string_view encoded_;
  size_t count_ = 0;
  NumberForm form_ = NumberForm::packed;
  std::shared_ptr<std::vector<T>> own_;  // what encoded_ points into in native form
};

}  // namespace sdx::onnx
