// The words of a race, and which races are one finding.
//
// One file in spite of its length: the sentences of one kind of report, which are to fit each
// other.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/engines/race_report.hpp"

#include "sim/access/host_threads.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/detect/near_synchronization.hpp"
#include "sim/engines/race_words.hpp"
#include "sim/memory/allocations.hpp"
#include "sim/memory/orders.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/naming/index_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstring>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

using detect::memory_order;
using race_words::noun;
using race_words::stream_name;
using race_words::verb;

} // namespace

struct race_report::impl {
  impl(context& c, const detect::detector& d)
      : context_(c)
      , detector_(d) {}

  /// Whether races of accesses at this place may be ones that the person lets pass.
  [[nodiscard]] bool is_known(const void* site) {
    if (context_.found.known.empty()) {
      return false;
    }
    const auto [it, is_new] = known_places_.try_emplace(site, false);
    if (is_new) {
      const auto frames = resolve(site);
      it->second = std::ranges::any_of(context_.found.known, [&](const known_finding& k) {
        return k.matches_place(frames) && std::ranges::any_of(race_findings, [&](finding_kind f) {
                 return k.matches_code(code(f));
               });
      });
    }
    return it->second;
  }
  static constexpr finding_kind race_findings[] = {finding_kind::data_race,
                                                   finding_kind::token_race,
                                                   finding_kind::duplicate_store,
                                                   finding_kind::narrow_scope,
                                                   finding_kind::warp_synchronous,
                                                   finding_kind::mixed_size_race,
                                                   finding_kind::host_race};

  /// What races are alike: both places, the kind, what there is to say of the elements of one
  /// store, whether both are the same work's, and where the memory was allocated.
  struct race_class {
    const void* first_site;
    const void* second_site;
    finding_kind kind;
    bool equal_values;
    bool same_work;
    const void* memory;

    auto operator<=>(const race_class&) const = default;
  };
  struct reported_race {
    std::size_t number = 0; ///< of the finding
    std::size_t variant = 0;
    bool known = false; ///< the person lets it pass
    bool silent = false;
    bool counted = false; ///< once, by being added, and has not been asked for since
  };

  void report(const detect::race& r) {
    if (!is_doubtful(r) && (r.kind != detect::race_kind::lockstep || is_of_one_warp(r))) {
      count(reported(r));
    }
  }

  [[nodiscard]] bool is_of_one_warp(const detect::race& r) const {
    return in_one_warp(detector_.record(r.earlier.operation), detector_.record(r.later.operation));
  }

  /// Whether a side is of another thread of the host, which may be ordered with the other side.
  [[nodiscard]] bool is_doubtful(const detect::race& r) const {
    return context_.others->order_lost() && (of_other_threads_.contains(r.earlier.operation) ||
                                             of_other_threads_.contains(r.later.operation));
  }

  /// Whether the person lets a race pass: then it is reported and the byte goes on.
  bool let_pass(const detect::race& r) {
    if (is_doubtful(r)) {
      return false; // nor is it told
    }
    reported_race& which = reported(r);
    if (which.known) {
      count(which);
    }
    return which.known;
  }

  void count(reported_race& which) {
    if (!which.counted && !which.silent) {
      context_.found.again(which.number, which.variant);
    }
    which.counted = false;
  }

  reported_race& reported(const detect::race& r) {
    const detect::operation_record& a = detector_.record(r.earlier.operation);
    const detect::operation_record& b = detector_.record(r.later.operation);
    const bool duplicate = r.kind == detect::race_kind::duplicate;
    const allocation* memory = context_.mem.find(reinterpret_cast<const void*>(r.address));
    const auto [it, is_new] =
        reported_.try_emplace({std::min(a.site, b.site),
                               std::max(a.site, b.site),
                               kind_of(r, a, b),
                               duplicate && stored_.equal(r.earlier.element, r.later.element),
                               a.task == b.task,
                               memory == nullptr ? nullptr : memory->site});
    reported_race& which = it->second;
    if (!is_new) {
      return which;
    }
    if (duplicate && context_.found.has(b.site, finding_kind::overlapping_store)) {
      which.silent = true; // the view has said so, in its own words
      return which;
    }
    finding_text f = text(r, a, b);
    const std::string variant = f.variant;
    which.number = context_.found.add(b.site, std::move(f));
    which.variant = context_.found.variant(which.number, variant);
    which.known = context_.found.all().findings[which.number].known >= 0;
    which.counted = true;
    return which;
  }

