// From numbers in a file to values, and which have a name at a place.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/variables.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace tilesim::interpreter {

using tileir::operation;
using tileir::value_id;

std::vector<told_variable> read_variables(std::string_view lines) {
  std::vector<told_variable> all;
  std::istringstream text{std::string(lines)};
  std::string line;
  while (std::getline(text, line)) {
    std::istringstream words(line);
    std::string first;
    std::string mode;
    told_variable v;
    words >> first;
    if (first == "constant") {
      words >> mode >> v.constant;
      v.is_integer = mode == "i";
    } else if (first != "none") {
      std::istringstream number(first);
      told_variable::written w;
      number >> w.number;
      words >> w.operations >> mode;
      v.value = w;
      v.is_unsigned = mode == "u";
    }
    told_variable::written from;
    words >> v.function >> v.name;
    if (first != "constant" && words >> from.number >> from.operations) {
      v.from = from;
    }
    if (!v.name.empty() && (first == "constant" || v.from)) {
      all.push_back(std::move(v));
    }
  }
  return all;
}

namespace {

/// Walks an entry as it stands in its file: each value with its number there.
template <class Defined>
class file_order {
public:
  explicit file_order(Defined defined)
      : defined_(std::move(defined)) {}

  void walk(const tileir::region& r) {
    for (const value_id v : r.arguments) {
      defined_(v, number_++, operations_);
    }
    for (const operation& o : r.operations) {
      ++operations_;
      for (const tileir::region& inner : o.regions) {
        const std::uint32_t outside = number_;
        walk(inner);
        number_ = outside;
      }
      for (const value_id v : o.results) {
        defined_(v, number_++, operations_);
      }
    }
  }

private:
  Defined defined_;
  std::uint32_t number_ = 0;
  std::uint32_t operations_ = 0;
};

} // namespace

variable_names::variable_names(const tileir::entry& e, const std::vector<told_variable>& all)
    : entry_(e) {
  struct definition {
    std::uint32_t operations;
    value_id value;
  };
  std::map<std::uint32_t, std::vector<definition>> by_number;
  file_order order([&](value_id v, std::uint32_t number, std::uint32_t operations) {
    by_number[number].push_back({operations, v});
  });
  order.walk(e.body);
  // The latest that had this number.
  const auto value_of = [&](const told_variable::written& w) -> std::optional<value_id> {
    const auto& same = by_number[w.number];
    const auto found = std::find_if(same.rbegin(), same.rend(), [&](const definition& d) {
      return d.operations <= w.operations;
    });
    return found == same.rend() ? std::nullopt : std::optional(found->value);
  };
  for (const told_variable& told : all) {
    known k{told.function, told.name, told.is_unsigned, {}, told.constant, told.is_integer};
    if (!told.from) {
      constants_.push_back(std::move(k));
      continue;
    }
    k.value = told.value ? value_of(*told.value) : std::nullopt;
    if (k.value && !e.values[*k.value].type->is(tileir::type::kind::tile)) {
      k.value.reset();
    }
    if (const auto from = value_of(*told.from)) {
      from_[*from].push_back(std::move(k));
    }
  }
}

std::vector<value_id> variable_names::values() const {
  std::vector<value_id> all;
  for (const auto& [from, names] : from_) {
    for (const known& k : names) {
      if (k.value) {
        all.push_back(*k.value);
      }
    }
  }
  return all;
}

namespace {

/// What is defined where an operation is about to begin, in its order.
class defined_before {
public:
  explicit defined_before(std::uint32_t number)
      : number_(number) {}

  /// True: the operation has been found in there.
  bool walk(const tileir::region& r) {
    const std::size_t before = values_.size();
    values_.insert(values_.end(), r.arguments.begin(), r.arguments.end());
    for (const operation& o : r.operations) {
      if (o.number == number_) {
        return true;
      }
      for (const tileir::region& inner : o.regions) {
        if (walk(inner)) {
          return true;
        }
      }
      values_.insert(values_.end(), o.results.begin(), o.results.end());
    }
    values_.resize(before);
    return false;
  }

  [[nodiscard]] const std::vector<value_id>& values() const noexcept { return values_; }

private:
  std::uint32_t number_;
  std::vector<value_id> values_;
};

} // namespace

std::vector<variable_names::known> variable_names::visible(std::uint32_t number,
                                                           std::string_view function) const {
  std::vector<known> list;
  const auto forget = [&list](const known& k) {
    std::erase_if(list, [&k](const known& other) { return other.name == k.name; });
  };
  const auto put = [&](const known& k) {
    if (k.function == function) {
      forget(k);
      list.push_back(k);
    }
  };
  std::ranges::for_each(constants_, put);
  defined_before before(number);
  if (!before.walk(entry_.body)) {
    return list;
  }
  const std::set<value_id> there(before.values().begin(), before.values().end());
  for (const value_id v : before.values()) {
    const auto named = from_.find(v);
    if (named == from_.end()) {
      continue;
    }
    for (const known& k : named->second) {
      if (k.function == function && !(k.value && there.contains(*k.value))) {
        forget(k);
      } else {
        put(k);
      }
    }
  }
  return list;
}

} // namespace tilesim::interpreter
