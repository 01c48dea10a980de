// Statements of inline PTX, performed for the running thread.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/atomics.hpp"
#include "sim/access/ending.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/execution/block_meeting.hpp"
#include "sim/execution/phased_meeting.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/sections.hpp"
#include "sim/ptx/scalar.hpp"
#include "sim/ptx/text.hpp"

#include <tilesim/detail/device_sync.hpp>
#include <tilesim/detail/ptx.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

namespace tilesim::sim::ptx {

namespace {

using detail::ptx_operand;
using detail::warp_operation;
using detail::warp_request;

/// Read once for each text, which lives for ever.
const statement& known(const char* text) {
  static auto& all = *new std::map<const char*, statement>;
  static std::mutex guard;
  const library_section inside;
  const std::lock_guard lock(guard);
  const auto [at, is_new] = all.try_emplace(text);
  if (is_new) {
    at->second = read(text);
  }
  return at->second;
}

[[noreturn]] void refuse(const void* site, const char* text, const std::string& why) {
  const library_section inside;
  context::current().found.stop(
      site,
      {.kind = finding_kind::unsupported,
       .message = fmt::format("inline PTX is not simulated: {}", text),
       .details = {fmt::format("not known of it: {}", why)},
       .remedy = "use the function of CUDA C++ or of libcu++ that stands for the instruction"});
}

std::uint32_t axis(const machine::index3& at, char which) {
  return static_cast<std::uint32_t>(which == 'x' ? at.x : which == 'y' ? at.y : at.z);
}
std::uint32_t axis(const dim3& at, char which) {
  return which == 'x' ? at.x : which == 'y' ? at.y : at.z;
}

/// [PTX: special registers]
std::optional<std::uint64_t> special(const sim_thread& t, std::string_view name) {
  const std::uint32_t lane = t.rank % warp_size;
  const std::uint32_t own = std::uint32_t{1} << lane;
  const detail::launch_config& c = t.launch->config;
  const char last = name.empty() ? ' ' : name.back();
  if (name == "laneid") {
    return lane;
  }
  if (name == "warpid") {
    return t.rank / warp_size;
  }
  if (name == "nwarpid") {
    return (t.team->size() + warp_size - 1) / warp_size;
  }
  if (name == "WARP_SZ") {
    return warp_size;
  }
  if (name.starts_with("lanemask_")) {
    const std::string_view how = name.substr(9);
    return how == "eq"   ? own
           : how == "lt" ? own - 1
           : how == "le" ? own | (own - 1)
           : how == "gt" ? ~(own | (own - 1))
                         : ~(own - 1);
  }
  if (name.starts_with("tid.")) {
    return axis(t.thread, last);
  }
  if (name.starts_with("ctaid.")) {
    return axis(t.block, last);
  }
  if (name.starts_with("ntid.")) {
    return axis(c.block, last);
  }
  if (name.starts_with("nctaid.")) {
    return axis(c.grid, last);
  }
  if (name == "clock" || name == "clock64" || name == "globaltimer") {
    return static_cast<std::uint64_t>(detail::ticks());
  }
  return std::nullopt;
}

/// Where a shuffle reads, by the operand c: a clamp, and which bits of a lane are a segment's.
/// [PTX: shfl.sync]
struct source {
  unsigned lane;
  bool in_range;
};
source
source_of(const instruction& i, unsigned lane, std::uint32_t operand_b, std::uint32_t operand_c) {
  const unsigned b = operand_b & 0x1f;
  const unsigned clamp = operand_c & 0x1f;
  const unsigned segment = operand_c >> 8 & 0x1f;
  const unsigned most = (lane & segment) | (clamp & ~segment);
  const unsigned least = lane & segment;
  int from = static_cast<int>((least | (b & ~segment)) & 0x1f);
  bool in_range = from <= static_cast<int>(most);
  if (i.has("up")) {
    from = static_cast<int>(lane) - static_cast<int>(b);
    in_range = from >= static_cast<int>(most);
  } else if (i.has("down") || i.has("bfly")) {
    from = static_cast<int>(i.has("down") ? lane + b : lane ^ b);
    in_range = from <= static_cast<int>(most);
  }
  return {in_range ? static_cast<unsigned>(from) : lane, in_range};
}

memmodel::memory_order order_of(const instruction& i) {
  using memmodel::memory_order;
  return i.has("acq_rel")   ? memory_order::acq_rel
         : i.has("acquire") ? memory_order::acquire
         : i.has("release") ? memory_order::release
         : i.has("sc")      ? memory_order::sc
         : i.has("relaxed") || i.has("volatile") || i.starts("atom") || i.starts("red")
             ? memory_order::relaxed
             : memory_order::weak;
}

memmodel::scope scope_of(const instruction& i) {
  using memmodel::scope;
  return i.has("cta")                        ? scope::cta
         : i.has("cluster")                  ? scope::cluster
         : i.has("sys") || i.has("volatile") ? scope::sys
                                             : scope::gpu;
}

/// What an update makes of memory: the operands behind the address.
struct update {
  const instruction* what;
  std::uint64_t value;
};

void change(void* memory, const void* argument) {
  const auto& u = *static_cast<const update*>(argument);
  const unsigned bytes = bytes_of(u.what->words.back());
  std::uint64_t old = 0;
  std::memcpy(&old, memory, bytes);
  std::uint64_t now = u.value;
  instruction one;
  for (const char* const name : {"add", "min", "max", "and", "or", "xor"}) {
    if (u.what->has(name)) {
      one.words = {name, u.what->words.back()};
      now = *scalar(one, std::array{old, u.value});
    }
  }
  std::memcpy(memory, &now, bytes);
}

/// What `change` does, in the words of tiles; nothing: they have none for it.
std::optional<machine::rmw_mode> mode_of(const instruction& i) {
  using mode = machine::rmw_mode;
  const std::string& type = i.words.back();
  if (type.starts_with("f") || type.starts_with("bf")) {
    const bool sums = i.has("add") && (type == "f32" || type == "f64");
    return sums ? std::optional(mode::addf) : std::nullopt;
  }
  const bool is_signed = type.starts_with("s");
  const std::array<std::pair<const char*, mode>, 7> known{{
      {"add", mode::add},
      {"min", is_signed ? mode::min : mode::umin},
      {"max", is_signed ? mode::max : mode::umax},
      {"and", mode::and_},
      {"or", mode::or_},
      {"xor", mode::xor_},
      {"exch", mode::xchg},
  }};
  const auto* const it = std::ranges::find_if(known, [&](const auto& k) { return i.has(k.first); });
  return it == known.end() ? std::nullopt : std::optional(it->second);
}

class performing {
public:
  performing(const statement& s,
             const ptx_operand* operands,
             unsigned count,
             const void* site,
             const char* text)
      : statement_(s)
      , arguments_(operands, operands + count)
      , registers_(s.registers)
      , thread_(execution::current())
      , site_(site)
      , text_(text) {}

