// Visits every message of one kind inside another, however deep, by the field tables.
#pragma once

#include <type_traits>

#include "onnx/proto_fields.h"

namespace sdx::onnx {

namespace walk_detail {
template <typename Wanted, typename T, typename F>
void visit_member(T&, F&) {}
template <typename Wanted, typename Message, typename F>
void visit_message(Message& message, F& f);

template <typename Wanted, typename M, typename F>
void visit_member(Box<M>& box, F& f) {
  if (box) visit_message<Wanted>(*box, f);
}
template <typename Wanted, typename M, typename F>
void visit_member(const Box<M>& box, F& f) {
  if (box) visit_message<Wanted>(*box, f);
}
template <typename Wanted, typename M, typename F>
requires(!std::is_same_v<M, Text>) void visit_member(std::vector<M>& messages, F& f) {
  for (auto& message : messages) visit_message<Wanted>(message, f);
}
template <typename Wanted, typename M, typename F>
requires(!std::is_same_v<M, Text>) void visit_member(const std::vector<M>& messages, F& f) {
  for (const auto& message : messages) visit_message<Wanted>(message, f);
}
template <typename Wanted, typename Message, typename F>
void visit_message(Message& message, F& f) {
  if constexpr (std::is_same_v<std::remove_const_t<Message>, Wanted>) f(message);
  std::apply([&](const auto&... field) { (visit_member<Wanted>(message.*field.member, f), ...); },
             FieldsOf<std::remove_const_t<Message>>::list);
}
}  // namespace walk_detail

// Outer messages come before those inside them; `root` itself counts.
template <typename Wanted, typename Message, typename F>
void for_each_message(Message& root, F f) {
  walk_detail::visit_message<Wanted>(root, f);
}

}  // namespace sdx::onnx
