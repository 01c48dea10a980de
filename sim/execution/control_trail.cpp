// Writing down what a program does, and comparing it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/control_trail.hpp"

#include "sim/contract/standard_error.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/mask.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/process/outside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

namespace tilesim::sim {

namespace {

constexpr std::uint64_t host_agent = std::numeric_limits<std::uint64_t>::max();

/// A trail's file: this, then for each agent launch, thread, count and events.
struct file_header {
  std::uint64_t agents = 0;
  std::uint64_t events = 0;
  std::int32_t stopped = -1;
  std::uint32_t whole = 1;
};
struct agent_header {
  std::uint64_t launch = 0;
  std::uint64_t thread = 0;
  std::uint64_t events = 0;
};

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9fb21c651e98df25U;
  return hash ^ (hash >> 28U);
}

constexpr std::uint32_t folded(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>((hash * 0xd1b54a32d192ed03U) >> 32U);
}
// Every bit of a word counts: the upper half of a double, the last elements of a mask.
static_assert(folded(mixed(2, std::uint64_t{1} << 56U)) != folded(mixed(2, 0)));
static_assert(folded(mixed(2, std::uint64_t{1} << 63U)) != folded(mixed(2, 0)));
static_assert(folded(mixed(2, 1)) != folded(mixed(2, 0)));

/// An operation as cuda::tiles calls it: "load" of "load_ptr_tko".
std::string spelled(std::string_view name) {
  if (name == "atomic_cas_tko") {
    return "atomic_compare_exchange";
  }
  for (const std::string_view end : {"_ptr_tko", "_view_tko", "_tko"}) {
    if (name.ends_with(end)) {
      name.remove_suffix(end.size());
      break;
    }
  }
  return std::string(name);
}

std::uint64_t hash_of(std::uint64_t hash, const void* bytes, std::size_t count) noexcept {
  const auto* from = static_cast<const unsigned char*>(bytes);
  while (count > 0) {
    std::uint64_t word = 0;
    const std::size_t part = std::min(count, sizeof word);
    std::memcpy(&word, from, part);
    hash = mixed(hash, word);
    from += part;
    count -= part;
  }
  return hash;
}

std::uint32_t low(const void* site) noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code_of(site)));
}

/// The other run's site: near ours, in the same code.
const void* whole(std::uint32_t low_half, const void* near) noexcept {
  constexpr std::uintptr_t high = ~std::uintptr_t{0xffffffff};
  return reinterpret_cast<const void*>((reinterpret_cast<std::uintptr_t>(near) & high) | low_half);
}

template <class T>
void take(std::ifstream& from, T* to, std::size_t count) {
  from.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count * sizeof(T)));
}

template <class T>
bool put(std::FILE* to, const T* from, std::size_t count) {
  return std::fwrite(from, sizeof(T), count, to) == count;
}

} // namespace

control_trail::control_trail(context& c, std::string record, const std::string& against)
    : context_(c)
    , record_(std::move(record))
    , comparing_(!against.empty()) {
  if (!comparing_) {
    return;
  }
  std::ifstream file(against, std::ios::binary);
  file_header header;
  take(file, &header, 1);
  if (!file || header.events > most_events) {
    print_error("tilesim: error: {}: cannot be read\n", against);
    header = {};
    header.whole = 0;
  }
  other_is_whole_ = header.whole != 0;
  other_stopped_ = header.stopped;
  others_.resize(header.events);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < header.agents; ++i) {
    agent_header one;
    take(file, &one, 1);
    one.events = std::min<std::uint64_t>(one.events, others_.size() - at);
    take(file, others_.data() + at, one.events);
    agents_[{one.launch, one.thread}].other = std::span(others_).subspan(at, one.events);
    at += one.events;
  }
}

trail_agent& control_trail::agent_of(const sim_thread& t) {
  if (t.trail == nullptr) {
    t.trail = &agents_[{t.launch->id, t.linear_thread()}];
  }
  return *t.trail;
}

