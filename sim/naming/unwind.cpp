// The frames of the running fiber, by the unwinder that exceptions use.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/naming/unwind.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/fiber.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/own_memory.hpp"
#include "sim/debug_info/source_site.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <dwarf.h>
#include <map>
#include <string_view>
#include <sys/auxv.h>
#include <unistd.h>
#include <unwind.h>

namespace tilesim::sim::step {

namespace {

// More than a kernel's calls; recursion without end stops here.
constexpr std::size_t most_frames = 256;

struct walk {
  const void* site = nullptr;
  bool found = false;
  std::vector<frame_registers> frames = {};
  bool last_is_complete = true; ///< the last frame's canonical address is known
};

const void* module_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

enum class code {
  beyond, ///< the simulator as a library, and what has no debug information
  hidden, ///< tilesim's headers and the standard library's: nothing that the user wrote
  users,
};

code classify(const void* pc) {
  static const void* const own_module = module_of(reinterpret_cast<const void*>(&walk_frames));
  static const void* const program = module_of(reinterpret_cast<const void*>(getauxval(AT_ENTRY)));
  const void* const module = module_of(pc);
  Dwarf_Addr relative = 0;
  if (module == nullptr || (module == own_module && module != program) ||
      unit_of(reinterpret_cast<Dwarf_Addr>(pc) - 1, relative) == nullptr) {
    return code::beyond;
  }
  return resolve(pc).empty() ? code::hidden : code::users;
}

/// Asked at every stop for the same few places.
code code_at(const void* pc) {
  static auto& cache = *new std::map<const void*, code>; // the stepper stays to the very end
  const auto [it, is_new] = cache.try_emplace(pc, code::beyond);
  if (is_new) {
    it->second = classify(pc);
  }
  return it->second;
}

bool is_standard_file(const char* file) {
  return file != nullptr && std::string_view(file).find("include/c++/") != std::string_view::npos;
}

/// Is it code of the standard library alone, nothing inlined from elsewhere?
bool classify_standard(const void* pc) {
  Dwarf_Addr relative = 0;
  Dwarf_Die* const unit = unit_of(reinterpret_cast<Dwarf_Addr>(pc) - 1, relative);
  if (unit == nullptr) {
    return false;
  }
  bool known = false;
  for (Dwarf_Die scope : scopes_around(unit, relative)) {
    const int tag = dwarf_tag(&scope);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
      if (!is_standard_file(dwarf_decl_file(&scope))) {
        return false;
      }
      known = true;
    }
    if (tag == DW_TAG_subprogram) {
      break;
    }
  }
  return known;
}

bool is_standard(const void* pc) {
  static auto& cache = *new std::map<const void*, bool>; // the stepper stays to the very end
  const auto [it, is_new] = cache.try_emplace(pc, false);
  if (is_new) {
    it->second = classify_standard(pc);
  }
  return it->second;
}

_Unwind_Reason_Code step_out(_Unwind_Context* context, void* argument) {
  walk& w = *static_cast<walk*>(argument);
  // The stack pointer at this frame's call is the canonical address of the frame that it called.
  const std::uintptr_t sp = _Unwind_GetCFA(context);
  if (!w.last_is_complete) {
    w.frames.back().cfa = sp;
    w.last_is_complete = true;
  }
  // A frame that a signal interrupted stands before an instruction; the others behind a call.
  int is_before = 0;
  const auto ip = _Unwind_GetIPInfo(context, &is_before);
  const auto* pc = reinterpret_cast<const void*>(ip + (is_before != 0 ? 1U : 0U));
  w.found = w.found || pc == w.site;
  if (!w.found) {
    return _URC_NO_REASON;
  }
  if (w.frames.size() == most_frames || code_at(pc) == code::beyond) {
    return _URC_NORMAL_STOP;
  }
  frame_registers frame;
  frame.pc = pc;
  frame.registers.emplace_back(stack_pointer_register, sp);
  for (const int number : preserved_registers) {
    frame.registers.emplace_back(number, _Unwind_GetGR(context, number));
  }
  w.frames.push_back(std::move(frame));
  w.last_is_complete = false;
  return _URC_NO_REASON;
}

} // namespace

const void* calling_place(const void* site) {
  // Atomic accesses ask for it one by one: the place of nearly all is their own.
  static std::array<const void*, 256> own_places{};
  const void*& own = own_places[reinterpret_cast<std::uintptr_t>(site) % own_places.size()];
  if (own == site) {
    return site;
  }
  if (code_at(site) != code::hidden || !is_standard(site)) {
    own = site;
    return site;
  }
  walk w{.site = site};
  _Unwind_Backtrace(&step_out, &w);
  const auto outside = std::ranges::find_if_not(
      w.frames, [](const frame_registers& frame) { return is_standard(frame.pc); });
  return outside != w.frames.end() && code_at(outside->pc) == code::users ? outside->pc : site;
}

const void* innermost_place(const void* site) {
  const void* const at = code_of(site);
  return at != nullptr && code_at(at) == code::users ? at : nullptr;
}

std::vector<frame_registers> walk_frames(const void* site) {
  walk w;
  w.site = code_of(site);
  _Unwind_Backtrace(&step_out, &w);
  if (!w.last_is_complete) {
    w.frames.pop_back();
  }
  std::vector<frame_registers> users;
  for (frame_registers& frame : w.frames) {
    if (code_at(frame.pc) == code::users) {
      users.push_back(std::move(frame));
    }
  }
  return users;
}

namespace {

/// What is mostly asked for are variables of the block that runs: read without a system call.
bool on_own_stack(std::uintptr_t address, std::size_t bytes) noexcept {
  const sim_thread* t = execution::current();
  return t != nullptr && t->stack->stack().contains(address) &&
         t->stack->stack().contains(address + bytes - 1);
}

[[gnu::constructor]] void tell_of_stacks() {
  is_own_stack = &on_own_stack;
}

} // namespace

} // namespace tilesim::sim::step
