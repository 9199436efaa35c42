// Threads for RunAsync: each starts when work waits and all others are busy, up to a limit, and ends after a while
// without work.
#pragma once

#include <functional>

namespace sdx::api {

// Calls `run` on another thread, in the order of the calls where all threads are busy. Throws where no thread can be
// had.
void run_later(std::function<void()> run);

}  // namespace sdx::api
