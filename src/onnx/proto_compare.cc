#include <bit>
#include <cstring>

#include "onnx/proto_fields.h"
#include "onnx/writer.h"

namespace sdx::onnx {
namespace {

template <typename M>
bool same_message(const M& a, const M& b);

bool same_member(const Text& a, const Text& b) { return (a.data() == nullptr) == (b.data() == nullptr) && a == b; }
bool same_member(const Bytes& a, const Bytes& b) {
  return (a.data() == nullptr) == (b.data() == nullptr) && a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}
bool same_member(const Texts& a, const Texts& b) { return a == b; }
template <typename T>
bool same_member(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || std::memcmp(&*a, &*b, sizeof(T)) == 0);
}
template <typename T>
bool same_member(const Numbers<T>& a, const Numbers<T>& b) {
  if (a.size() != b.size()) return false;
  const std::vector<T> of_a = a.values();
  const std::vector<T> of_b = b.values();
  return of_a.empty() || std::memcmp(of_a.data(), of_b.data(), of_a.size() * sizeof(T)) == 0;
}
template <typename M>
bool same_member(const Box<M>& a, const Box<M>& b) {
  return bool{a} == bool{b} && (!a || same_message(*a, *b));
}
template <typename M>
bool same_member(const std::vector<M>& a, const std::vector<M>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!same_message(a[i], b[i])) return false;
  return true;
}

std::string joined(const UnknownFields& fields) {
  std::string text;
  for (const auto piece : fields) text += piece;
  return text;
}

template <typename M>
bool same_message(const M& a, const M& b) {
  const bool fields = std::apply(
      [&](const auto&... field) { return (same_member(a.*field.member, b.*field.member) && ...); }, FieldsOf<M>::list);
  return fields && joined(a.unknown) == joined(b.unknown);
}

}  // namespace

bool same(const ModelProto& a, const ModelProto& b) { return same_message(a, b); }

}  // namespace sdx::onnx
