// Where a signal arrived, from the system's own records and the stack.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/signal_place.hpp"

#include "sim/debug_info/source_site.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <ucontext.h>
#include <unwind.h>
#include <vector>

namespace tilesim::sim {

std::uintptr_t program_counter(const void* raw) {
  const auto* machine_context = &static_cast<const ucontext_t*>(raw)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine_context->gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine_context->pc;
#else
#  error "tilesim runs on x86-64 and aarch64"
#endif
}

namespace {

#if defined(__aarch64__)
/// By the instruction's encoding: of the group of loads and stores, or nothing is known.
access_kind kind_of_instruction(std::uint32_t word) {
  const auto bits = [word](unsigned from, unsigned count) {
    return word >> from & ((1U << count) - 1);
  };
  if (bits(27, 1) != 1 || bits(25, 1) != 0) {
    return access_kind::any;
  }
  const auto loads = [](bool yes) { return yes ? access_kind::read : access_kind::write; };
  switch (bits(27, 3)) {
  case 1: // exclusive, ordered, structures of vectors
  case 5: // pairs
    return loads(bits(22, 1) != 0);
  case 3:
    return bits(24, 1) == 0 ? access_kind::read : access_kind::any; // literals
  default: {
    const bool updates = bits(24, 1) == 0 && bits(21, 1) == 1 && bits(10, 2) == 0;
    const bool is_vector = bits(26, 1) != 0;
    return loads(!updates && bits(22, 2) != 0 && !(is_vector && bits(22, 2) == 2));
  }
  }
}
#endif

} // namespace

access_kind interrupted_access(const void* raw) {
#if defined(__x86_64__)
  constexpr greg_t write_bit = 2;
  const bool writes =
      (static_cast<const ucontext_t*>(raw)->uc_mcontext.gregs[REG_ERR] & write_bit) != 0;
  return writes ? access_kind::write : access_kind::read;
#else
  // What the processor said of the fault, where the kernel passes it on: one of the records behind
  // the registers, each of which begins with its kind and its size.
  const auto& records = static_cast<const ucontext_t*>(raw)->uc_mcontext.__reserved;
  for (std::size_t at = 0; at + sizeof(esr_context) <= sizeof records;) {
    esr_context record{};
    std::memcpy(&record, records + at, sizeof record);
    if (record.head.magic == ESR_MAGIC) {
      constexpr std::uint64_t data_abort = 0x24; // from a lower level; 0x25 from the same
      const bool is_access = (record.esr >> 26U & 0x3eU) == data_abort;
      const bool writes = (record.esr >> 6U & 1U) != 0;
      return !is_access ? access_kind::any : writes ? access_kind::write : access_kind::read;
    }
    if (record.head.size == 0) {
      break;
    }
    at += record.head.size;
  }
  // QEMU 10.0 says nothing.
  const std::uintptr_t pc = program_counter(raw);
  if (pc == static_cast<const ucontext_t*>(raw)->uc_mcontext.fault_address) {
    return access_kind::any; // there is no instruction
  }
  std::uint32_t word = 0;
  std::memcpy(&word, reinterpret_cast<const void*>(pc), sizeof word);
  return kind_of_instruction(word);
#endif
}

std::uintptr_t stack_pointer(const void* raw) {
  const auto* machine_context = &static_cast<const ucontext_t*>(raw)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine_context->gregs[REG_RSP]);
#else
  return machine_context->sp;
#endif
}

const void* site_of_call(const void* raw) {
#if defined(__x86_64__)
  const void* site = nullptr;
  std::memcpy(&site, reinterpret_cast<const void*>(stack_pointer(raw)), sizeof site);
  return site;
#else
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(raw)->uc_mcontext.regs[30]);
#endif
}

const segment& program_code() {
  static const segment code = [] {
    const std::vector<segment> all = loaded_segments();
    return *std::find_if(
        all.begin(), all.end(), [](const segment& s) { return s.of_program && s.executable; });
  }();
  return code;
}

bool in_user_code(const void* address) {
  Dl_info ours;
  Dl_info its;
  if (dladdr(reinterpret_cast<const void*>(&user_caller), &ours) == 0 ||
      dladdr(address, &its) == 0 || its.dli_fname == nullptr) {
    return false;
  }
  const char* file = std::strrchr(its.dli_fname, '/');
  file = file != nullptr ? file + 1 : its.dli_fname;
  return its.dli_fbase != ours.dli_fbase && std::strncmp(file, "libc.", 5) != 0 &&
         std::strncmp(file, "libc-", 5) != 0 && std::strncmp(file, "libstdc++", 9) != 0 &&
         std::strncmp(file, "ld-linux", 8) != 0;
}

namespace {

struct site_walk {
  std::span<const void*> sites;
  std::size_t count = 0;
};

_Unwind_Reason_Code note_site(_Unwind_Context* context, void* argument) {
  site_walk& w = *static_cast<site_walk*>(argument);
  if (w.count == w.sites.size()) {
    return _URC_NORMAL_STOP;
  }
  // A frame that a signal interrupted stands before an instruction; the others behind a call. There
  // may be several: a tick's handler is itself interrupted.
  int is_before = 0;
  const auto ip = _Unwind_GetIPInfo(context, &is_before);
  w.sites[w.count++] = reinterpret_cast<const void*>(ip + (is_before != 0 ? 1U : 0U));
  return _URC_NO_REASON;
}

} // namespace

std::size_t sites_of_frames(std::span<const void*> sites) {
  site_walk w{.sites = sites};
  _Unwind_Backtrace(&note_site, &w);
  return w.count;
}

namespace {

/// The innermost of this thread's frames that is `wanted`; nullptr: none.
template <class Predicate>
const void* innermost_site(Predicate wanted) {
  std::array<const void*, 32> sites{};
  auto* const end = sites.begin() + sites_of_frames(sites);
  const auto* const found = std::find_if(sites.begin(), end, wanted);
  return found != end ? *found : nullptr;
}

} // namespace

const void* user_caller(const void* return_address) {
  if (in_user_code(return_address)) {
    return return_address;
  }
  const void* const found = innermost_site(&in_user_code);
  return found != nullptr ? found : return_address;
}

const void* user_line(const void* raw) {
  const void* const found =
      innermost_site([](const void* site) { return in_user_code(site) && !resolve(site).empty(); });
  return found != nullptr ? found : user_site(raw);
}

const void* user_site(const void* raw) {
  // A site is a return address: one past the instruction.
  return user_caller(reinterpret_cast<const void*>(program_counter(raw) + 1));
}

} // namespace tilesim::sim