  void perform() {
    if (thread_ == nullptr || thread_->team == nullptr) {
      const library_section inside;
      refuse_without_block(site_, "inline PTX");
    }
    for (const instruction& i : statement_.instructions) {
      if (i.guarded && (registers_[i.guard] != 0) == i.negated) {
        continue;
      }
      if (!with_memory(i) && !with_others(i) && !alone(i)) {
        refuse(site_, text_, i.opcode);
      }
    }
  }

private:
  std::uint64_t read(const operand& o) {
    switch (o.what) {
    case operand::kind::reg:
      return registers_[o.number];
    case operand::kind::argument:
      return o.number < arguments_.size() ? arguments_[o.number].bits : 0;
    case operand::kind::constant:
      return o.bits;
    case operand::kind::address:
      return read(o.parts.front()) + o.bits;
    case operand::kind::with_flag:
      return read(o.parts.front());
    case operand::kind::special: {
      const auto value = special(*thread_, o.name);
      if (!value) {
        refuse(site_, text_, o.name);
      }
      return *value;
    }
    case operand::kind::vector: // its parts, the first one lowest
    case operand::kind::none:
      break;
    }
    return 0;
  }

  void write(const operand& o, std::uint64_t bits) {
    if (o.what == operand::kind::reg) {
      registers_[o.number] = bits;
    } else if (o.what == operand::kind::argument && o.number < arguments_.size()) {
      ptx_operand& a = arguments_[o.number];
      a.bits = bits;
      if (a.to != nullptr) {
        std::memcpy(a.to, &bits, a.bytes);
      }
    } else if (o.what == operand::kind::with_flag) {
      write(o.parts.front(), bits);
    }
  }

