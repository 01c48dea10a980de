// Walking the host's stack and interning chains of calls.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/call_chain.hpp"

#include "sim/debug_info/places.hpp"
#include "sim/process/segments.hpp"
#include "sim/process/thread_marks.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string_view>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unordered_map>
#include <unwind.h>
#include <utility>

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

// Of the thread's stack, what lies further out than this belongs to others.
thread_local std::uintptr_t outermost = UINTPTR_MAX;

// The launch whose kernel the thread calls: an address in the launching function's frame, and its
// place. 0: it calls none.
thread_local std::pair<std::uintptr_t, const void*> binding;

const thread_mark mark_of_outermost([]() noexcept {
  return std::as_writable_bytes(std::span(&outermost, 1));
});
const thread_mark mark_of_binding([]() noexcept {
  return std::as_writable_bytes(std::span(&binding, 1));
});

/// A place of the stack that holds where a call returns to.
struct return_slot {
  const std::uintptr_t* at;
  std::uintptr_t pc;
};

/// A word of the stack, whatever variable it belongs to.
[[gnu::no_sanitize_address]] std::uintptr_t stack_word(const std::uintptr_t* at) noexcept {
  return *at;
}

/// Where between two frames' stack pointers a return address is kept; nullptr: nowhere. On x86-64
/// it is the first looked at, on aarch64 it lies at the bottom of a frame.
const std::uintptr_t*
find_return_slot(std::uintptr_t inner, std::uintptr_t outer, std::uintptr_t pc) {
  constexpr std::uintptr_t farthest = std::uintptr_t{1} << 16;
  for (std::uintptr_t at = outer - sizeof pc; at >= inner && outer - at <= farthest;
       at -= sizeof pc) {
    const auto* const slot = reinterpret_cast<const std::uintptr_t*>(at);
    if (stack_word(slot) == pc) {
      return slot;
    }
  }
  return nullptr;
}

struct stack_walk {
  const stack_place* from = nullptr; ///< what is further in is passed over; nullptr: nothing is
  std::uintptr_t site = 0;
  bool found = false;
  bool cfa_is_missing = false; ///< of the last frame: the next one tells it
  std::size_t passed = 0;
  std::uintptr_t inner_sp = 0; ///< of the frame before
  std::vector<host_frame>* frames = nullptr;
  /// Where all of the calls return to, those of libraries, too; empty once one cannot be found.
  std::vector<return_slot>* slots = nullptr;
};

void take_slot(stack_walk& w, std::uintptr_t sp, std::uintptr_t pc) {
  const auto* const at = find_return_slot(w.inner_sp, sp, pc);
  if (at == nullptr) {
    w.slots->clear();
    w.slots = nullptr;
  } else {
    w.slots->push_back({at, pc});
  }
}

