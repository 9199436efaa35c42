#include "ops/testing/symbolic_check.h"

#include <algorithm>
#include <random>

#include "base/element.h"
#include "ops/checked_infer.h"

namespace sdx::ops::testing {
namespace {

constexpr size_t kMostSymbols = 24;         // of a variant; more make the check slow and tell nothing new
constexpr int64_t kMostElementSymbols = 8;  // of one input

// A dimension or an element of an input that has a symbol of its own.
struct Place {
  size_t input;
  bool is_element;
  size_t index;   // axis, or position of the element
  int64_t value;  // in the case
  AtomId atom;
};

// Which places get symbols.
struct Variant {
  std::function<bool(size_t input, size_t axis)> dims;
  enum class Elements : uint8_t { none, needed, all } elements = Elements::none;
};

bool needs_value(const Contract& contract, size_t input) {
  return input < 32 && (contract.needs_values >> input & 1) != 0;
}

bool can_be_symbols(const Tensor& tensor) {
  return (is_integer(tensor.dtype()) || tensor.dtype() == DType::boolean) && tensor.rank() <= 1 &&
         tensor.count() <= kMostElementSymbols;
}

class Checker {
 public:
  Checker(const Contract& contract, const Node& node, std::span<const Value* const> inputs, CaseIs what,
          std::span<const Value> expected)
      : contract_(contract), node_(node), inputs_(inputs), what_(what), expected_(expected) {}

  std::optional<std::string> check(const Variant& variant) {
    symbols_ = SymbolTable();
    constraints_.clear();
    places_.clear();
    const std::vector<Fact> facts = symbolic_facts(variant);
    if (places_.empty() || places_.size() > kMostSymbols) return std::nullopt;
    InferContext ctx(node_, pointers(facts), symbols_, nullptr, &constraints_);
    auto inferred = checked_infer(contract_, ctx);
    if (!inferred.ok()) {
      if (what_ == CaseIs::rejected) return std::nullopt;
      return formatted("with symbols infer fails: {}", inferred.status().message());
    }
    symbolic_ = std::move(*inferred);
    std::vector<int64_t> values;
    for (const Place& place : places_) values.push_back(place.value);
    if (auto complaint = compare(values, Numbers::of_the_case)) return complaint;
    return try_other_numbers(values);
  }

 private:
  enum class Numbers : uint8_t { of_the_case, made_up };

  std::span<const Fact* const> pointers(const std::vector<Fact>& facts) {
    pointers_.clear();
    for (size_t i = 0; i < facts.size(); ++i) pointers_.push_back(inputs_[i] != nullptr ? &facts[i] : nullptr);
    return pointers_;
  }

  Dim place(size_t input, bool is_element, size_t index, int64_t value) {
    const std::string name = formatted("{}{}_{}", is_element ? "e" : "d", input, index);
    const Dim dim = is_element ? symbols_.fresh_value() : symbols_.symbol(name);
    places_.push_back({input, is_element, index, value, *dim.as_atom()});
    return dim;
  }