  /// mov between a register and a vector of its parts.
  bool packs(const instruction& i) {
    if (!i.starts("mov") || i.operands.size() != 2) {
      return false;
    }
    const operand& to = i.operands[0];
    const operand& from = i.operands[1];
    const unsigned bytes = bytes_of(i.words.back());
    if (from.what == operand::kind::vector && !from.parts.empty()) {
      const std::size_t each = std::size_t{bytes} * 8 / from.parts.size();
      std::uint64_t bits = 0;
      for (std::size_t n = 0; n < from.parts.size(); ++n) {
        const std::uint64_t part = read(from.parts[n]) & ((std::uint64_t{1} << each) - 1);
        bits |= part << (n * each);
      }
      write(to, bits);
      return true;
    }
    if (to.what == operand::kind::vector && !to.parts.empty()) {
      const std::size_t each = std::size_t{bytes} * 8 / to.parts.size();
      const std::uint64_t bits = read(from);
      for (std::size_t n = 0; n < to.parts.size(); ++n) {
        write(to.parts[n], bits >> (n * each) & ((std::uint64_t{1} << each) - 1));
      }
      return true;
    }
    return false;
  }

  bool alone(const instruction& i) {
    if (i.opcode == "exit") {
      execution::leave();
    }
    if (i.opcode == "trap") {
      const library_section inside;
      stop_at_trap(site_, "executes trap");
    }
    for (const char* const hint : {"prefetch",
                                   "prefetchu",
                                   "griddepcontrol",
                                   "nanosleep",
                                   "pmevent",
                                   "applypriority",
                                   "discard"}) {
      if (i.starts(hint)) {
        return true;
      }
    }
    if (packs(i)) {
      return true;
    }
    std::vector<std::uint64_t> given;
    for (std::size_t n = 1; n < i.operands.size(); ++n) {
      given.push_back(read(i.operands[n]));
    }
    const auto result = scalar(i, given);
    if (!result || i.operands.empty()) {
      return false;
    }
    write(i.operands.front(), *result);
    return true;
  }

  std::uint64_t in_warp(warp_request r) {
    const library_section inside;
    const char* const name = warp_names.at(static_cast<unsigned>(r.operation));
    meet_warp(begin_meeting(site_, name), site_, name, r);
    return r.result;
  }

  bool with_others(const instruction& i) {
    const auto& o = i.operands;
    if (i.starts("shfl") && i.has("sync") && o.size() == 5) {
      shuffle(i);
      return true;
    }
    if (i.starts("vote") && i.has("sync") && o.size() == 3 && !i.has("uni")) {
      const auto how = i.has("ballot") ? warp_operation::ballot
                       : i.has("any")  ? warp_operation::any
                                       : warp_operation::all;
      write(o[0], in_warp(request(how, read(o[2]), read(o[1]))));
      return true;
    }
    if (i.starts("match") && i.has("any") && o.size() == 3) {
      write(
          o[0],
          in_warp(request(
              warp_operation::match_any, read(o[2]), value_of(i, o[1]), bytes_of(i.words.back()))));
      return true;
    }
    if (i.starts("activemask") && o.size() == 1) {
      write(o[0], in_warp(request(warp_operation::active, 0xffffffff, 0)));
      return true;
    }
    if ((i.starts("bar") || i.starts("barrier")) && i.has("warp") && o.size() == 1) {
      in_warp(request(warp_operation::sync, read(o[0]), 0));
      return true;
    }
    if (i.starts("bar") || i.starts("barrier")) {
      return at_barrier(i);
    }
    return false;
  }