/// Both runs have enough at the same place, as they come to it in the same order.
bool control_trail::full() const {
  return events_ == most_events;
}

void control_trail::begin(trail_agent& a, const sim_thread* t, const void* site, const char* name) {
  ++events_;
  a.name = name;
  if (!comparing_) {
    a.own.push_back({.site = low(site)});
  } else if (a.next == a.other.size()) {
    if (other_is_whole_) {
      parts(a, t, site, part::end);
    }
  } else if (a.other[a.next++].site != low(site)) {
    parts(a, t, site, part::way);
  }
}

void control_trail::complete(trail_agent& a,
                             const sim_thread* t,
                             std::uint32_t trail_event::*field,
                             part what,
                             std::uint32_t value) {
  if (!comparing_) {
    if (!a.own.empty()) {
      a.own.back().*field = value;
    }
  } else if (a.next > 0 && a.next <= a.other.size() && a.other[a.next - 1].*field != value) {
    a.read_other |= what == part::data;
    parts(a, t, t == nullptr ? nullptr : t->site, what);
  }
}

void control_trail::begins(sim_thread& t, const void* site, const char* name) {
  if (full()) {
    return;
  }
  trail_agent& a = agent_of(t);
  begin(a, &t, site, name);
  a.before = site;
  a.read_other = false;
}

std::uint64_t control_trail::placed(std::uintptr_t address) {
  if (address - last_.begin >= last_.size) {
    const allocation* const a = context_.mem.find(reinterpret_cast<const void*>(address));
    if (a == nullptr) {
      return address;
    }
    last_ = {.begin = a->begin, .size = a->size, .id = a->id};
  }
  return mixed(last_.id, address - last_.begin);
}

void control_trail::accesses(sim_thread& t, const tile_access& a) {
  if (full() || a.addresses == nullptr) {
    return;
  }
  std::uint64_t hash = 1;
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      hash = mixed(hash, placed(a.addresses[i]));
    }
  }
  trail_agent& agent = agent_of(t);
  const std::uint32_t mask = a.mask == nullptr ? 0 : folded(hash_of(2, a.mask, a.count));
  complete(agent, &t, &trail_event::mask, part::mask, mask);
  complete(agent, &t, &trail_event::addresses, part::addresses, folded(hash));
}

void control_trail::access(
    sim_thread& t, const void* site, const char* name, std::uintptr_t address, std::size_t bytes) {
  begins(t, site, name);
  if (!full()) {
    complete(agent_of(t),
             &t,
             &trail_event::addresses,
             part::addresses,
             folded(mixed(bytes, placed(address))));
  }
}

void control_trail::has_read(sim_thread& t, const tile_access& a, const void* values) {
  if (full()) {
    return;
  }
  std::uint64_t hash = 3;
  if (a.mask == nullptr) {
    hash = hash_of(hash, values, a.count * a.bytes);
  } else {
    for (std::size_t i = 0; i < a.count; ++i) {
      if (a.mask[i] != 0) {
        hash = hash_of(hash, static_cast<const std::byte*>(values) + (i * a.bytes), a.bytes);
      }
    }
  }
  complete(agent_of(t), &t, &trail_event::data, part::data, folded(hash));
}

void control_trail::has_read(sim_thread& t, std::uintptr_t address, std::size_t bytes) {
  if (!full()) {
    complete(agent_of(t),
             &t,
             &trail_event::data,
             part::data,
             folded(hash_of(3, reinterpret_cast<const void*>(address), bytes)));
  }
}

void control_trail::compares(sim_thread& t, const machine::in& comparand, const machine::in* mask) {
  const std::size_t size = size_of(comparand.type->elem);
  std::uint64_t hash = 6;
  for (std::size_t i = 0; i < comparand.type->count; ++i) {
    if (is_active(mask, i)) {
      hash = hash_of(hash, static_cast<const std::byte*>(comparand.data) + (i * size), size);
    }
  }
  compares(t, hash);
}

