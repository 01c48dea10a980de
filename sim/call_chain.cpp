// Walking the host's stack and interning chains of calls.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/call_chain.hpp"

#include "sim/segments.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unordered_map>
#include <unwind.h>

namespace tilesim::sim {

namespace {

// Frames behind these tell nothing more, and recursion has no end.
constexpr std::size_t most_frames = 32;

bool is_program(std::uintptr_t pc) {
  static const segment code = [] {
    for (const segment& s : loaded_segments()) {
      if (s.of_program && s.executable) {
        return s;
      }
    }
    return segment{};
  }();
  return code.contains(pc);
}

/// The program's first instructions, which call main through the C library.
bool is_start(std::uintptr_t pc) {
  constexpr std::uintptr_t longest = 64;
  static const std::uintptr_t start = getauxval(AT_ENTRY);
  return pc - start < longest;
}

struct stack_walk {
  std::uintptr_t site = 0;
  bool found = false;
  bool cfa_is_missing = false; ///< of the last frame: the next one tells it
  std::size_t passed = 0;
  std::vector<host_frame>* frames = nullptr;
};

_Unwind_Reason_Code step_out(_Unwind_Context* context, void* argument) {
  stack_walk& w = *static_cast<stack_walk*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  // The stack pointer at this frame's call is the canonical address of the frame that it called.
  const std::uintptr_t sp = _Unwind_GetCFA(context);
  if (w.cfa_is_missing) {
    w.frames->back().cfa = sp;
    w.cfa_is_missing = false;
  }
  w.found = w.found || pc == w.site || (w.site == 0 && is_program(pc));
  if (!w.found) {
    return ++w.passed > most_frames ? _URC_NORMAL_STOP : _URC_NO_REASON;
  }
  if (is_start(pc) || w.frames->size() == most_frames) {
    return _URC_NORMAL_STOP;
  }
  if (!is_program(pc) && !w.frames->empty()) {
    return _URC_NO_REASON; // a library's, which calls back
  }
  host_frame& frame = w.frames->emplace_back();
  frame.pc = reinterpret_cast<const void*>(pc);
  frame.sp = sp;
  for (std::size_t i = 0; i < preserved_registers.size(); ++i) {
    frame.preserved[i] = _Unwind_GetGR(context, preserved_registers[i]);
  }
  w.cfa_is_missing = true;
  return _URC_NO_REASON;
}

/// Chains by their calls. A chain's address is a cell of memory that nobody can access, so that it
/// is never taken for code.
class chain_table {
public:
  /// The site of a chain; nullptr where there is no room for more.
  const void* intern(const std::vector<const void*>& calls) {
    const std::scoped_lock lock(changes_);
    const std::string_view bytes(reinterpret_cast<const char*>(calls.data()),
                                 calls.size() * sizeof calls.front());
    auto& alike = numbers_[std::hash<std::string_view>{}(bytes)];
    for (const std::size_t n : alike) {
      if (chains_[n].calls == calls) {
        return cell(n);
      }
    }
    if (cells_ == 0 || chains_.size() == most_chains) {
      return nullptr;
    }
    alike.push_back(chains_.size());
    chains_.push_back({.calls = calls});
    return cell(chains_.size() - 1);
  }

  const call_chain* find(const void* site) const {
    if (cells_ == 0 || number(site) >= most_chains) {
      return nullptr;
    }
    const std::scoped_lock lock(changes_);
    return number(site) < chains_.size() ? &chains_[number(site)] : nullptr;
  }

  /// What a call of the chain at `site` allocates into.
  const allocating_call*
  allocates(const void* site, std::uintptr_t filled, std::span<const host_frame> frames) {
    const std::scoped_lock lock(changes_);
    call_chain& chain = chains_[number(site)];
    for (const allocating_call* known : chain.allocate) {
      if (known->filled == filled && known->frames.front().cfa == frames.front().cfa) {
        return known;
      }
    }
    if (chain.allocate.size() == most_alike) {
      return nullptr;
    }
    if (chain.allocate.empty()) {
      allocating_.push_back(site);
    }
    return chain.allocate.emplace_back(
        new allocating_call{filled, {frames.begin(), frames.end()}}); // kept to the very end
  }

  std::vector<const void*> allocating() const {
    const std::scoped_lock lock(changes_);
    return allocating_;
  }
  std::size_t count_allocating() const {
    const std::scoped_lock lock(changes_);
    return allocating_.size();
  }

private:
  static constexpr std::size_t most_chains = std::size_t{1} << 20;
  static constexpr std::size_t apart = 16; // a site's neighbours belong to it: calls are before it

  // What one chain allocates into: an arena's elements, say.
  static constexpr std::size_t most_alike = 4096;

  [[nodiscard]] std::size_t number(const void* site) const {
    return (reinterpret_cast<std::uintptr_t>(site) - cells_) / apart;
  }
  [[nodiscard]] const void* cell(std::size_t n) const {
    return reinterpret_cast<const void*>(cells_ + n * apart);
  }

  static std::uintptr_t reserve() {
    void* at = mmap(nullptr,
                    most_chains * apart,
                    PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1,
                    0);
    return at == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(at);
  }

  const std::uintptr_t cells_ = reserve();
  std::deque<call_chain> chains_;
  std::vector<const void*> allocating_;                               ///< sites
  std::unordered_map<std::size_t, std::vector<std::size_t>> numbers_; ///< by hash
  mutable std::mutex changes_;
};

chain_table& table() {
  static auto& all = *new chain_table; // reports are written at the very end
  return all;
}

} // namespace

std::vector<host_frame> waiting_frames(const void* site) {
  std::vector<host_frame> frames;
  frames.reserve(8);
  stack_walk w{.site = reinterpret_cast<std::uintptr_t>(site), .frames = &frames};
  _Unwind_Backtrace(&step_out, &w);
  if (w.cfa_is_missing) {
    frames.pop_back();
  }
  return frames;
}

namespace {

const void* intern(std::span<const host_frame> frames) {
  std::vector<const void*> calls;
  for (const host_frame& f : frames) {
    calls.push_back(f.pc);
  }
  return calls.empty() ? nullptr : table().intern(calls);
}

thread_local const waiting_host* waits = nullptr;

} // namespace

const void* with_callers(const void* site) {
  const void* const chain = intern(waiting_frames(site));
  return chain != nullptr ? chain : site;
}

waiting_host::waiting_host(const void* site)
    : frames_(waiting_frames(site))
    , outer_(waits) {
  static std::atomic<std::uint64_t> all = 0;
  number_ = ++all;
  waits = this;
}

waiting_host::~waiting_host() {
  waits = outer_;
}

const waiting_host* waiting_host::current() noexcept {
  return waits;
}

const call_chain* chain_of(const void* site) {
  return table().find(site);
}

const void* code_of(const void* site) {
  const call_chain* chain = chain_of(site);
  return chain != nullptr ? chain->calls.front() : site;
}

std::vector<const void*> allocating_sites() {
  return table().allocating();
}

std::size_t count_allocating_sites() {
  return table().count_allocating();
}

noted_allocation note_allocation(const void* return_address, const void* out) {
  const auto frames = waiting_frames(return_address);
  const void* const chain = intern(frames);
  if (chain == nullptr) {
    return {return_address, nullptr};
  }
  return {chain, table().allocates(chain, reinterpret_cast<std::uintptr_t>(out), frames)};
}

} // namespace tilesim::sim
