// What is wrong with an address.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/naming/address_report.hpp"

#include "sim/contract/counted.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/fiber.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/naming/host_variables.hpp"
#include "sim/naming/shared_report.hpp"
#include "sim/process/segments.hpp"

#include <tilesim/detail/phases.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace tilesim::sim {

namespace {

constexpr std::uintptr_t null_page = 4096;

/// The loaded program's and libraries' own variables: `__tile__` globals, constants, literals.
const std::vector<segment>& program_segments() {
  // Never destroyed: the stepper asks to the very end.
  static const auto& all = *new const std::vector<segment>(loaded_segments());
  return all;
}

/// True if the process has memory there at all.
bool mapped(std::uintptr_t address) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0;
}

std::string whose(const allocation& a) {
  if (a.kind == memory_kind::lent) {
    return fmt::format(
        "an array of {} bytes, given to the kernel at {}", a.size, place_and_helper(a.site));
  }
  return fmt::format("allocation #{} ({} bytes of {}, allocated at {})",
                     a.id,
                     a.size,
                     name(a.kind),
                     place_and_helper(a.site));
}

/// "ready[3] of int[64], ": what comes before the bare facts; empty if it is not known.
std::string before(std::string text) {
  if (!text.empty()) {
    text += ", ";
  }
  return text;
}

std::string described(const bad_access& access) {
  return access.bytes == 0
             ? fmt::format("raw {}", name(access.kind))
             : fmt::format("{} of {}", name(access.kind), counted(access.bytes, "byte"));
}

/// The allocations that the launch has been given pointers into, as arguments or in some.
std::set<const allocation*> given_to(const context& c, const launch_state& launch) {
  std::set<const allocation*> given;
  const auto* const closure = static_cast<const unsigned char*>(launch.kernel.closure);
  // Those of Tile IR's entries lie at any byte.
  for (std::size_t i = 0; i + sizeof(void*) <= launch.kernel.closure_bytes; ++i) {
    const void* to = nullptr;
    std::memcpy(&to, closure + i, sizeof to);
    if (const allocation* a = c.mem.find(to)) {
      given.insert(a);
    }
  }
  return given;
}

/// Is an address outside surely meant as an element of the allocation, which is the nearest one?
/// What is computed from another one's pointer may lie anywhere.
bool is_meant(const context& c, const sim_thread* t, const allocation& a, std::uintptr_t address) {
  constexpr std::uintptr_t small_distance = 4096;
  const std::uintptr_t away = address < a.begin ? a.begin - address : address - a.end();
  if (t == nullptr) {
    return away <= small_distance;
  }
  const auto given = given_to(c, *t->launch);
  return given.contains(&a) && (given.size() == 1 || away <= small_distance);
}

/// Of an allocation that the address lies in, or next to. `who` accesses it is told first.
finding_text explain_near(context& c,
                          const sim_thread* thread,
                          const bad_access& access,
                          std::vector<std::string> who,
                          const allocation& near,
                          bool is_inside) {
  const std::uintptr_t at = access.address;
  const std::string what = described(access);
  if (!near.live) {
    who.push_back(fmt::format("{}{} was freed at {}",
                              before(buffer_text(c, thread, near)),
                              whose(near),
                              place_and_helper(near.freed_site)));
    return {.kind = finding_kind::use_after_free,
            .message = fmt::format("{} of freed memory", what),
            .details = who,
            .remedy = "free it after the last kernel that uses it has finished"};
  }
  if (is_inside && access.bytes == 0) { // the system has refused it
    who.push_back(fmt::format("it is {}", describe_address(c, at)));
    return {.kind = finding_kind::host_memory,
            .message = fmt::format("{} of memory that the host itself may not use so", what),
            .details = who,
            .remedy = "give the kernel a copy: this memory is read-only, or a file has become "
                      "shorter than it"};
  }
  const bool below = at < near.begin;
  const std::uintptr_t by = below ? near.begin - at : at - near.begin;
  std::string where;
  if (is_inside) {
    where = fmt::format("begins at byte {} and runs {} past the end of",
                        by,
                        counted(at + access.bytes - near.end(), "byte"));
  } else if (below) {
    where = fmt::format("lies {} before", counted(by, "byte"));
  } else {
    where = fmt::format("lies {} past the end of", counted(at - near.end(), "byte"));
  }
  who.push_back(fmt::format("it {} {}", where, whose(near)));
  if (is_inside || is_meant(c, thread, near, at)) {
    if (const std::string element = element_text(c, thread, near, at); !element.empty()) {
      who.push_back(fmt::format("it is {}", element));
    }
  }
  return {.kind = finding_kind::out_of_bounds,
          .message = fmt::format("{} out of bounds", what),
          .details = who,
          .remedy = "mask off the elements that lie outside, or correct the index"};
}