void control_trail::compares(sim_thread& t, std::span<const std::byte> comparand) {
  compares(t, hash_of(6, comparand.data(), comparand.size()));
}

void control_trail::compares(sim_thread& t, std::uint64_t hash) {
  trail_agent& a = agent_of(t);
  if (full() || (comparing_ && a.next == a.other.size())) {
    return;
  }
  begin(a, &t, t.site, a.name);
  if (!comparing_) {
    a.own.back().data = folded(hash);
  } else if ((a.other[a.next - 1].data != folded(hash)) != a.read_other) {
    parts(a, &t, t.site, part::comparand);
  }
}

void control_trail::prints(sim_thread& t, std::string_view text) {
  if (!full()) {
    complete(agent_of(t),
             &t,
             &trail_event::data,
             part::print,
             folded(hash_of(4, text.data(), text.size())));
  }
}

void control_trail::thread_ends(const sim_thread& t) {
  if (full()) {
    return;
  }
  trail_agent& a = agent_of(t);
  // What the thread does while it is abandoned is no operation of its.
  begin(a, &t, nullptr, "its end");
}

void control_trail::host_access(const host_event& e) {
  if (!e.reads || e.by != nullptr || e.other_thread) {
    return;
  }
  const std::uintptr_t address = e.address;
  const std::size_t bytes = e.bytes;
  host(e.site,
       fmt::format("the host reads {} that {} on an unspecified value",
                   bytes == 1 ? "a byte" : fmt::format("{} bytes", bytes),
                   bytes == 1 ? "depends" : "depend"),
       {reinterpret_cast<const unsigned char*>(address), bytes});
}

void control_trail::copied(const copy_event& e) {
  if (!e.to_host) {
    return;
  }
  e.each_row([&](const unsigned char* to, const unsigned char* /*from*/) {
    host(e.site,
         fmt::format("{} copies bytes to the host that depend on an unspecified value", e.by),
         {to, e.width});
  });
}

void control_trail::host(const void* site,
                         const std::string& fact,
                         std::span<const unsigned char> bytes) {
  // So fine that the report can say which bytes.
  constexpr std::size_t most_pieces = 256;
  constexpr std::size_t word = 4;
  const std::size_t piece = std::max(word, (bytes.size() / most_pieces + word - 1) / word * word);
  trail_agent& a = agents_[{host_agent, 0}];
  for (std::size_t done = 0; done < bytes.size() && !full(); done += piece) {
    ++events_;
    const auto now = bytes.subspan(done, std::min(piece, bytes.size() - done));
    const trail_event e{.site = low(site),
                        .addresses = static_cast<std::uint32_t>(bytes.size()),
                        .mask = static_cast<std::uint32_t>(done),
                        .data = folded(hash_of(5, now.data(), now.size()))};
    if (!comparing_) {
      a.own.push_back(e);
    } else if (a.next == a.other.size()) {
      if (other_is_whole_ && other_stopped_ < 0) {
        tell(site, "what the host reads of device memory depends on an unspecified value", {});
      }
      return;
    } else if (const trail_event& other = a.other[a.next++]; other != e) {
      if (other.site != e.site || other.addresses != e.addresses || other.mask != e.mask) {
        tell(site, "what the host reads of device memory depends on an unspecified value", {});
      }
      tell(site,
           fact,
           bytes.size() <= word
               ? std::vector<std::string>{}
               : std::vector{fmt::format("the first of them are among bytes {} to {} of {}",
                                         done,
                                         done + now.size() - 1,
                                         bytes.size())});
    }
  }
}

