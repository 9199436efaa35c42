// Workers that stay on some processors: read from the options' text, and kept to by hooks around every worker's start.
#pragma once

#include <vector>

#include "base/status.h"
#include "base/thread_pool.h"

namespace sdx::api {

using WorkerCpus = std::vector<std::vector<int>>;  // of each worker in turn, counted from 0

// "1;2,3;5-8": logical processors, counted from 1, one list a worker; there must be as many as `workers`. An empty text
// asks for nothing.
Result<WorkerCpus> parse_affinities(std::string_view text, int workers);

// A pool whose workers keep to these processors. One that the system does not allow is ignored.
std::shared_ptr<ThreadPool> make_pinned_pool(ThreadPoolOptions options, WorkerCpus cpus);

}  // namespace sdx::api
