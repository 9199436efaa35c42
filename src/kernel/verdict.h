// Verdict: yes, or no with a reason. Kernel choices, provider claims and fusions answer with one.
#pragma once

#include <string>
#include <utility>

namespace sdx {

class Verdict {
 public:
  bool accepted() const { return reason_.empty(); }
  explicit operator bool() const { return accepted(); }
  const std::string& reason() const { return reason_; }

 private:
  friend Verdict yes();
  friend Verdict no(std::string reason);
  std::string reason_;
};

inline Verdict yes() { return {}; }
inline Verdict no(std::string reason) {
  Verdict verdict;
  verdict.reason_ = reason.empty() ? "no reason given" : std::move(reason);
  return verdict;
}

}  // namespace sdx
