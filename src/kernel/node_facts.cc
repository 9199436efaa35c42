#include "kernel/node_facts.h"

namespace sdx {

const Fact& NodeFacts::input(size_t i) const {
  static const Fact unknown;
  return has_input(i) ? *inputs_[i] : unknown;
}

}  // namespace sdx
