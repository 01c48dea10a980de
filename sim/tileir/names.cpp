// Values' names, by the rules of the framework that the disassembler is made with: some operations
// suggest a name; a name that is taken gets a number behind it, which counts up over all names;
// what has no name gets a number. A region is named after the one around it, and goes on with its
// numbers.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/names.hpp"

#include "sim/tileir/constants.hpp"
#include "sim/tileir/number_text.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <set>

namespace tilesim::tileir {
namespace {

/// What an operation calls its results, first one first; "": nothing.
std::vector<std::string> suggested(const module& m,
                                   const entry& e,
                                   const std::vector<const operation*>& makers,
                                   const operation& o);

std::string constant_name(const module& m, const entry& e, const operation& o) {
  const type& t = *e.values[o.results[0]].type;
  const number of = t.element->num;
  const elements all(m.constants[o.constant], of, t.count());
  const bool one = all.splat() || t.count() == 1;
  if (of == number::i1) {
    bool any = false;
    bool every = true;
    for (std::size_t i = 0; i < (one ? 1 : t.count()); ++i) {
      any |= all[i] != 0;
      every &= all[i] != 0;
    }
    return every ? "true" : any ? "cst_i1" : "false";
  }
  std::string text = "cst";
  if (one && is_integer(of)) {
    text += fmt::format("_{}", to_signed(of, all[0]));
  } else if (one) {
    constexpr double beyond = 18446744073709551616.0;
    const double value = to_double(of, all[0]);
    if (std::isnan(value)) {
      text += "_NaN";
    } else if (!std::signbit(value) && value < beyond && value == std::floor(value)) {
      text += fmt::format("_{}", static_cast<std::uint64_t>(value));
    }
  }
  return text + "_" + t.element->text;
}

std::string assumed_name(const module& m,
                         const entry& e,
                         const std::vector<const operation*>& makers,
                         const operation& o) {
  const value_id v = o.operands[0];
  const operation* maker = makers[v];
  if (maker != nullptr) {
    const auto names = suggested(m, e, makers, *maker);
    if (!names.empty()) {
      const std::size_t i = v - maker->results[0];
      return "assume_" + (i < names.size() ? names[i] : "");
    }
  }
  return "assume";
}

std::vector<std::string> suggested(const module& m,
                                   const entry& e,
                                   const std::vector<const operation*>& makers,
                                   const operation& o) {
  switch (o.what) {
  case opcode::constant:
    return {constant_name(m, e, o)};
  case opcode::assume:
    return {assumed_name(m, e, makers, o)};
  case opcode::broadcast:
    return {"bcast"};
  case opcode::reshape:
    return {"reshape"};
  case opcode::for_:
    return {"for"};
  case opcode::reduce:
    return {"reduce"};
  case opcode::make_tensor_view:
    return {"tview"};
  case opcode::make_partition_view:
    return {"pview"};
  case opcode::make_strided_view:
    return {"sview"};
  case opcode::make_gather_scatter_view:
    return {"gsview"};
  case opcode::get_tile_block_id:
    return {"blockId_x", "blockId_y", "blockId_z"};
  case opcode::get_num_tile_blocks:
    return {"gridSize_x", "gridSize_y", "gridSize_z"};
  case opcode::load_ptr_tko:
  case opcode::atomic_rmw_tko:
  case opcode::atomic_cas_tko:
    return {"result", "result_token"};
  case opcode::load_view_tko:
    return {"tile", "result_token"};
  default:
    return {};
  }
}

std::vector<std::string> argument_names(const operation& owner, const region& r) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < r.arguments.size(); ++i) {
    if (owner.what == opcode::for_) {
      names.push_back(i == 0 ? "loopIdx" : fmt::format("iterArg{}", i - 1));
    } else if (owner.what == opcode::reduce) {
      names.push_back(fmt::format("{}{}",
                                  i % 2 == 0 ? "reduce_lhs" : "reduce_rhs",
                                  r.arguments.size() > 2 ? fmt::format("{}", i / 2) : ""));
    }
  }
  return names;
}

class namer {
public:
  namer(const module& m, const entry& e, value_names& to)
      : module_(m)
      , entry_(e)
      , names_(to)
      , makers_(e.values.size(), nullptr) {
    names_.of.resize(e.values.size());
  }

  void run() { name_region(entry_.body, {}, {}); }

private:
  struct counters {
    unsigned value = 0;
    unsigned argument = 0;
    unsigned conflict = 0;
  };

  void set(value_id v, const std::string& name, counters& c) {
    std::string unique = name;
    while (!used_.insert(unique).second) {
      unique = fmt::format("{}_{}", name, c.conflict++);
    }
    inserted_.push_back(unique);
    names_.of[v] = "%" + unique;
  }

  void name_results(const operation& o, counters& c) {
    for (const value_id v : o.results) {
      makers_[v] = &o;
    }
    const auto names = suggested(module_, entry_, makers_, o);
    for (std::size_t i = 0; i < o.results.size(); ++i) {
      if (i < names.size()) {
        set(o.results[i], names[i], c);
      } else if (i == 0) {
        names_.of[o.results[i]] = fmt::format("%{}", c.value++);
      }
    }
    // Results that share a name are told apart by a number.
    const std::size_t own = std::max<std::size_t>(names.size(), 1);
    if (o.results.size() > own) {
      const std::string base = names_.of[o.results[own - 1]];
      for (std::size_t i = own - 1; i < o.results.size(); ++i) {
        names_.of[o.results[i]] = fmt::format("{}#{}", base, i - (own - 1));
      }
    }
  }

  void name_region(const region& r, counters c, const std::vector<std::string>& suggestions) {
    const std::size_t before = inserted_.size();
    for (std::size_t i = 0; i < r.arguments.size(); ++i) {
      if (i < suggestions.size()) {
        set(r.arguments[i], suggestions[i], c);
      } else {
        set(r.arguments[i], fmt::format("arg{}", c.argument++), c);
      }
    }
    for (const operation& o : r.operations) {
      name_results(o, c);
    }
    for (const operation& o : r.operations) {
      for (const region& inner : o.regions) {
        name_region(inner, c, argument_names(o, inner));
      }
    }
    while (inserted_.size() > before) {
      used_.erase(inserted_.back());
      inserted_.pop_back();
    }
  }

  const module& module_;
  const entry& entry_;
  value_names& names_;
  std::vector<const operation*> makers_;
  std::set<std::string> used_;
  std::vector<std::string> inserted_;
};

} // namespace

std::string value_names::defined_by(const operation& o) const {
  std::string text;
  for (std::size_t i = 0; i < o.results.size(); ++i) {
    const std::string& name = of[o.results[i]];
    const std::size_t number = name.find('#');
    if (number == std::string::npos) {
      text += (text.empty() ? "" : ", ") + name;
    } else if (name.substr(number) == "#0") {
      text += (text.empty() ? "" : ", ") + name.substr(0, number) +
              fmt::format(":{}", o.results.size() - i);
    }
  }
  return text;
}

value_names name_values(const module& m, const entry& e) {
  value_names names;
  namer(m, e, names).run();
  return names;
}

} // namespace tilesim::tileir