  [[nodiscard]] finding_kind kind_of(const detect::race& r,
                                     const detect::operation_record& a,
                                     const detect::operation_record& b) const {
    return r.kind == detect::race_kind::duplicate       ? finding_kind::duplicate_store
           : tasks_[a.task].host || tasks_[b.task].host ? finding_kind::host_race
           : r.kind == detect::race_kind::scope || r.kind == detect::race_kind::references
               ? finding_kind::narrow_scope
           : r.kind == detect::race_kind::lockstep   ? finding_kind::warp_synchronous
           : r.kind == detect::race_kind::mixed_size ? finding_kind::mixed_size_race
           : a.agent == b.agent                      ? finding_kind::token_race
                                                     : finding_kind::data_race;
  }

  /// Of the ways in which a pair of places races, this one.
  [[nodiscard]] std::string variant(const detect::race& r,
                                    const detect::operation_record& a,
                                    const detect::operation_record& b) const {
    const std::string memory = describe_memory(context_, r.address);
    if (r.kind == detect::race_kind::duplicate) {
      return fmt::format("{} values, of {}",
                         stored_.equal(r.earlier.element, r.later.element) ? "equal" : "different",
                         memory);
    }
    std::string first = access_text(r.earlier);
    std::string second = access_text(r.later);
    if (second < first) {
      std::swap(first, second);
    }
    return fmt::format("{} and {}{}, of {}",
                       first,
                       second,
                       one_work(a, b) ? "" : " of two pieces of work",
                       memory);
  }

  [[nodiscard]] finding_text text(const detect::race& r,
                                  const detect::operation_record& a,
                                  const detect::operation_record& b) const {
    finding_text f;
    f.kind = kind_of(r, a, b);
    if (r.kind == detect::race_kind::lockstep) {
      f.severity = finding::level::note;
      f.if_results_differ = may_assume_lockstep(r, a, b);
    }
    f.variant = variant(r, a, b);
    f.group = place(a.site);
    f.other = r.kind == detect::race_kind::duplicate ? nullptr : a.site;
    f.parties = turns_of(a, b);
    if (r.kind == detect::race_kind::duplicate) {
      f.message = fmt::format(
          "elements {} and {} of one store write {} to the same place",
          r.earlier.element,
          r.later.element,
          stored_.equal(r.earlier.element, r.later.element) ? "equal values" : "different values");
    } else if (f.kind == finding_kind::token_race) {
      f.message = fmt::format("{} and {} by one block, {}: no token orders them",
                              access_text(r.later),
                              access_text(r.earlier),
                              thread_text(b));
      f.details.emplace_back(
          "order within a block is what tokens say, whatever comes first in the program");
    } else {
      const bool lockstep = r.kind == detect::race_kind::lockstep;
      f.message = fmt::format("{} by {} and {} by {}: {}",
                              lockstep ? volatile_text(b) : access_text(r.later),
                              thread_text(b),
                              lockstep ? volatile_text(a) : access_text(r.earlier),
                              thread_text(a),
                              why(r, a, b));
    }
    f.details.push_back(fmt::format("both are at {}", describe_address(context_, r.address)));
    f.details.push_back(side("this", b, r.later));
    if (r.kind != detect::race_kind::duplicate) {
      f.details.push_back(side("other", a, r.earlier) +
                          fmt::format(", at {}", place_and_helper(a.site)));
    }
    f.remedy = remedy(r, a, b);
    if (r.kind == detect::race_kind::weak && a.agent != b.agent) {
      explain_weak(f, r, a, b);
    }
    return f;
  }

  /// Of a race with a weak side: that the object is an atomic one, and where the two sides nearly
  /// synchronised.
  void explain_weak(finding_text& f,
                    const detect::race& r,
                    const detect::operation_record& a,
                    const detect::operation_record& b) const {
    if ((a.order == memory_order::weak) != (b.order == memory_order::weak)) {
      const bool first = a.order != memory_order::weak;
      f.details.push_back(
          fmt::format("an object that is accessed atomically ({}) is accessed weakly ({})",
                      place(first ? a.site : b.site),
                      place(first ? b.site : a.site)));
    }
    const auto h =
        detect::find_near_synchronization(detector_, r.earlier.operation, r.later.operation);
    if (!h) {
      return;
    }
    const detect::operation_record& write = detector_.record(h->write.access);
    const detect::operation_record& read = detector_.record(h->read.access);
    f.details.push_back(fmt::format("between them: {} ({}), then {} of the same place ({}), but {}",
                                    verb(write),
                                    place(write.site),
                                    verb(read),
                                    place(read.site),
                                    failing(*h, write, read)));
    f.remedy = near_synchronization_remedy(*h, write, read);
  }

