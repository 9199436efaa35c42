// SHA-1 (FIPS 180-4), for checksums that a file format prescribes; not for security.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sdx {

std::string sha1_hex(std::span<const std::byte> bytes);  // 40 lower-case digits

}  // namespace sdx
