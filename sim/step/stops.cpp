// Breakpoints and watched values, asked before every operation.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/stops.hpp"

#include "sim/opcode_name.hpp"
#include "sim/source_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

namespace tilesim::sim::step {

namespace {

bool ends_with_path(const std::string& file, const std::string& wanted) {
  return file.size() >= wanted.size() &&
         file.compare(file.size() - wanted.size(), wanted.size(), wanted) == 0 &&
         (file.size() == wanted.size() || file[file.size() - wanted.size() - 1] == '/');
}

/// "my::kernel<int>" is called "kernel", "my::kernel" or by its whole name.
bool is_called(std::string_view kernel, std::string_view wanted) {
  if (kernel == wanted) {
    return true;
  }
  kernel = kernel.substr(0, kernel.find('<'));
  return kernel == wanted ||
         (kernel.size() > wanted.size() + 2 &&
          kernel.substr(kernel.size() - wanted.size() - 2) == "::" + std::string(wanted));
}

bool same(const std::optional<value>& a, const std::optional<value>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->bytes == b->bytes && a->shape == b->shape && a->type.kind == b->type.kind &&
                 a->marks == b->marks));
}

std::optional<value> evaluate(const expression& what, environment& names) {
  try {
    value v = what.evaluate(names);
    if (v.missing.empty()) {
      return v;
    }
  } catch (const expression_error&) { // its names are not there: it has no value now
  }
  return std::nullopt;
}

} // namespace

bool answers_to(const char* operation, const std::string& wanted) {
  const std::string_view name = operation;
  if (name == wanted) {
    return true;
  }
  static const std::multimap<std::string, std::string, std::less<>> by_call = {
      {"load", "load_ptr_tko"},
      {"load", "load_view_tko"},
      {"load_masked", "load_ptr_tko"},
      {"store", "store_ptr_tko"},
      {"store", "store_view_tko"},
      {"store_masked", "store_ptr_tko"},
      {"atomic_compare_exchange", "atomic_cas_tko"},
      {"mma", "mmaf"},
      {"mma", "mmai"},
      {"matmul", "mmaf"},
      {"matmul", "mmai"},
      {"full", "constant"},
      {"bid", "get_tile_block_id"},
      {"num_blocks", "get_num_tile_blocks"},
      {"element_cast", "exti"},
      {"element_cast", "trunci"},
      {"element_cast", "itof"},
      {"element_cast", "ftoi"},
      {"element_cast", "ftof"},
      {"sum", "reduce"},
      {"cumsum", "scan"},
  };
  const auto [first, last] = by_call.equal_range(wanted);
  if (std::any_of(first, last, [&](const auto& row) { return row.second == name; })) {
    return true;
  }
  // atomic: every one; add: addi and addf.
  if (wanted == "atomic") {
    return name.substr(0, 6) == "atomic";
  }
  return name.size() == wanted.size() + 1 && name.substr(0, wanted.size()) == wanted &&
         (name.back() == 'i' || name.back() == 'f');
}

bool is_operation(const std::string& wanted) {
  const auto answers = [&wanted](const char* name) { return answers_to(name, wanted); };
  static constexpr std::array others = {"read",
                                        "write",
                                        "update",
                                        "atomic_and",
                                        "atomic_or",
                                        "atomic_xor",
                                        "atomic_add",
                                        "atomic_max",
                                        "atomic_min",
                                        "atomic_exchange"};
  return std::any_of(std::begin(opcode_names), std::end(opcode_names), answers) ||
         std::any_of(others.begin(), others.end(), answers);
}

void stops::set(const nlohmann::json& all) {
  std::vector<breakpoint> breakpoints;
  for (const auto& b : all.value("breakpoints", nlohmann::json::array())) {
    breakpoint one;
    one.id = b.at("id");
    one.file = b.value("file", "");
    one.line = b.value("line", 0U);
    one.kernel = b.value("kernel", "");
    one.operation = b.value("op", "");
    if (!one.operation.empty() && !is_operation(one.operation)) {
      throw expression_error(
          fmt::format("no operation is called '{}', in C++ or in Tile IR", one.operation), 0);
    }
    if (b.contains("block")) {
      if (b.at("block").is_array()) {
        one.position = b.at("block").get<std::array<std::uint32_t, 3>>();
      } else {
        one.block = b.at("block").get<std::uint64_t>();
      }
    }
    if (b.contains("if")) {
      one.condition.emplace(b.at("if").get<std::string>());
    }
    breakpoints.push_back(std::move(one));
  }
  std::vector<watchpoint> watches;
  for (const auto& w : all.value("watches", nlohmann::json::array())) {
    watches.push_back({w.at("id"), expression(w.at("what").get<std::string>())});
  }
  breakpoints_ = std::move(breakpoints);
  watches_ = std::move(watches);
}

const stops::place_of_site& stops::place(const void* site) {
  const auto [it, is_new] = places_.try_emplace(site);
  if (is_new) {
    if (const auto frames = resolve(site); !frames.empty()) {
      it->second = {frames.front().file, frames.front().line};
    }
  }
  return it->second;
}

bool stops::same_line(const void* a, const void* b) {
  const place_of_site& first = place(a);
  const place_of_site& second = place(b);
  return first.line == second.line && first.file == second.file;
}

bool stops::comes_to(const sim_thread& t,
                     const void* site,
                     const std::string& file,
                     unsigned line) {
  const place_of_site& here = place(site);
  const place_of_site& before = place(t.site);
  if (line == 0) {
    return t.site == nullptr || here.line != before.line || here.file != before.file;
  }
  if (here.line != line || !ends_with_path(here.file, file)) {
    return false;
  }
  // Not for every operation of the line, but again when a loop comes back to it.
  return t.site == nullptr || before.line != line || before.file != here.file || site <= t.site;
}

std::vector<unsigned>
stops::at(const sim_thread& t, const void* site, const char* operation, environment& names) {
  std::vector<unsigned> reached;
  for (const breakpoint& b : breakpoints_) {
    if ((b.block && *b.block != t.linear_block()) ||
        (b.position && *b.position != std::array{t.block.x, t.block.y, t.block.z}) ||
        (!b.operation.empty() && !answers_to(operation, b.operation)) ||
        (!b.kernel.empty() && (!is_called(t.launch->kernel.name, b.kernel) ||
                               (b.operation.empty() && b.line == 0 && t.operations != 0))) ||
        (b.line != 0 && !comes_to(t, site, b.file, b.line))) {
      continue;
    }
    // A block alone: where it begins.
    if ((b.block || b.position) && b.operation.empty() && b.kernel.empty() && b.line == 0 &&
        !b.condition && t.operations != 0) {
      continue;
    }
    if (b.condition) {
      const std::optional<value> v = evaluate(*b.condition, names);
      if (!v || !is_true(*v)) {
        continue;
      }
    }
    reached.push_back(b.id);
  }
  return reached;
}

std::vector<seen_change> stops::changes(environment& names) {
  std::vector<seen_change> seen;
  for (watchpoint& w : watches_) {
    std::optional<value> now = evaluate(w.what, names);
    // Names that come into scope or leave it are no change of a value.
    if (now && w.last && !same(now, w.last)) {
      seen.push_back({w.id, w.last, now});
    }
    if (now) {
      w.last = std::move(now);
    }
  }
  return seen;
}

} // namespace tilesim::sim::step
