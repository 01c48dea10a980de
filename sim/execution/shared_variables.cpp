// A block's __shared__ variables, as its threads come by their declarations.
//
// How much a kernel's declarations take in all is known to whoever compiles for a device; here it
// is what the block has come by.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/shared_variables.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/execution/block_meeting.hpp"
#include "sim/memory/block_memory.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::detail {

std::uint64_t running_block = 0;

namespace {

/// Those of all objects that are loaded.
shared_slot* first_slot = nullptr;

} // namespace

void shared_slot::add() noexcept {
  declared_at = TILESIM_SITE;
  next = first_slot;
  first_slot = this;
  running_block = 0; // whose variables do not all lie where they are looked for
}

void* find_shared(shared_variable& v) noexcept {
  if (v.block == running_block && v.block != 0) {
    return v.at;
  }
  const sim::library_section inside;
  const void* const site = TILESIM_SITE;
  const sim::sim_thread* const t = sim::execution::current();
  if (t == nullptr || t->team == nullptr) {
    sim::refuse_without_block(site, fmt::format("__shared__ {}", v.name));
  }
  v.at = sim::shared_variable_of(*t, v, site);
  v.block = t->team->serial;
  return v.at;
}

} // namespace tilesim::detail

namespace tilesim::sim {

namespace {

/// A kernel's own limit of shared memory of fixed size, and a block's of all.  [CUDA C++
/// Programming Guide: technical specifications]
constexpr std::size_t most_fixed = std::size_t{48} * 1024;
constexpr std::size_t most_in_all = std::size_t{227} * 1024;

void report_too_much(context& c, const sim_thread& t, const block_memory& m, const void* site) {
  const std::size_t dynamic = t.launch->config.shared_bytes;
  // A kernel that asked for no more than it has without asking shares that with its own variables.
  const std::size_t most = t.launch->config.most_shared > most_fixed ? most_in_all : most_fixed;
  if (m.fixed_bytes > most_fixed && !c.found.repeated(site, finding_kind::bad_launch)) {
    c.found.add(site,
                {.kind = finding_kind::bad_launch,
                 .message = fmt::format("the __shared__ variables of {} take {} bytes up to here, "
                                        "and a kernel may have {}",
                                        t.launch->kernel.name,
                                        m.fixed_bytes,
                                        most_fixed),
                 .remedy = "use an extern __shared__ array, which the launch gives its size, with "
                           "cudaFuncAttributeMaxDynamicSharedMemorySize"});
  } else if (m.fixed_bytes + dynamic > most && !c.found.repeated(site, finding_kind::bad_launch)) {
    c.found.add(site,
                {.kind = finding_kind::bad_launch,
                 .message = fmt::format("{} bytes of dynamic shared memory and {} of __shared__ "
                                        "variables are more than {}: the device refuses the launch",
                                        dynamic,
                                        m.fixed_bytes,
                                        most),
                 .remedy = most < most_in_all
                               ? "raise cudaFuncAttributeMaxDynamicSharedMemorySize, "
                                 "or ask for less dynamic shared memory"
                               : "ask for less dynamic shared memory"});
  }
}

} // namespace

void* shared_variable_of(const sim_thread& t, const detail::shared_variable& v, const void* site) {
  context& c = *t.owner;
  thread_block& b = *t.team;
  if (b.memory == nullptr) {
    b.memory = c.shared.take(
        b.serial,
        fmt::format(
            "block ({},{},{}) of {}", t.block.x, t.block.y, t.block.z, t.launch->kernel.name));
  }
  const bool dynamic = v.bytes == 0;
  shared_object made;
  if (b.memory != nullptr) {
    // All dynamic ones are one array.  [CUDA C++ Programming Guide: __shared__]
    const auto known = std::ranges::find_if(b.memory->objects, [&](const shared_object& o) {
      return dynamic ? o.dynamic : o.declared == &v;
    });
    if (known != b.memory->objects.end()) {
      return reinterpret_cast<void*>(known->begin);
    }
    made = block_memories::add(
        *b.memory, v, dynamic ? t.launch->config.shared_bytes : v.bytes, dynamic, site);
  }
  if (b.memory == nullptr || made.begin == 0) {
    c.found.stop(site,
                 {.kind = finding_kind::limit,
                  .message = fmt::format("no memory for __shared__ {}", v.name),
                  .remedy = "launch fewer blocks that wait for one another, or declare less"});
  }
  report_too_much(c, t, *b.memory, site);
  return reinterpret_cast<void*>(made.begin);
}

bool is_shared_slot(std::uintptr_t at) noexcept {
  for (const detail::shared_slot* s = detail::first_slot; s != nullptr; s = s->next) {
    if (at == reinterpret_cast<std::uintptr_t>(s->to)) {
      return true;
    }
  }
  return false;
}

void show_shared_variables(const sim_thread& t) {
  for (detail::shared_slot* s = detail::first_slot; s != nullptr; s = s->next) {
    if (s->variable.block != t.team->serial) {
      s->variable.at = shared_variable_of(t, s->variable, s->declared_at);
      s->variable.block = t.team->serial;
      *s->to = s->variable.at;
    }
  }
}

void hide_shared_variables() noexcept {
  detail::running_block = 0;
  for (detail::shared_slot* s = detail::first_slot; s != nullptr; s = s->next) {
    s->variable.block = 0;
    s->variable.at = nullptr;
    *s->to = nullptr;
  }
}

} // namespace tilesim::sim