  /// barrier.sync a{, b}, barrier.arrive a, b
  bool at_barrier(const instruction& i) {
    const auto& o = i.operands;
    const bool waits = i.has("sync");
    if (o.empty() || o.size() > 2 || waits == i.has("arrive") || (!waits && o.size() == 1)) {
      return false; // barrier.red, barrier.cluster
    }
    const auto number = static_cast<std::uint32_t>(read(o[0]));
    const auto count = static_cast<std::uint32_t>(o.size() == 2 ? read(o[1]) : 0);
    const library_section inside;
    meet_named(begin_meeting(site_, waits ? "barrier.sync" : "barrier.arrive"),
               site_,
               number,
               count,
               waits ? coming::sync : coming::arrive,
               !i.starts("barrier") || i.has("aligned"));
    return true;
  }

  static warp_request
  request(warp_operation o, std::uint64_t mask, std::uint64_t value, unsigned bytes = 4) {
    return {o, static_cast<unsigned>(mask), value, 0, warp_size, 0, bytes};
  }
  std::uint64_t value_of(const instruction& i, const operand& o) {
    return as_type(i.words.back(), read(o));
  }

  void shuffle(const instruction& i) {
    const auto& o = i.operands;
    const source from = source_of(i,
                                  thread_->rank % warp_size,
                                  static_cast<std::uint32_t>(read(o[2])),
                                  static_cast<std::uint32_t>(read(o[3])));
    warp_request r = request(warp_operation::shuffle, read(o[4]), read(o[1]) & 0xffffffff);
    r.lane = from.lane;
    const std::uint64_t given = in_warp(r) & 0xffffffff;
    if (o[0].what == operand::kind::with_flag) {
      write(o[0].parts.back(), from.in_range ? 1 : 0);
    }
    write(o[0], given);
  }

  // --- Memory.

  [[nodiscard]] atomic_access access(const instruction& i, std::uint64_t address) const {
    return {.address = static_cast<std::uintptr_t>(address),
            .bytes = bytes_of(i.words.back()),
            .order = order_of(i),
            .scope = scope_of(i),
            .site = site_};
  }

  bool with_memory(const instruction& i) {
    const auto& o = i.operands;
    if (i.starts("membar") || i.starts("fence")) {
      return fence(i);
    }
    const bool typed = bytes_of(i.words.back()) != 0 && !i.has("shared") && !i.has("local");
    if (i.starts("ld") && typed && o.size() == 2 && o[1].what == operand::kind::address) {
      load(i);
      return true;
    }
    if (i.starts("st") && typed && o.size() == 2 && o[0].what == operand::kind::address) {
      store(i);
      return true;
    }
    const bool reduces = i.starts("red") && o.size() == 2;
    if (typed &&
        (reduces || (i.starts("atom") && o.size() == 3 && !i.has("inc") && !i.has("dec")))) {
      const update u{&i, read(o.back())};
      std::uint64_t old = 0;
      atomic_access to = access(i, read(o[reduces ? 0 : 1]));
      const auto mode = mode_of(i);
      const object_update known{mode.value_or(machine::rmw_mode::xchg),
                                bytes_of(i.words.back()),
                                &u.value,
                                &old,
                                !reduces};
      to.update = mode ? &known : nullptr;
      update_atomically(thread_, to, object_change{change, &u}, &old);
      if (!reduces) {
        write(o[0], as_type(i.words.back(), old));
      }
      return true;
    }
    return typed && i.starts("atom") && i.has("cas") && o.size() == 4 && compare_exchange(i);
  }