  [[nodiscard]] std::string failing(const detect::near_synchronization& h,
                                    const detect::operation_record& write,
                                    const detect::operation_record& read) const {
    if (h.ended_by) {
      const detect::operation_record& store = detector_.record(*h.ended_by);
      return fmt::format(
          "{} by {} ({}) in between ends the release sequence: only updates continue it",
          verb(store),
          thread_text(store),
          place(store.site));
    }
    std::vector<std::string> facts;
    const auto look = [&](const detect::near_synchronization::side& s,
                          const detect::operation_record& own,
                          const detect::operation_record& other,
                          const char* when,
                          const char* does) {
      if (!s.in_scope) {
        facts.push_back(fmt::format(
            "the {}'s {} scope does not hold {}", noun(own), name(own.scope), thread_text(other)));
      } else if (s.narrow) {
        facts.push_back(
            fmt::format("the fence {} the {} ({}) is of {} scope, which does not hold {}",
                        when,
                        noun(own),
                        place(s.narrow->site),
                        name(s.narrow->scope),
                        thread_text(other)));
      } else if (!s.orders) {
        facts.push_back(fmt::format("the {} {} nothing", noun(own), does));
      }
    };
    look(h.write, write, read, "before", "releases");
    look(h.read, read, write, "after", "acquires");
    return fmt::format("{}", fmt::join(facts, ", and "));
  }

  [[nodiscard]] std::string
  near_synchronization_remedy(const detect::near_synchronization& h,
                              const detect::operation_record& write,
                              const detect::operation_record& read) const {
    const bool between_sides = tasks_[write.task].host != tasks_[read.task].host;
    const char* scope = between_sides ? "system" : "device";
    std::vector<std::string> steps;
    if (h.ended_by) {
      steps.push_back(fmt::format("let {} be an update, such as an exchange",
                                  place(detector_.record(*h.ended_by).site)));
    }
    if (!h.write.in_scope || !h.read.in_scope) {
      steps.push_back(fmt::format("give both thread_scope::{}", scope));
    }
    const auto mend = [&](const detect::near_synchronization::side& s,
                          const detect::operation_record& own,
                          const char* where,
                          const char* what) {
      const bool threads = tasks_[own.task].threads;
      const char* call = between_sides ? "__threadfence_system()" : "__threadfence()";
      if (s.narrow && s.narrow->site != own.site) {
        steps.push_back(fmt::format("let the fence at {} be of {} scope{}",
                                    place(s.narrow->site),
                                    scope,
                                    threads ? fmt::format(": {}", call) : ""));
      } else if (!s.orders && !s.narrow) {
        const std::string at = place(own.site);
        steps.push_back(threads ? fmt::format("put {} {} {}, or let it {}", call, where, at, what)
                                : fmt::format("let {} {}", at, what));
      }
    };
    const bool one_call = write.site == read.site && !tasks_[write.task].threads;
    if (one_call && !h.write.orders && !h.read.orders && !h.write.narrow && !h.read.narrow) {
      steps.push_back(
          fmt::format("let {} release and acquire: memory_order::acq_rel", place(write.site)));
    } else {
      mend(h.write, write, "before", "release");
      mend(h.read, read, "after", "acquire");
    }
    return fmt::format("{}", fmt::join(steps, "; "));
  }

  // --- Stale reads.

