// Planes of words, transposed: vectors where they pay.
#pragma once

#include <cstdint>

namespace sdx::ops {

// to[c * to_row + r] = from[r * from_row + c].
template <typename Word>
using TransposeTile = void (*)(const Word* from, int64_t from_row, Word* to, int64_t to_row, int64_t rows,
                               int64_t columns);

template <typename Word>
TransposeTile<Word> transpose_tile();
template <>
TransposeTile<uint8_t> transpose_tile();
template <>
TransposeTile<uint16_t> transpose_tile();
template <>
TransposeTile<uint32_t> transpose_tile();
template <>
TransposeTile<uint64_t> transpose_tile();

}  // namespace sdx::ops
