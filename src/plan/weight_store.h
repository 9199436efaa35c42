// WeightStore: what was made of weights (packed forms, aligned copies), once for all sessions of the process and only
// while one of them holds it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/fork.h"
#include "base/function_ref.h"
#include "base/tensor.h"

namespace sdx::plan {

class WeightStore {
 public:
  using Object = std::shared_ptr<const void>;
  static WeightStore& shared();  // the process's

  // The object of that key, by `make` when nobody has it. Others who ask for the same key meanwhile wait.
  Result<Object> get(const std::string& key, FunctionRef<Result<Object>()> make);
  size_t size() const;  // keys whose object is held by somebody

 private:
  struct Entry {
    TakeoverMutex making;
    std::weak_ptr<const void> object;  // guarded by the store's mutex
  };
  std::shared_ptr<Entry> entry_of(const std::string& key);

  mutable ForkMutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
  size_t next_cleanup_ = 64;
};

// What a plan asks of whoever owns its weights.
class WeightSource {
 public:
  virtual ~WeightSource() = default;
  // The same text: the same bytes, in every session of the process, as long as anything made from them lives. Empty:
  // nobody can tell, and nothing is shared.
  virtual std::string identity(const Tensor& weight) const = 0;
  // The bytes were read and are not needed for now.
  virtual void release(const Tensor& weight) = 0;
  // Copies bytes of a weight that are read once; false where it can do no better than its caller.
  virtual bool read_part(const std::byte* data, size_t bytes, std::byte* to) const = 0;
  // Its elements are made when they are read: what lies at its address is not they.
  virtual bool is_made(const Tensor& weight) const = 0;
  // The weight with its elements: itself, but for one that is made when it is read.
  virtual Result<Tensor> content(const Tensor& weight) const = 0;
  // Kernels read a copy of it instead of the file's pages.
  enum class Reading : uint8_t { whole, rows };  // rows: see reads_rows
  virtual bool copies(const Tensor& weight, Reading reading) const = 0;
};

// Its identity; of a small weight that has none, its type, shape and content. Empty: nobody can tell.
std::string told_apart(const WeightSource& weights, const Tensor& weight);

}  // namespace sdx::plan