  /// A missing edge from the write that was passed over to the read, if the two have nearly
  /// synchronised; else nothing orders them but a fence on both sides, or an update.
  [[nodiscard]] std::string what_forbids(detect::operation_id read_of,
                                         detect::operation_id passed_over) const {
    const detect::operation_record& read = detector_.record(read_of);
    const detect::operation_record& passed = detector_.record(passed_over);
    if (const auto h = detect::find_near_synchronization(detector_, passed_over, read_of)) {
      const detect::operation_record& from = detector_.record(h->write.access);
      const detect::operation_record& to = detector_.record(h->read.access);
      if (h->write.access != passed_over) {
        return near_synchronization_remedy(*h, from, to);
      }
    }
    if (tasks_[read.task].threads && tasks_[passed.task].threads) {
      return fmt::format("a sequentially consistent fence behind the write at {}, before what its "
                         "thread reads next, and one before the read at {}",
                         place(passed.site),
                         place(read.site));
    }
    return fmt::format("updates of memory_order::acq_rel in place of the write at {} (an exchange) "
                       "and of the read at {} (an addition of 0): who comes second acquires from "
                       "the first",
                       place(passed.site),
                       place(read.site));
  }

  /// Those of two operations that threads have made.
  [[nodiscard]] std::vector<turn> turns_of(const detect::operation_record& a,
                                           const detect::operation_record& b) const {
    std::vector<turn> threads;
    for (const detect::operation_record* r : {&a, &b}) {
      if (!tasks_[r->task].kernel.empty()) {
        threads.push_back({tasks_[r->task].launch, r->agent - detector_.first_agent(r->task), {}});
      }
    }
    return threads;
  }

  /// Does that function give back memory, or allocate it?
  [[nodiscard]] static bool frees(std::string_view function) {
    return function.find("Free") != std::string_view::npos || function == "free" ||
           function == "delete";
  }

  /// What a side of a race does.
  [[nodiscard]] std::string access_text(const detect::race_side& s) const {
    const auto by = lifetimes_.find(s.operation);
    return by == lifetimes_.end() ? verb(detector_.record(s.operation))
           : frees(by->second)    ? "free of the memory"
                                  : "allocation of the memory";
  }

  [[nodiscard]] static std::string volatile_text(const detect::operation_record& r) {
    return r.kind == access_kind::read ? "volatile load" : "volatile store";
  }

  [[nodiscard]] std::string thread_text(const detect::operation_record& r) const {
    const task_name& w = tasks_[r.task];
    if (w.kernel.empty()) {
      return w.function ? describe(*w.function) : w.by;
    }
    const std::uint64_t agent = r.agent - detector_.first_agent(r.task);
    const std::uint64_t threads = std::uint64_t{w.block.x} * w.block.y * w.block.z;
    const std::string block = index_text(agent / threads, w.grid);
    return !w.threads ? fmt::format("tile block {} of {}", block, w.kernel)
                      : fmt::format("{}thread {} of block {} of {}",
                                    w.copies ? "an asynchronous copy of " : "",
                                    index_text(agent % threads, w.block),
                                    block,
                                    w.kernel);
  }

  [[nodiscard]] static std::string describe(const host_function& f) {
    const auto frames = resolve(static_cast<const char*>(f.code) + 1);
    const std::string stream = f.stream_site == nullptr
                                   ? "a default stream"
                                   : fmt::format("the stream created at {}", place(f.stream_site));
    if (frames.empty()) {
      return fmt::format("a host function of {}", stream);
    }
    const source_frame& outermost = frames.back();
    const bool unnamed = outermost.function.empty() ||
                         outermost.function.find("lambda") != std::string::npos ||
                         outermost.function.find("_FUN") != std::string::npos;
    return unnamed ? fmt::format(
                         "the host function at {}:{} of {}", outermost.file, outermost.line, stream)
                   : fmt::format("host function {} of {}", outermost.function, stream);
  }

  /// The host's own code, which may wait; host functions of streams may not.
  [[nodiscard]] bool can_wait(const detect::operation_record& r) const {
    return tasks_[r.task].host && !tasks_[r.task].function;
  }

  [[nodiscard]] std::string
  side(const char* which, const detect::operation_record& r, const detect::race_side& s) const {
    std::string text = fmt::format("{}: {}", which, access_text(s));
    if (s.element_known && !tasks_[r.task].kernel.empty()) {
      text += fmt::format(", element {}", s.element);
    }
    text += fmt::format(", by {}", thread_text(r));
    const task_name& w = tasks_[r.task];
    if (!w.kernel.empty() && several_launches()) {
      text += fmt::format(" (launch {}, at {}, {})",
                          w.launch,
                          place_and_helper(w.launch_site),
                          stream_name(w.lane));
    }
    return text;
  }