/// Another thread of the block, if the address lies on its stack.
const sim_thread* whose_stack(const sim_thread& thread, std::uintptr_t at) {
  if (thread.team == nullptr) {
    return nullptr;
  }
  const auto& all = thread.team->members;
  const auto found = std::ranges::find_if(all, [at](const sim_thread* t) {
    return t != nullptr && t->stack != nullptr && t->stack->stack().contains(at);
  });
  return found == all.end() ? nullptr : *found;
}

} // namespace

bool accessible(context& c, const sim_thread* thread, std::uintptr_t address, unsigned bytes) {
  if (const allocation* a = c.mem.find(reinterpret_cast<const void*>(address))) {
    return a->live && a->contains(address, bytes);
  }
  if (c.mem.in_arena(address)) {
    return false;
  }
  if (c.shared.holds(address)) {
    return shared_accessible(c.shared, thread, address, bytes);
  }
  if (thread != nullptr && thread->stack->stack().contains(address)) {
    return true;
  }
  for (const segment& s : program_segments()) {
    if (s.contains(address)) {
      return thread == nullptr || !s.of_program ||
             !(s.writable ? is_host_variable(address)
                          : is_given_constant(*thread->launch, address));
    }
  }
  return false;
}

finding_text misaligned_text(context& c, const sim_thread& thread, const bad_access& access) {
  return {.kind = finding_kind::misaligned,
          .message = fmt::format("raw {} of {} bytes at {:#x}, which is not a multiple of {}",
                                 name(access.kind),
                                 access.bytes,
                                 access.address,
                                 access.bytes),
          .details = {fmt::format("by {} of {}", thread.name(), thread.launch->kernel.name),
                      fmt::format("it is {}", describe_address(c, access.address))},
          .remedy = "keep pointers aligned to their element's size"};
}

finding_text explain(context& c, const sim_thread* thread, const bad_access& access) {
  const std::string what = described(access);
  const std::uintptr_t at = access.address;
  std::vector<std::string> who;
  if (thread != nullptr) {
    who.push_back(fmt::format(
        "by {} of {}, at address {:#x}", thread->name(), thread->launch->kernel.name, at));
  }
  if (at < null_page) {
    return {.kind = finding_kind::null_pointer,
            .message = fmt::format("{} through a null pointer", what),
            .details = who,
            .remedy = "check that the pointer was allocated and passed to the kernel"};
  }
  if (c.shared.holds(at)) {
    return explain_shared(c.shared, thread, access, std::move(who));
  }
  const allocation* inside = c.mem.find(reinterpret_cast<const void*>(at));
  const allocation* near = inside != nullptr ? inside : c.mem.nearest(at);
  if (near != nullptr) {
    return explain_near(c, thread, access, std::move(who), *near, inside != nullptr);
  }
  if (c.mem.in_arena(at) || thread == nullptr || !mapped(at)) {
    return {.kind = finding_kind::wild_pointer,
            .message = fmt::format("{} at an address that was never allocated", what),
            .details = who,
            .remedy = "correct the pointer arithmetic"};
  }
  if (const sim_thread* const other = whose_stack(*thread, at)) {
    return {.kind = finding_kind::host_memory,
            .message = fmt::format("{} of a variable of {}'s own", what, other->name()),
            .details = who,
            .remedy = "let threads share what they read of one another: __shared__ memory, or a "
                      "shuffle; local memory is each thread's own"};
  }
  return {.kind = finding_kind::host_memory,
          .message = fmt::format("{} of memory that the device cannot access", what),
          .details = who,
          .remedy =
              "pass memory from cudaMalloc, cudaMallocManaged or cudaMallocHost to the kernel"};
}

