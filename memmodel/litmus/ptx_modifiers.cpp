// Modifiers of PTX instructions: which ones an instruction takes, and what they say together.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/ptx_reader_impl.hpp"
#include "memmodel/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tilesim::memmodel::litmus {

ptx_reader::allowed_modifiers ptx_reader::modifiers_of(std::string_view mnemonic) {
  if (mnemonic == "ld" || mnemonic == "st") {
    return {true, true, true, true, false, false};
  }
  if (mnemonic == "atom" || mnemonic == "red") {
    return {true, true, true, true, true, false};
  }
  if (mnemonic == "fence") {
    return {true, true, false, false, false, false};
  }
  if (mnemonic == "bar" || mnemonic == "barrier") {
    return {false, true, false, false, false, true};
  }
  return {false, false, true, false, false, false};
}

modifiers ptx_reader::read_modifiers(std::string_view mnemonic) {
  static const std::map<std::string_view, std::uint32_t> vectors{{"v2", 2}, {"v4", 4}, {"v8", 8}};
  const allowed_modifiers may = modifiers_of(mnemonic);
  const bool accesses = may.order && may.type;
  modifiers m;
  while (in_.accept(".")) {
    const token t = in_.word("a modifier");
    const auto order = with_word(t.text,
                                 ptx_word,
                                 {memory_order::weak,
                                  memory_order::relaxed,
                                  memory_order::acquire,
                                  memory_order::release,
                                  memory_order::acq_rel,
                                  memory_order::sc});
    const auto s =
        with_word(t.text, ptx_word, {scope::cta, scope::cluster, scope::gpu, scope::sys});
    const auto type = type_named(t.text);
    const auto v = vectors.find(t.text);
    if (may.order && order) {
      once(m.order, *order, t, "order");
    } else if (may.scope && s) {
      once(m.scope, *s, t, "scope");
    } else if (may.type && type && t.text.size() <= 3) {
      once(m.type, *type, t, "type");
    } else if (may.vector && v != vectors.end()) {
      once(m.vector, v->second, t, "vector length");
    } else if (accesses && !may.operation && (t.text == "volatile" || t.text == "mmio")) {
      m.of_system = true;
    } else if (accesses && t.text == "global") {
      // The state space plays no part in the model.
    } else if (t.text == "proxy") {
      proxies(t.at);
    } else if (may.barrier && (t.text == "sync" || t.text == "arrive")) {
      once(m.waits, t.text == "sync", t, "way to come to a barrier");
    } else if (may.operation && t.text == "cas") {
      m.compare_exchange = true;
    } else if (const auto op = rmw_operation(t.text); may.operation && op) {
      once(m.operation, *op, t, "operation");
    } else {
      cursor::fail(t.at, fmt::format("'.{}' is no modifier of '{}'", t.text, mnemonic));
    }
  }
  return m;
}

std::optional<binary> ptx_reader::rmw_operation(std::string_view name) {
  if (name == "exch") {
    return binary::exchange;
  }
  if (name == "inc") {
    return binary::inc;
  }
  if (name == "dec") {
    return binary::dec;
  }
  return arithmetic(name);
}

void ptx_reader::only(const token& name,
                      memory_order o,
                      std::initializer_list<memory_order> allowed,
                      std::string_view list) {
  if (std::ranges::find(allowed, o) == allowed.end()) {
    cursor::fail(name.at, fmt::format("'{}' takes {}", name.text, list));
  }
}

void ptx_reader::strength(instruction& i, const token& name, const modifiers& m) {
  if (m.of_system) { // [PTX: volatile operations] As relaxed at system scope.
    i.order = memory_order::relaxed;
    i.scope = scope::sys;
    if (m.order.value_or(i.order) != i.order || m.scope.value_or(i.scope) != i.scope) {
      cursor::fail(name.at, "volatile and mmio accesses are relaxed, of system scope");
    }
    return;
  }
  i.order = m.order.value_or(memory_order::weak);
  i.scope = m.scope.value_or(scope::sys);
  if (i.order == memory_order::weak && m.scope) {
    cursor::fail(name.at, fmt::format("a weak '{}' has no scope", name.text));
  }
  if (i.order != memory_order::weak && !m.scope) {
    cursor::fail(
        name.at,
        fmt::format("a strong '{}' needs a scope: .cta, .cluster, .gpu or .sys", name.text));
  }
}

} // namespace tilesim::memmodel::litmus
