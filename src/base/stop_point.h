// Stop points: how plain loops over elements stop without a check of their own. Inside a StopScope, the calling
// thread's element accesses (load_double, store_i64 and their like) look at the token now and then, and throw Stopped
// when it says so; whoever opened the scope catches it and asks the token why.
#pragma once

#include "base/cancel.h"

namespace sdx {

struct Stopped {};

class StopScope {
 public:
  explicit StopScope(CancelToken* token);  // null: nothing changes
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  CancelToken* outer_;
  bool changed_;
};

namespace stop_point_detail {
// The model keeps an access to one instruction; a handful of bytes fits into what the loader reserves for libraries
// that are opened late.
#define SDX_STOP_POINT_TLS __attribute__((tls_model("initial-exec")))
extern thread_local constinit SDX_STOP_POINT_TLS int64_t t_elements_left;
void look();
}  // namespace stop_point_detail

// `elements` were looked at or written.
inline void stop_point(int64_t elements = 1) {
  if ((stop_point_detail::t_elements_left -= elements) < 0) [[unlikely]]
    stop_point_detail::look();
}

}  // namespace sdx
