// How a weight is made of one other, element by element: parts of it can be made without the rest.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/tensor.h"

namespace sdx::passes {

// For Recipe::make, which tells by its type that it is one of these.
struct ElementRecipe {
  // Elements [first, first + count), from the source's of the same places. `from` is of any alignment, and may be the
  // end of what `to` has room for, unless the source's elements are larger.
  using Part = std::function<void(const std::byte* from, int64_t first, int64_t count, std::byte* to)>;
  DType from, type;
  Part part;
  Part of_floats = {};  // of a recipe from halves to halves: the same from float32 to float32
  // Elements are the source's times a factor for each entry of the first axis; none: 1.
  std::optional<std::vector<double>> by_first_axis = {};

  Result<Tensor> operator()(std::span<const Tensor> sources) const {
    SDX_ASSIGN(Tensor made, Tensor::allocate(type, sources[0].shape()));
    part(sources[0].bytes(), 0, made.count(), made.bytes());
    return made;
  }
};

}  // namespace sdx::passes
