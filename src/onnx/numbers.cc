#include "onnx/numbers.h"

#include <cstring>
#include <protozero/varint.hpp>
#include <type_traits>

namespace sdx::onnx {
namespace {

template <typename T>
void decode(NumberForm form, std::string_view encoded, size_t count, T* out) {
  const char* at = encoded.data();
  const char* const end = at + encoded.size();
  if (form == NumberForm::native || (form == NumberForm::packed && std::is_floating_point_v<T>)) {
    if (count > 0) std::memcpy(out, at, count * sizeof(T));
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    if (form == NumberForm::tagged) protozero::decode_varint(&at, end);
    if constexpr (std::is_floating_point_v<T>) {
      std::memcpy(out + i, at, sizeof(T));
      at += sizeof(T);
    } else {
      out[i] = static_cast<T>(protozero::decode_varint(&at, end));
    }
  }
}

template <typename T>
std::string_view as_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

template <typename T>
Numbers<T>::Numbers(std::vector<T> values)
    : count_(values.size()), form_(NumberForm::native), own_(std::make_shared<std::vector<T>>(std::move(values))) {
  encoded_ = as_bytes(*own_);
}

template <typename T>
void Numbers<T>::copy_to(T* out) const {
  decode(form_, encoded_, count_, out);
}

template <typename T>
std::vector<T> Numbers<T>::values() const {
  std::vector<T> values(count_);
  copy_to(values.data());
  return values;
}

template <typename T>
void Numbers<T>::append(NumberForm form, std::string_view encoded, size_t count) {
  if (count == 0) return;
  const bool follows = encoded_.data() + encoded_.size() == encoded.data();
  if (count_ == 0) {
    *this = Numbers();
    encoded_ = encoded;
    form_ = form;
  } else if (form == NumberForm::tagged && form_ == form && follows) {
    encoded_ = {encoded_.data(), encoded_.size() + encoded.size()};
  } else {
    if (form_ != NumberForm::native || own_.use_count() != 1) own_ = std::make_shared<std::vector<T>>(values());
    form_ = NumberForm::native;
    own_->resize(count_ + count);
    decode(form, encoded, count, own_->data() + count_);
    encoded_ = as_bytes(*own_);
  }
  count_ += count;
}

template class Numbers<float>;
template class Numbers<double>;
template class Numbers<int32_t>;
template class Numbers<int64_t>;
template class Numbers<uint64_t>;

}  // namespace sdx::onnx