_Unwind_Reason_Code step_out(_Unwind_Context* context, void* argument) {
  stack_walk& w = *static_cast<stack_walk*>(argument);
  // A frame that a signal interrupted stands before an instruction; the others behind a call.
  int is_before = 0;
  const std::uintptr_t ip = _Unwind_GetIPInfo(context, &is_before);
  const std::uintptr_t pc = ip + (is_before != 0 ? 1U : 0U);
  // The stack pointer at this frame's call is the canonical address of the frame that it called.
  const std::uintptr_t sp = _Unwind_GetCFA(context);
  if (w.cfa_is_missing) {
    w.frames->back().cfa = sp;
    w.cfa_is_missing = false;
  }
  if (w.from != nullptr) {
    if (pc != w.from->pc || sp != w.from->sp) {
      return ++w.passed > most_frames ? _URC_NORMAL_STOP : _URC_NO_REASON;
    }
    w.from = nullptr;
    w.passed = 0;
  }
  w.found = w.found || pc == w.site || (w.site == 0 && is_program(pc));
  if (!w.found) {
    w.inner_sp = sp;
    return ++w.passed > most_frames ? _URC_NORMAL_STOP : _URC_NO_REASON;
  }
  if (sp > outermost || is_start(pc) || w.frames->size() == most_frames) {
    return _URC_NORMAL_STOP;
  }
  if (w.slots != nullptr) {
    take_slot(w, sp, pc);
  }
  w.inner_sp = sp;
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
  const void* intern(const std::vector<const void*>& calls, bool access) {
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
    chains_.push_back({.calls = calls, .access = access});
    return cell(chains_.size() - 1);
  }

  const call_chain* find(const void* site) const {
    if (cells_ == 0 || number(site) >= most_chains) {
      return nullptr;
    }
    const std::scoped_lock lock(changes_);
    return number(site) < chains_.size() ? &chains_[number(site)] : nullptr;
  }

  /// What is known of a call of the chain at `site`, whose innermost frame is at `cfa`; nullptr:
  /// nothing.
  const allocating_call*
  known_allocating(const void* site, std::uintptr_t filled, std::uintptr_t cfa) const {
    const std::scoped_lock lock(changes_);
    for (const allocating_call* known : chains_[number(site)].allocate) {
      if (known->filled == filled && known->frames.front().cfa == cfa) {
        return known;
      }
    }
    return nullptr;
  }

  /// What a call of the chain at `site` allocates into.
  const allocating_call*
  allocates(const void* site, std::uintptr_t filled, std::span<const host_frame> frames) {
    if (const auto* const known = known_allocating(site, filled, frames.front().cfa)) {
      return known;
    }
    const std::scoped_lock lock(changes_);
    call_chain& chain = chains_[number(site)];
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

namespace {

/// Without the frames of the kernel that is being called for a launch.
void leave_out_kernel(std::vector<host_frame>& frames) {
  frames.erase(frames.begin(), std::ranges::find_if(frames, [](const host_frame& f) {
                 return f.cfa > binding.first;
               }));
  if (!frames.empty()) {
    frames.front().launch = binding.second;
  }
}

void unwind(void* walk) {
  _Unwind_Backtrace(&step_out, walk);
}

/// `from`: where the walk begins, if not here.
std::vector<host_frame>
walk(const void* site, std::vector<return_slot>* slots, const stack_place* from = nullptr) {
  // The launch's own place is no return address that waits.
  const bool binds = binding.first != 0 && (site == nullptr || site == binding.second);
  if (registered_resolver(binds ? binding.second : site) != nullptr) {
    return {}; // another door's: no frame of this stack stands there, and the stack may be deep
  }
  std::vector<host_frame> frames;
  frames.reserve(8);
  stack_walk w{.from = from,
               .site = binds ? 0 : reinterpret_cast<std::uintptr_t>(site),
               .frames = &frames,
               .slots = slots};
  if (from != nullptr) {
    tilesim_call_at_stack_place(from, &unwind, &w);
  } else {
    unwind(&w);
  }
  if (w.cfa_is_missing) {
    frames.pop_back();
  }
  if (binds) {
    leave_out_kernel(frames);
  }
  return frames;
}

const void* intern(std::span<const host_frame> frames, bool access = false) {
  std::vector<const void*> calls;
  for (const host_frame& f : frames) {
    calls.push_back(f.place());
  }
  return calls.empty() ? nullptr : table().intern(calls, access);
}

thread_local const waiting_host* waits = nullptr;
const thread_mark mark_of_waits([]() noexcept {
  return std::as_writable_bytes(std::span(&waits, 1));
});

/// The chains of accesses, or of calls, that the thread has made, to be found again without a walk:
/// a loop of the host's makes very many.
class known_chains {
public:
  struct known {
    std::vector<return_slot> slots; ///< innermost first
    const void* chain = nullptr;
    std::uintptr_t cfa = 0; ///< of the innermost frame
    std::uintptr_t outermost = 0;
  };

  /// nullptr: the thread has not made this one.
  const known* find(const void* site, bool access) const {
    const auto& by_site = by_site_[access ? 1 : 0];
    const auto it = by_site.find(site);
    if (it == by_site.end()) {
      return nullptr;
    }
    // A deeper one's place may be anybody's: only what lies between here and the hook is read.
    constexpr std::uintptr_t nearest_frames = 4096;
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    for (const known& k : it->second.chains) {
      const auto first = reinterpret_cast<std::uintptr_t>(k.slots.front().at);
      if (k.outermost == outermost && first - here < nearest_frames &&
          std::ranges::all_of(k.slots,
                              [](const return_slot& s) { return stack_word(s.at) == s.pc; })) {
        return &k;
      }
    }
    return nullptr;
  }

  void keep(const void* site, bool access, known chain) {
    constexpr std::size_t most = 8; // places that call one helper in turn
    of_site& same = by_site_[access ? 1 : 0][site];
    if (same.chains.size() < most) {
      same.chains.emplace_back();
    }
    same.chains[same.next++ % most] = std::move(chain);
  }

private:
  struct of_site {
    std::vector<known> chains;
    std::size_t next = 0;
  };
  std::array<std::unordered_map<const void*, of_site>, 2> by_site_; ///< calls; accesses
};

thread_local known_chains* chains_of_thread = nullptr;

/// Deletes a thread's own when it ends.
class chains_remover {
public:
  chains_remover() = default;
  ~chains_remover() { delete std::exchange(chains_of_thread, nullptr); }
  chains_remover(const chains_remover&) = delete;
  chains_remover& operator=(const chains_remover&) = delete;
};
void remove_chains_at_end() {
  thread_local const chains_remover at_end;
}

/// A thread's own. The main thread's destructors run before those of static variables, whose
/// accesses begin another.
known_chains& known_chains_of_thread() {
  remove_chains_at_end();
  if (chains_of_thread == nullptr) {
    chains_of_thread = new known_chains;
  }
  return *chains_of_thread;
}

/// Frames of a kernel that is being called for a launch are left out, which takes a walk.
bool can_be_known(const void* site) {
  return site != nullptr && binding.first == 0;
}

/// Of the call that returns to `site`, if the thread has made it before.
const known_chains::known* known_call(const void* site, bool access) {
  return can_be_known(site) ? known_chains_of_thread().find(site, access) : nullptr;
}

/// The chain that waits for the call that returns to `site`, and its frames. `keeps`: it is not
/// known yet.
std::pair<const void*, std::vector<host_frame>> walked(const void* site, bool access, bool keeps) {
  std::vector<return_slot> slots;
  std::vector<host_frame> frames = walk(site, keeps && can_be_known(site) ? &slots : nullptr);
  const void* const chain = intern(frames, access);
  if (chain != nullptr && !slots.empty()) {
    known_chains_of_thread().keep(
        site, access, {std::move(slots), chain, frames.front().cfa, outermost});
  }
  return {chain, std::move(frames)};
}

const void* interned(const void* site, bool access) {
  if (const auto* const known = known_call(site, access)) {
    return known->chain;
  }
  const void* const chain = walked(site, access, true).first;
  return chain != nullptr ? chain : site;
}

} // namespace

std::vector<host_frame> waiting_frames(const void* site) {
  return walk(site, nullptr);
}

const void* with_callers(const void* site) {
  return interned(site, false);
}

const void* access_with_callers(const void* site) {
  return interned(site, true);
}

const void* fault_with_callers(const void* site) {
  const void* const chain = intern(waiting_frames(site), true);
  return chain != nullptr ? chain : site;
}

called_back::called_back(const void* frame) noexcept
    : outer_(outermost)
    , binding_(std::exchange(binding, {})) {
  outermost = reinterpret_cast<std::uintptr_t>(frame);
}

called_back::~called_back() {
  outermost = outer_;
  binding = binding_;
}

binding_kernel::binding_kernel(const void* launch, const void* site) noexcept {
  binding = {reinterpret_cast<std::uintptr_t>(launch), site};
}

binding_kernel::~binding_kernel() {
  binding = {};
}

namespace {

std::uint64_t next_wait() noexcept {
  static std::atomic<std::uint64_t> all = 0;
  return ++all;
}

} // namespace

waiting_host::waiting_host(const void* site)
    : frames_(waiting_frames(site))
    , outermost_(outermost)
    , binding_(binding)
    , number_(next_wait())
    , outer_(waits) {
  waits = this;
}

waiting_host::waiting_host(const stack_place& here) noexcept
    : here_(here)
    , outermost_(outermost)
    , binding_(binding)
    , number_(next_wait())
    , outer_(waits) {
  waits = this;
}

std::span<const host_frame> waiting_host::frames() const {
  if (!frames_) {
    const auto outermost_now = std::exchange(outermost, outermost_);
    const auto binding_now = std::exchange(binding, binding_);
    frames_ = walk(nullptr, nullptr, &here_);
    outermost = outermost_now;
    binding = binding_now;
  }
  return *frames_;
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
  const auto filled = reinterpret_cast<std::uintptr_t>(out);
  const auto* const known = known_call(return_address, false);
  if (known != nullptr) {
    if (const auto* const by = table().known_allocating(known->chain, filled, known->cfa)) {
      return {known->chain, by};
    }
  }
  const auto [chain, frames] = walked(return_address, false, known == nullptr);
  if (chain == nullptr) {
    return {return_address, nullptr};
  }
  return {chain, table().allocates(chain, filled, frames)};
}

} // namespace tilesim::sim