  void load(const instruction& i) {
    const operand& to = i.operands[0];
    const std::uint64_t at = read(i.operands[1]);
    const unsigned each = bytes_of(i.words.back());
    const bool once = at_once(i, to);
    std::array<unsigned char, widest> all{};
    if (once) {
      load_atomically(thread_, whole(access(i, at), to), all.data());
    }
    each_part(
        to,
        [&](const operand& part, std::uint64_t offset) {
          std::uint64_t bits = 0;
          if (once) {
            std::memcpy(&bits, all.data() + offset, each);
          } else {
            load_atomically(thread_, access(i, at + offset), &bits);
          }
          write(part, as_type(i.words.back(), bits));
        },
        each);
  }

  void store(const instruction& i) {
    const operand& from = i.operands[1];
    const std::uint64_t at = read(i.operands[0]);
    const unsigned each = bytes_of(i.words.back());
    const bool once = at_once(i, from);
    std::array<unsigned char, widest> all{};
    each_part(
        from,
        [&](const operand& part, std::uint64_t offset) {
          const std::uint64_t bits = read(part);
          if (once) {
            std::memcpy(all.data() + offset, &bits, each);
          } else {
            store_atomically(thread_, access(i, at + offset), &bits);
          }
        },
        each);
    if (once) {
      store_atomically(thread_, whole(access(i, at), from), all.data());
    }
  }

  static constexpr std::size_t widest = 16;

  /// A strong access to a vector is one access of its size, as devices perform it and CUB takes it
  /// to be. [PTX: vector data-types] leaves its elements without an order.
  [[nodiscard]] bool at_once(const instruction& i, const operand& o) const {
    const std::size_t bytes = o.parts.size() * bytes_of(i.words.back());
    return o.what == operand::kind::vector && order_of(i) != memmodel::memory_order::weak &&
           bytes != 0 && (bytes & (bytes - 1)) == 0 && bytes <= widest &&
           bytes <= widest_atomic_access(thread_);
  }
  static atomic_access whole(atomic_access element, const operand& o) {
    element.bytes *= o.parts.size();
    return element;
  }

  bool compare_exchange(const instruction& i) {
    std::uint64_t expected = read(i.operands[2]);
    const std::uint64_t desired = read(i.operands[3]);
    (void)compare_exchange_atomically(thread_, access(i, read(i.operands[1])), &expected, &desired);
    write(i.operands[0], as_type(i.words.back(), expected));
    return true;
  }

  template <class F>
  static void each_part(const operand& o, const F& f, unsigned bytes) {
    if (o.what != operand::kind::vector) {
      f(o, 0);
      return;
    }
    for (std::size_t n = 0; n < o.parts.size(); ++n) {
      f(o.parts[n], n * bytes);
    }
  }

  bool fence(const instruction& i) {
    using memmodel::memory_order;
    if (i.has("proxy") || i.has("mbarrier_init")) {
      return false;
    }
    const memmodel::scope s = i.has("gl") ? memmodel::scope::gpu : scope_of(i);
    const memory_order named = order_of(i);
    perform_fence(thread_,
                  i.starts("membar") || named == memory_order::weak ? memory_order::sc : named,
                  s,
                  site_);
    return true;
  }

  const statement& statement_;
  std::vector<ptx_operand> arguments_;
  std::vector<std::uint64_t> registers_;
  sim_thread* const thread_;
  const void* const site_;
  const char* const text_;
};

} // namespace

} // namespace tilesim::sim::ptx

namespace tilesim::detail {

void perform_ptx(const char* text, const ptx_operand* operands, unsigned count) noexcept {
  const void* const site = TILESIM_SITE;
  const sim::ptx::statement& s = sim::ptx::known(text);
  if (!s.problem.empty()) {
    sim::ptx::refuse(site, text, s.problem);
  }
  sim::ptx::performing(s, operands, count, site, text).perform();
}

} // namespace tilesim::detail