  /// Whether a kernel's name does not tell its launch.
  [[nodiscard]] bool several_launches() const {
    return std::ranges::count_if(tasks_, [](const task_name& w) { return !w.kernel.empty(); }) > 1;
  }

  [[nodiscard]] std::string why(const detect::race& r,
                                const detect::operation_record& a,
                                const detect::operation_record& b) const {
    switch (r.kind) {
    case detect::race_kind::scope:
      return fmt::format(
          "{} scope holds one of them only",
          a.scope == memmodel::scope::cta || b.scope == memmodel::scope::cta ? "block" : "device");
    case detect::race_kind::references:
      return "references of different scopes to one object at the same time";
    case detect::race_kind::lockstep:
      return "lanes of one warp, which nothing orders";
    case detect::race_kind::mixed_size:
      return fmt::format("they access {} and {} bytes", b.bytes, a.bytes);
    default:
      return one_work(a, b) ? "nothing orders them"
                            : "nothing orders the one's work before the other's";
    }
  }

  /// A launch's, asynchronous copies of its threads among them.
  [[nodiscard]] bool one_work(const detect::operation_record& a,
                              const detect::operation_record& b) const {
    return a.task == b.task ||
           (tasks_[a.task].launch != 0 && tasks_[a.task].launch == tasks_[b.task].launch);
  }

  /// Two threads of one block.
  [[nodiscard]] bool in_one_block(const detect::operation_record& a,
                                  const detect::operation_record& b) const {
    const task_name& task = tasks_[a.task];
    const std::uint64_t threads = std::uint64_t{task.block.x} * task.block.y * task.block.z;
    const detect::agent_id first = detector_.first_agent(a.task);
    return a.task == b.task && task.threads &&
           (a.agent - first) / threads == (b.agent - first) / threads;
  }

  /// … and of one warp.
  [[nodiscard]] bool in_one_warp(const detect::operation_record& a,
                                 const detect::operation_record& b) const {
    constexpr std::uint64_t warp = 32;
    const task_name& task = tasks_[a.task];
    const std::uint64_t threads = std::uint64_t{task.block.x} * task.block.y * task.block.z;
    const detect::agent_id first = detector_.first_agent(a.task);
    return in_one_block(a, b) &&
           (a.agent - first) % threads / warp == (b.agent - first) % threads / warp;
  }

  /// Whether volatile accesses of one warp may be right only where its lanes run in step. In other
  /// memory than __shared__ they are messages as a rule; of the stores of one statement none comes
  /// first even where lanes run in step.
  [[nodiscard]] bool may_assume_lockstep(const detect::race& r,
                                         const detect::operation_record& a,
                                         const detect::operation_record& b) const {
    const bool one_statement = a.kind != access_kind::read && b.kind != access_kind::read &&
                               place(a.site) == place(b.site);
    return context_.shared.holds(r.address) && !one_statement;
  }

  [[nodiscard]] std::string remedy_in_block(const detect::operation_record& a,
                                            const detect::operation_record& b,
                                            bool strong) const {
    // The line that all threads come to reads and writes back, or all of them write there.
    const bool one_line = place(a.site) == place(b.site);
    const char* const how =
        in_one_warp(a, b) ? "__syncthreads(), or, where not all of them come there, the lanes "
                            "of the warp: __syncwarp()"
                          : "__syncthreads()";
    constexpr const char* threads = "let the threads of the block meet";
    return strong
               ? fmt::format("make the weak access atomic too, or {} in between: {}", threads, how)
           : one_line
               ? fmt::format("use an atomic operation (atomicAdd(), cuda::atomic_ref), or give "
                             "each thread places of its own; if it is to read what another one "
                             "has written, {} before and after: {}",
                             threads,
                             how)
               : fmt::format("{} in between: {}", threads, how);
  }

  [[nodiscard]] std::string scope_remedy(const detect::operation_record& a,
                                         const detect::operation_record& b) const {
    const bool in_system = tasks_[a.task].host != tasks_[b.task].host;
    // By atomicAdd_block(), maybe, whose scope is part of its name.
    const auto by_function = [this](const detect::operation_record& o) {
      return tasks_[o.task].threads && o.kind == access_kind::read_write &&
             o.order == memory_order::relaxed && o.scope == memmodel::scope::cta;
    };
    return fmt::format("give both thread_scope::{}{}",
                       in_system ? "system" : "device",
                       !by_function(a) && !by_function(b) ? ""
                       : in_system
                           ? "; of functions as atomicAdd_block() take the one with _system"
                           : "; of functions as atomicAdd_block() take the one without the suffix, "
                             "atomicAdd()");
  }