void control_trail::parts(const trail_agent& a, const sim_thread* t, const void* site, part what) {
  const std::string who =
      t == nullptr ? "the host" : fmt::format("{} of {}", t->name(), t->launch->kernel.name);
  const auto by = fmt::format("by {}", who);
  const auto told_place = [](const void* at) {
    return at == nullptr ? "ends" : fmt::format("goes on at {}", sim::place(at));
  };
  switch (what) {
  case part::way:
  case part::end: {
    const void* const from = a.before != nullptr ? a.before : code_of(t->launch->site);
    const std::uint32_t other = what == part::way ? a.other[a.next - 1].site : 0;
    tell(from,
         fmt::format("which way {} goes from here depends on an unspecified value", who),
         {fmt::format("with one value it {}, with another it {}",
                      told_place(site),
                      what == part::end && other_stopped_ >= 0
                          ? "ends the run"
                          : told_place(other == 0 ? nullptr : whole(other, from)))});
  }
  case part::addresses:
    tell(site,
         fmt::format("an address of this {} depends on an unspecified value", spelled(a.name)),
         {by});
  case part::mask:
    tell(site,
         fmt::format("the mask of this {} depends on an unspecified value", spelled(a.name)),
         {by});
  case part::comparand:
    tell(site,
         fmt::format("whether this {} changes memory depends on an unspecified value",
                     spelled(a.name)),
         {by});
  case part::print:
    tell(site, "what printf prints depends on an unspecified value", {by});
  case part::data:
    reads_other(*t, a);
    break;
  case part::host:
    break;
  }
}

void control_trail::add_origin(finding_text& f) const {
  const drawing_site* const origin = context_.exec->desk().unspecified.varied();
  if (origin == nullptr) {
    return;
  }
  f.details.push_back(
      fmt::format("it comes from {}: {}", sim::place(origin->site), explain(*origin)));
  f.remedy = remedy(origin->why);
  f.other = origin->site;
  f.group = sim::place(origin->site);
}

// Nothing is decided yet.
void control_trail::reads_other(const sim_thread& t, const trail_agent& a) {
  if (!read_at_.empty()) {
    return;
  }
  read_at_ = fmt::format("{} at {}", spelled(a.name), sim::place(t.site));
  finding_text f;
  f.kind = finding_kind::unspecified_in_memory;
  f.severity = finding::level::note;
  f.message = fmt::format("this {} reads what depends on an unspecified value", spelled(a.name));
  f.details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name)};
  add_origin(f);
  context_.found.add(t.site, std::move(f));
}

void control_trail::tell(const void* site,
                         std::string message,
                         std::vector<std::string> details) const {
  finding_text f;
  f.kind = finding_kind::unspecified_dependent;
  f.message = std::move(message);
  f.details = std::move(details);
  if (!read_at_.empty()) {
    f.details.push_back(fmt::format("on its way it was in memory, and read by the {}", read_at_));
  }
  add_origin(f);
  context_.found.stop(site, std::move(f));
}

void control_trail::stops(const void* site, finding_kind kind) {
  stopped_ = static_cast<int>(kind);
  if (comparing_ && kind != finding_kind::unspecified_dependent && kind != finding_kind::limit &&
      kind != finding_kind::interrupted && other_stopped_ != stopped_ && !full()) {
    tell(site,
         fmt::format("whether the run stops here ([{}]) depends on an unspecified value",
                     code(kind)),
         {});
  }
}

void control_trail::write() {
  if (comparing_ || context_.exec->desk().following == nullptr) {
    return;
  }
  const bool cut_short = full() || stopped_ == static_cast<int>(finding_kind::limit) ||
                         stopped_ == static_cast<int>(finding_kind::interrupted) ||
                         stopped_ == static_cast<int>(finding_kind::livelock);
  file_header header{.events = events_, .stopped = stopped_, .whole = cut_short ? 0U : 1U};
  header.agents = agents_.size();
  const simulators_own_files here;
  std::FILE* const file = std::fopen(record_.c_str(), "wb");
  bool good = file != nullptr && put(file, &header, 1);
  for (const auto& [name, agent] : agents_) {
    const agent_header one{name.first, name.second, agent.own.size()};
    good = good && put(file, &one, 1) && put(file, agent.own.data(), agent.own.size());
  }
  good = (file != nullptr && std::fclose(file) == 0) && good;
  if (!good) {
    print_error("tilesim: error: {}: {}\n", record_, std::strerror(errno));
  }
}

} // namespace tilesim::sim