finding_text explain_host_access(context& c, std::uintptr_t address, access_kind kind) {
  return {.kind = finding_kind::host_access,
          .message = fmt::format(
              "host code {}{} device memory", name(kind), kind == access_kind::any ? "es" : "s"),
          .details = {fmt::format("it is {}", describe_address(c, address))},
          .remedy = "copy it with cudaMemcpy, or allocate it with cudaMallocManaged"};
}

std::string describe_element(context& c, std::uintptr_t address) {
  if (c.shared.holds(address)) {
    return describe_shared_element(c.shared, address);
  }
  if (const allocation* a = c.mem.find(reinterpret_cast<const void*>(address))) {
    const std::string element = element_text(c, execution::current(), *a, address);
    return element.empty() ? fmt::format("byte {} of allocation #{}", address - a->begin, a->id)
           : element.starts_with("element ") ? element // of no variable that is known
                                             : element.substr(0, element.find(" of "));
  }
  return describe_address(c, address);
}

std::string awaited_text(const context& c,
                         std::uint64_t launch,
                         std::uintptr_t address,
                         std::uint64_t value,
                         const std::string& name) {
  const auto barrier = c.barriers.find(address);
  const std::uint64_t missing =
      value & ((std::uint64_t{1} << detail::barrier_count_bits) - 1); // [phases.hpp]
  return barrier != c.barriers.end() && barrier->second == launch && missing != 0
             ? fmt::format("{} at {}", counted(missing, "more arrival"), name)
             : fmt::format("{} to become other than {}", name, value);
}

std::string describe_address(context& c, std::uintptr_t address) {
  const sim_thread* const running = execution::current();
  if (c.shared.holds(address)) {
    return describe_shared_address(c.shared, address);
  }
  if (const allocation* a = c.mem.find(reinterpret_cast<const void*>(address))) {
    return fmt::format("{}byte {} of {}",
                       before(element_text(c, running, *a, address)),
                       address - a->begin,
                       whose(*a));
  }
  if (address == 0) {
    return "a null pointer";
  }
  if (const allocation* a = c.mem.find(reinterpret_cast<const void*>(address - 1))) {
    return fmt::format("the end of {}{}", before(buffer_text(c, running, *a)), whose(*a));
  }
  if (!c.mem.in_arena(address)) {
    if (const std::string variable = variable_text(address); !variable.empty()) {
      return fmt::format("{}, a variable of the program", variable);
    }
  }
  if (const allocation* a = c.mem.nearest(address)) {
    return address < a->begin
               ? fmt::format("{} before {}", counted(a->begin - address, "byte"), whose(*a))
               : fmt::format(
                     "{} past the end of {}", counted(address - a->end(), "byte"), whose(*a));
  }
  return fmt::format("address {:#x}", address);
}

std::string describe_memory(context& c, std::uintptr_t address) {
  if (c.shared.holds(address)) {
    const shared_object* const o = c.shared.find(address);
    return o == nullptr ? "shared memory"
                        : fmt::format("shared memory declared at {}", place(o->site));
  }
  const allocation* a = c.mem.find(reinterpret_cast<const void*>(address));
  if (a == nullptr) {
    return "a variable of the program";
  }
  const std::string name = name_now(c, *a).text;
  return fmt::format("{}{} {} at {}",
                     name.empty() ? "" : name + ", ",
                     sim::name(a->kind),
                     a->kind == memory_kind::lent ? "given to the kernel" : "allocated",
                     place_and_helper(a->site));
}

} // namespace tilesim::sim