  [[nodiscard]] std::string remedy(const detect::race& r,
                                   const detect::operation_record& a,
                                   const detect::operation_record& b) const {
    switch (r.kind) {
    case detect::race_kind::duplicate:
      return "give every active element a place of its own (a mask drops the others), or store "
             "with an atomic operation";
    case detect::race_kind::scope:
      return scope_remedy(a, b);
    case detect::race_kind::references:
      return "give all references to an object that live at once the same thread scope";
    case detect::race_kind::lockstep:
      return "let the lanes meet in between by __syncwarp(): from compute capability 7.0 on they "
             "do "
             "not run in step";
    case detect::race_kind::mixed_size:
      return "access the object with one type";
    case detect::race_kind::weak:
      break;
    }
    if (a.agent == b.agent) {
      return "let both go through one array: cuTile orders accesses by array, and takes arrays "
             "that "
             "it is given for apart";
    }
    if (can_wait(a) || can_wait(b)) {
      if (tasks_[a.task].host && tasks_[b.task].host) {
        return "let the host wait for the stream first (cudaStreamSynchronize, "
               "cudaDeviceSynchronize)";
      }
      return "synchronise first (cudaDeviceSynchronize, cudaStreamSynchronize), or copy with "
             "cudaMemcpy";
    }
    if (one_work(a, b) && (tasks_[a.task].copies || tasks_[b.task].copies)) {
      return "wait for the phase of the barrier or pipeline that the copy belongs to, before it is "
             "read and before its source is written";
    }
    if (a.task != b.task) {
      return "use one stream for both, or let one wait for an event of the other's";
    }
    const bool strong = a.order != memory_order::weak || b.order != memory_order::weak;
    if (in_one_block(a, b)) {
      return remedy_in_block(a, b, strong);
    }
    return strong ? "make the weak access atomic too, or order the two by a release store and an "
                    "acquire load of a flag"
                  : "use an atomic operation, give each block places of its own, or order the two "
                    "by a release store and "
                    "an acquire load of a flag";
  }

  /// The values of the store that is being judged.
  struct stored {
    const std::byte* values = nullptr;
    std::size_t bytes = 0; ///< per element

    [[nodiscard]] bool equal(std::size_t i, std::size_t j) const {
      return std::memcmp(values + (i * bytes), values + (j * bytes), bytes) == 0;
    }
  };

  context& context_;
  const detect::detector& detector_;
  stored stored_;
  std::vector<task_name> tasks_; ///< by task
  std::map<race_class, reported_race> reported_;
  std::unordered_map<detect::operation_id, const char*>
      lifetimes_;                                      ///< by what memory is allocated and freed
  std::unordered_map<const void*, bool> known_places_; ///< by site
  std::unordered_set<detect::operation_id> of_other_threads_;
};

race_report::race_report(context& c, const detect::detector& d)
    : impl_(std::make_unique<impl>(c, d)) {}
race_report::~race_report() = default;

void race_report::task_begins(task_name who) {
  impl_->tasks_.push_back(std::move(who));
}
void race_report::stores(const void* values, std::size_t bytes_each) {
  impl_->stored_ = {static_cast<const std::byte*>(values), bytes_each};
}
void race_report::is_lifetime(detect::operation_id o, const char* by) {
  impl_->lifetimes_[o] = by;
}
void race_report::is_of_other_thread(detect::operation_id o) {
  impl_->of_other_threads_.insert(o);
}
bool race_report::is_known(const void* site) {
  return impl_->is_known(site);
}
void race_report::report(const detect::race& r) {
  impl_->report(r);
}
bool race_report::let_pass(const detect::race& r) {
  return impl_->let_pass(r);
}
std::string race_report::what(detect::operation_id o) const {
  return verb(impl_->detector_.record(o));
}

std::string race_report::who(detect::operation_id o) const {
  return impl_->thread_text(impl_->detector_.record(o));
}

std::string race_report::what_forbids(detect::operation_id read,
                                      detect::operation_id passed) const {
  return impl_->what_forbids(read, passed);
}

} // namespace tilesim::sim
