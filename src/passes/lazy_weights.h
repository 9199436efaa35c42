// LazyWeights: what passes make of weights, made when somebody reads it. A pass says how (a recipe); whoever packs the
// result has it made for that time, so that a model never has its weights twice in memory, nor at all where another
// session has the packed form already.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/tensor.h"

namespace sdx::passes {

// Bytes that a weight may have beyond those of its sources: 8-bit weights in floats, say.
inline constexpr size_t kMaxLazyGrowth = 16 << 20;

// How a weight is made from others. The same text and sources: the same elements.
struct Recipe {
  struct Source {
    Tensor weight;  // as the model has it; or
    std::shared_ptr<const Recipe> recipe;
  };
  std::string text;
  std::vector<Source> sources;
  bool is_transpose = false;  // of the only source, a matrix
  std::function<Result<Tensor>(std::span<const Tensor> sources)> make;

  Result<Tensor> run() const;  // sources that are made themselves are made for it, and go again
  void for_each_weight(const std::function<void(const Tensor&)>& f) const;  // of the model
  // `of` a weight of the model: text that tells it from any other; empty: nobody can tell, nor here.
  std::string identity(const std::function<std::string(const Tensor&)>& of) const;
};

class LazyWeights {
 public:
  // Smaller ones are made at once: their elements can always be read.
  static bool takes(DType type, const Shape& shape);

  // A tensor that stands for what the recipe makes: its address is its name, its elements are never there.
  Result<Tensor> add(std::shared_ptr<const Recipe> recipe, DType type, const Shape& shape);
  // Null: not one of these.
  std::shared_ptr<const Recipe> recipe_of(const Tensor& weight) const;
  // The tensor as a source of a recipe.
  Recipe::Source source(const Tensor& weight) const { return {weight, recipe_of(weight)}; }
  // What it stands for, made now; another tensor is itself. From any thread.
  Result<Tensor> content(const Tensor& weight) const;

 private:
  struct Entry {
    Tensor stand_in;
    std::shared_ptr<const Recipe> recipe;
  };
  std::map<const void*, Entry> entries_;  // by address; changes only while passes run
};

}  // namespace sdx::passes
