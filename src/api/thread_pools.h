// The pool that a session runs on, from the options of the session and its environment.
#pragma once

#include "abi/env.h"

namespace sdx::api {

// The environment's pool where the session gives up its own, else one of the session's own where it asks for what
// others would notice (hooks, spinning, affinities), else the process's pool of its size.
Result<std::shared_ptr<ThreadPool>> thread_pool_of(const OrtEnv& env, const OrtSessionOptions* options);

}  // namespace sdx::api
