// The providers that sessions of this process can be given by name, besides the CPU's.
#pragma once

#include "runtime/compiled.h"

namespace sdx::runtime {

// False where there is one of that name, or it is the CPU's.
bool register_provider(std::shared_ptr<const providers::Provider> provider);
// Sessions that have it keep it.
bool unregister_provider(std::string_view name);
std::shared_ptr<const providers::Provider> find_provider(std::string_view name);  // null: there is none
std::vector<std::string> registered_providers();                                  // in order of registration

}  // namespace sdx::runtime