  std::vector<Fact> symbolic_facts(const Variant& variant) {
    std::vector<Fact> facts(inputs_.size());
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i] == nullptr) continue;
      facts[i] = Fact::of(*inputs_[i]);
      if (!inputs_[i]->is_tensor()) continue;
      const Tensor& tensor = inputs_[i]->tensor();
      const bool needed = needs_value(contract_, i);
      const bool elements =
          (variant.elements == Variant::Elements::all || (variant.elements == Variant::Elements::needed && needed)) &&
          can_be_symbols(tensor);
      if (elements) {
        facts[i].elements.emplace();
        for (int64_t k = 0; k < tensor.count(); ++k)
          facts[i].elements->push_back(place(i, true, static_cast<size_t>(k), load_i64(tensor, k)));
      } else if (needed) {
        facts[i] = Fact::constant_of(tensor);
      } else {
        for (size_t axis = 0; axis < facts[i].shape->size(); ++axis)
          if (variant.dims(i, axis)) (*facts[i].shape)[axis] = place(i, false, axis, tensor.shape()[axis]);
      }
    }
    return facts;
  }

  std::vector<Fact> numeric_facts(std::span<const int64_t> values) const {
    std::vector<Fact> facts(inputs_.size());
    std::vector<Tensor> changed(inputs_.size());
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i] == nullptr) continue;
      facts[i] = needs_value(contract_, i) && inputs_[i]->is_tensor() ? Fact::constant_of(inputs_[i]->tensor())
                                                                      : Fact::of(*inputs_[i]);
    }
    for (size_t p = 0; p < places_.size(); ++p) {
      const Place& place = places_[p];
      if (!place.is_element) {
        (*facts[place.input].shape)[place.index] = Dim(values[p]);
        continue;
      }
      Tensor& tensor = changed[place.input];
      const Tensor& original = inputs_[place.input]->tensor();
      if (!tensor.defined()) {
        tensor = std::move(Tensor::allocate(original.dtype(), original.shape())).value();
        for (int64_t k = 0; k < original.count(); ++k) store_i64(tensor, k, load_i64(original, k));
      }
      store_i64(tensor, static_cast<int64_t>(place.index), values[p]);
    }
    for (size_t i = 0; i < changed.size(); ++i)
      if (changed[i].defined() && needs_value(contract_, i)) facts[i] = Fact::constant_of(changed[i]);
    return facts;
  }

  std::string numbers(std::span<const int64_t> values) const {
    std::string text;
    for (size_t p = 0; p < places_.size(); ++p)
      text += formatted("{}input {} {} {} = {}", p == 0 ? "" : ", ", places_[p].input,
                        places_[p].is_element ? "element" : "axis", places_[p].index, values[p]);
    return text;
  }

  std::optional<std::string> compare(const std::vector<int64_t>& values, Numbers which) {
    const auto value_of = [&](AtomId id) -> std::optional<int64_t> {
      for (size_t p = 0; p < places_.size(); ++p)
        if (places_[p].atom == id) return values[p];
      return std::nullopt;
    };
    bool unsure = false;
    std::string refused;  // the constraint that is broken
    for (const Constraint& constraint : constraints_) {
      const auto holds = symbols_.evaluate(constraint, value_of);
      unsure = unsure || !holds;
      if (holds && !*holds) refused = symbols_.to_text(constraint);
    }
    const std::vector<Fact> facts = numeric_facts(values);
    SymbolTable scratch;
    InferContext ctx(node_, pointers(facts), scratch);
    const auto inferred = checked_infer(contract_, ctx);
    const auto zero = [&](size_t p) { return !places_[p].is_element && values[p] == 0; };
    bool has_zero = false;
    for (size_t p = 0; p < places_.size(); ++p) has_zero = has_zero || zero(p);
    if (!refused.empty()) {
      // Where a size is 0 a rule may ask for more than infer does: the run then asks infer.
      if (inferred.ok() && which == Numbers::of_the_case && what_ == CaseIs::valid && !has_zero)
        return formatted("constraint {} is broken by a valid case: {}", refused, numbers(values));
      return std::nullopt;
    }
    std::optional<std::string> complaint;
    for (size_t i = 0; i < symbolic_.list.size() && !complaint; ++i) {
      if (!node_.outputs.empty() && (i >= node_.outputs.size() || node_.outputs[i] == kNoValue)) continue;
      const Fact& fact = symbolic_.list[i];
      if (!fact.is_tensor() || !fact.shape) {
        unsure = true;
        continue;
      }
      const Fact* known = inferred.ok() && i < inferred->list.size() ? &inferred->list[i] : nullptr;
      complaint = compare_shape(i, fact, known, value_of, unsure);
      if (!complaint && which == Numbers::of_the_case && known != nullptr)
        complaint = compare_elements(i, fact, value_of);
      if (complaint) *complaint += ": " + numbers(values);
    }
    if (complaint) return complaint;
    if (!inferred.ok() && !unsure)
      return formatted("no recorded constraint refuses what infer does ({}): {}", inferred.status().message(),
                       numbers(values));
    return std::nullopt;
  }

  template <typename F>
  std::optional<std::string> compare_shape(size_t output, const Fact& fact, const Fact* known, F value_of,
                                           bool& unsure) const {
    if (known != nullptr && known->shape && known->rank() != fact.rank())
      return formatted("output {} has rank {} with symbols and {} with numbers", output, fact.rank(), known->rank());
    Shape sizes;
    for (int axis = 0; axis < fact.rank(); ++axis) {
      const auto size = symbols_.evaluate(fact.dim(axis), value_of);
      if (!size) {
        unsure = true;
        continue;
      }
      sizes.push_back(*size);
      if (*size < 0) return formatted("output {} would have size {} on axis {}", output, *size, axis);
      if (known != nullptr && known->shape && known->dim(axis).is_known() && known->dim(axis).known() != *size)
        return formatted("output {} axis {} is {} = {}, infer says {}", output, axis, symbols_.to_text(fact.dim(axis)),
                         *size, known->dim(axis).known());
    }
    if (!checked_count(sizes)) unsure = true;  // a plan's arithmetic is checked too
    return std::nullopt;
  }

  template <typename F>
  std::optional<std::string> compare_elements(size_t output, const Fact& fact, F value_of) const {
    if (!fact.elements || output >= expected_.size() || !expected_[output].is_tensor()) return std::nullopt;
    const Tensor& wanted = expected_[output].tensor();
    if (static_cast<int64_t>(fact.elements->size()) != wanted.count())
      return formatted("output {} has {} followed elements, {} are there", output, fact.elements->size(),
                       wanted.count());
    for (int64_t k = 0; k < wanted.count(); ++k) {
      const Dim& element = (*fact.elements)[static_cast<size_t>(k)];
      const auto value = symbols_.evaluate(element, value_of);
      if (value && *value != load_i64(wanted, k))
        return formatted("element {} of output {} is {} = {}, {} is wanted", k, output, symbols_.to_text(element),
                         *value, load_i64(wanted, k));
    }
    return std::nullopt;
  }

  std::optional<std::string> try_other_numbers(const std::vector<int64_t>& base) {
    const auto others = [](const Place& place) {
      const int64_t v = std::clamp<int64_t>(place.value, INT64_MIN / 4, INT64_MAX / 4);  // sums of it do not overflow
      if (place.is_element)
        return std::vector<int64_t>{v - 1, v + 1, -v, 0, -1, 1, 2 * v, 100, INT32_MAX, INT64_MAX, INT64_MIN};
      return std::vector<int64_t>{0, 1, std::max<int64_t>(v - 1, 0), v + 1, 2 * v, v + 5};
    };
    for (size_t p = 0; p < places_.size(); ++p) {
      for (const int64_t other : others(places_[p])) {
        std::vector<int64_t> values = base;
        values[p] = other;
        if (auto complaint = compare(values, Numbers::made_up)) return complaint;
        for (size_t q = 0; q < places_.size(); ++q)  // sizes that may have to agree change together
          if (places_[q].value == places_[p].value && places_[q].is_element == places_[p].is_element) values[q] = other;
        if (auto complaint = compare(values, Numbers::made_up)) return complaint;
      }
    }
    std::mt19937 random(1);
    for (int round = 0; round < 30; ++round) {
      std::vector<int64_t> values = base;
      for (size_t p = 0; p < places_.size(); ++p)
        if (random() % 2 == 0) {
          const auto list = others(places_[p]);
          values[p] = list[random() % (places_[p].is_element ? 8 : list.size())];
        }
      if (auto complaint = compare(values, Numbers::made_up)) return complaint;
    }
    return std::nullopt;
  }

  const Contract& contract_;
  const Node& node_;
  std::span<const Value* const> inputs_;
  CaseIs what_;
  std::span<const Value> expected_;
  SymbolTable symbols_;
  std::vector<Constraint> constraints_;
  std::vector<Place> places_;
  std::vector<const Fact*> pointers_;
  Facts symbolic_;
};

}  // namespace

std::optional<std::string> find_broken_promise(const Contract& contract, const Node& node,
                                               std::span<const Value* const> inputs, CaseIs what,
                                               std::span<const Value> expected) {
  Checker checker(contract, node, inputs, what, expected);
  std::vector<Variant> variants;
  using Elements = Variant::Elements;
  const auto all = [](size_t, size_t) { return true; };
  const auto nothing = [](size_t, size_t) { return false; };
  for (const Elements elements : {Elements::none, Elements::needed, Elements::all}) variants.push_back({all, elements});
  for (const Elements elements : {Elements::needed, Elements::all}) variants.push_back({nothing, elements});
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->is_tensor()) continue;
    variants.push_back({[i](size_t input, size_t) { return input == i; }});
    for (size_t k = 0; k < inputs[i]->tensor().shape().size(); ++k)
      variants.push_back({[i, k](size_t input, size_t axis) { return input == i && axis == k; }});
    variants.push_back({[i](size_t input, size_t) { return input != i; }});
  }
  for (const Variant& variant : variants)
    if (auto complaint = checker.check(variant)) return complaint;
  return std::nullopt;
}

}  // namespace sdx::ops::testing
