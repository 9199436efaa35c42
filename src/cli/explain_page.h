// The page of sardonyx explain --html: one file, nothing fetched.
#pragma once

#include <string>

namespace sdx::cli {

// `json`: what sardonyx explain --json prints, in ASCII.
std::string explain_page(std::string json);

}  // namespace sdx::cli
