// The part of an explanation that says where channels are blocked.
#pragma once

#include "json_text.h"
#include "plan/program.h"

namespace sdx::api {

// Regions of blocked values, and the reorders at their borders. Of the main graph.
void write_layout(JsonText& json, const plan::Program& program);

}  // namespace sdx::api
