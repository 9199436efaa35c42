// JsonText, by its name here.
#pragma once

#include "base/json_text.h"

namespace sdx::api {

using sdx::JsonText;

}  // namespace sdx::api
