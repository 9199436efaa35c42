// The one place that instantiates fmt.
#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY
#endif
#define FMT_STATIC_THOUSANDS_SEPARATOR ','  // without it every locale facet of the C++ library is linked in
#include <fmt/format.h>

#include "base/format.h"

namespace sdx {

std::string format_args_to_text(fmt::string_view format_text, fmt::format_args args) {
  return fmt::vformat(format_text, args);
}

}  // namespace sdx
