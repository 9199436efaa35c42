#include "ops/attention/rotary.h"

namespace sdx::ops {

Result<Rotary> rotary_of(const Tensor& cosines, const Tensor& sines, int64_t head_size, int64_t rotated,
                         bool interleaved) {
  if (rotated == 0) rotated = head_size;
  if (rotated < 0 || rotated > head_size || rotated % 2 != 0)
    return invalid_argument(
        "rotary_embedding_dim: {} channels of a head are to be rotated, an even number up to {} is wanted", rotated,
        head_size);
  for (const auto& [table, what] : {std::pair(&cosines, "cos_cache"), std::pair(&sines, "sin_cache")}) {
    if (table->rank() < 2 || table->dim(table->rank() - 1) != rotated / 2)
      return invalid_argument("{} has shape {}, rows of {} are wanted", what, to_text(table->shape()), rotated / 2);
  }
  if (!(cosines.shape() == sines.shape()))
    return invalid_argument("cos_cache has shape {}, sin_cache has {}", to_text(cosines.shape()),
                            to_text(sines.shape()));
  return Rotary{&cosines, &sines, rotated, interleaved};
}

}  // namespace sdx::ops
