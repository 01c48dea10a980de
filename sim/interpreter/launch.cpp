// Launches of entries.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/launch.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/interpreter/run.hpp"
#include "sim/memory/engine.hpp"
#include "sim/process/sections.hpp"

#include <algorithm>
#include <new>
#include <string>

namespace tilesim::interpreter {
namespace {

/// The same entry with tokens, where the engine takes them.
const code& as_engine_takes_it(program& p, const code& plain, sim::context& c) {
  if (!c.exec->memory().takes_tokens()) {
    return plain;
  }
  if (plain.with_tokens == nullptr) {
    plain.with_tokens = &p.prepared(*plain.source, true);
  }
  return *plain.with_tokens;
}

/// What a launch keeps, with the parameters' values behind it: all arguments lie in its bytes.
struct closure {
  program* of;
  const code* what;

  [[nodiscard]] std::byte* parameters() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  [[nodiscard]] const std::byte* parameters() const noexcept {
    return reinterpret_cast<const std::byte*>(this + 1);
  }
};

void invoke(const void* self) {
  const sim::library_section inside;
  const auto& c = *static_cast<const closure*>(self);
  sim::sim_thread& thread = *sim::execution::current();
  run_block(as_engine_takes_it(*c.of, *c.what, *thread.owner), c.parameters(), thread);
}

} // namespace

void show_globals(const program& p, sim::context& c) {
  for (const auto& [name, cells] : p.globals()) {
    if (c.mem.find(cells.data()) == nullptr) {
      c.mem.register_range(cells.data(), cells.size(), nullptr);
    }
  }
}

std::vector<std::size_t> parameter_sizes(program& p, const tileir::entry& e) {
  std::vector<std::size_t> sizes;
  for (const auto& parameter : p.prepared(e).parameters) {
    sizes.push_back(size_of(parameter.type->elem));
  }
  return sizes;
}

detail::bound_kernel bind(program& p, const tileir::entry& e, const void* const* parameters) {
  const code& prepared = p.prepared(e);
  static_cast<void>(
      as_engine_takes_it(p, prepared, sim::context::current())); // not on a block's stack
  std::size_t bytes = sizeof(closure);
  for (const auto& parameter : prepared.parameters) {
    bytes += size_of(parameter.type->elem);
  }
  bytes |= 1U; // as no kernel's of C++ has: nobody takes it for one of those
  auto* const kept = new (::operator new(bytes)) closure{&p, &prepared};
  std::byte* to = kept->parameters();
  for (std::size_t i = 0; i < prepared.parameters.size(); ++i) {
    const auto* from = static_cast<const std::byte*>(parameters[i]);
    to = std::copy_n(from, size_of(prepared.parameters[i].type->elem), to);
  }
  // The names of kernels last as long as reports.
  static auto& names = *new std::map<const tileir::entry*, std::string>;
  const std::string& name = names.try_emplace(&e, p.function_name(e)).first->second;
  return {
      name.c_str(), kept, &invoke, [](void* c) noexcept { ::operator delete(c); }, bytes, nullptr};
}

int launch(program& p,
           const tileir::entry& e,
           dim3 grid,
           CUstream_st* stream,
           const void* const* parameters,
           const void* site) {
  const detail::bound_kernel bound = bind(p, e, parameters);
  show_globals(p, sim::context::current());
  detail::launching l({grid, dim3(1), 0, stream}, bound.name);
  l.site = site;
  detail::bind_launch(kernel_kind::tile, bound, site);
  return l.error;
}

} // namespace tilesim::interpreter
