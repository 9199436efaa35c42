#include "base/stop_point.h"

#include <limits>

namespace sdx {
namespace {

constexpr int64_t kElementsBetweenLooks = 2048;
constexpr int64_t kNeverLook = std::numeric_limits<int64_t>::max();

thread_local constinit SDX_STOP_POINT_TLS CancelToken* t_token = nullptr;

}  // namespace

namespace stop_point_detail {

thread_local constinit SDX_STOP_POINT_TLS int64_t t_elements_left = kNeverLook;

void look() {
  t_elements_left = t_token == nullptr ? kNeverLook : kElementsBetweenLooks;
  if (t_token != nullptr && t_token->stopped()) throw Stopped();
}

}  // namespace stop_point_detail

StopScope::StopScope(CancelToken* token) : outer_(t_token), changed_(token != nullptr && token != t_token) {
  if (!changed_) return;
  t_token = token;
  stop_point_detail::t_elements_left = kElementsBetweenLooks;
}

StopScope::~StopScope() {
  if (!changed_) return;
  t_token = outer_;
  stop_point_detail::t_elements_left = outer_ == nullptr ? kNeverLook : kElementsBetweenLooks;
}

}  // namespace sdx
