// What a step's kernel keeps of its constants, made on first use, once for all sessions that have the same weights.
#pragma once

#include "base/thread_pool.h"
#include "plan/program.h"

namespace sdx::plan {

// `pointers` point into `facts`, which may be changed.
Status prepare_once(const Candidate& candidate, const Node& node, std::span<Fact> facts,
                    std::span<const Fact* const> pointers, WeightSource* weights);

// The same for a planned step, from what the graph knows.
Status prepare_step(const Program& program, const Step& step);

// What the stage's planned steps need of large weights, by all threads of the pool (null: the caller's alone). What
// fails is told to whoever asks for it.
void prepare_together(const Program& program, const Stage& stage, ThreadPool* pool);

// The kernel copies single rows out of that input: a table may stay in the file, aligned or not.
bool reads_rows(const Kernel* kernel, size_t input);

// What runs so far have read of such tables leaves memory; the next row maps its page again.
void give_tables_back(const Program& program);

// The constant's value as a kernel wants it: aligned to its element, in memory that the source approves of.
Result<const Value*> kernel_value(const Constant& constant, WeightSource* weights);
// The same for that input of the kernel.
Result<const Value*> input_value(const Constant& constant, const Kernel* kernel, size_t input, WeightSource* weights);

}  // namespace sdx::plan
