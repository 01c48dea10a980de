// The tracer: watches every operation, writes lines.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/tracer.hpp"

#include "sim/contract/frames_json.hpp"
#include "sim/contract/trace_lines.hpp"
#include "sim/core/context.hpp"
#include "sim/debug_info/locals.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/expressions/element_word.hpp"
#include "sim/memory/access_kind.hpp"
#include "sim/memory/block_memory.hpp"
#include "sim/memory/orders.hpp"
#include "sim/naming/shared_report.hpp"
#include "sim/ops/opcode_name.hpp"
#include "sim/trace/accesses.hpp"
#include "sim/watch/buffers.hpp"
#include "sim/watch/capture.hpp"
#include "sim/watch/journal.hpp"
#include "sim/watch/line_file.hpp"
#include "sim/watch/report_json.hpp"
#include "sim/watch/stops.hpp"
#include "sim/watch/strong_writes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim::trace {

namespace {

using json = nlohmann::ordered_json;

class tracer final : public watcher {
public:
  tracer(context& c, int file);

  [[nodiscard]] wanted_events wants() const override { return {.before = true}; }
  void before(const sim_thread& t) override;
  void refused(const bad_access& a) override;
  void operation(const operation_event& e) override;
  void took_older(const stale_event& e) override;
  void memory(const memory_event& e) override;
  void comes_to_meet(const sim_thread& t) override;
  void host_access(const host_event& e) override;
  void copied(const copy_event& e) override;
  void allocated(const allocation& a) override;
  void finding_added(const void* /*site*/, const finding_text& /*text*/) override {
    note_findings();
  }
  void resumed() override { lines_.go_on_here(); }
  void run_ends(run_end how, int status) override;

private:
  /// The operation that has begun and is not yet written.
  struct begun_operation {
    const sim_thread* thread = nullptr; ///< nullptr: there is none
    const void* site = nullptr;
    const char* name = nullptr;
    json accesses = json::array();
    std::map<std::uint32_t, std::pair<std::size_t, bool>> sources; ///< elements, synchronises
    stale_elements stale;
    std::uintptr_t first_address = 0;
    machine::memory_order releases = machine::memory_order::weak; ///< the order of its writes
    machine::memory_scope scope = machine::memory_scope::sys;
  };
  /// What an operation's readers want to know of it.
  struct writer {
    std::uint64_t launch;
    std::uint64_t block;
    std::uint64_t thread; ///< its number
    bool releases;
    machine::memory_scope scope;
  };

  /// What a thread has done last, and how much of it is told by a number alone.
  struct tail {
    std::deque<std::pair<std::uint64_t, const void*>> operations; ///< numbers and sites
    std::set<const void*> loop; ///< sites of the loop in which it polls
    std::uint64_t now = 0;      ///< its last operation
    std::uint64_t head = 0;     ///< the last that was written
    std::uint64_t folded = 0;   ///< since then
    std::uint64_t last = 0;     ///< the last of these
  };

  /// True for an operation of a loop that has polled in vain until everyone slept: it is counted.
  bool fold(const sim_thread& t, const void* site);
  void tell_folded(tail& a);
  void get_to_know(const sim_thread& t);
  void get_to_know(const launch_state& l);
  [[nodiscard]] unsigned place_number(const void* site);
  void note_findings();
  void write_new_buffers();
  [[nodiscard]] unsigned shared_buffer(const shared_object& o);
  void note_access(const memory_event& e);
  [[nodiscard]] json stale_of(const memory_event& e);
  [[nodiscard]] json run_json(const element_run& r);
  [[nodiscard]] static bool synchronises(const writer& w,
                                         const sim_thread& t,
                                         machine::memory_order order,
                                         machine::memory_scope scope);
  void note_buffer_type(const operation_event& e);
  [[nodiscard]] json tile(const machine::tile_type& type, const void* data) const;
  void write_operation(const json& line);
  /// Is the operation that begins kept? The first ones are; a quarter of the room is for those
  /// around the operation that is asked for.
  [[nodiscard]] bool recording() const;
  void leave_out();

  context& context_;
  line_file lines_;
  step::buffers buffers_;
  std::vector<const allocation*> new_buffers_; ///< not yet written
  step::last_writers last_writers_;
  /// Strong writes, where reads may be given older ones: the engine's number of each, and ours.
  step::strong_writes strong_writes_;
  step::stops places_; ///< for what is a place in the program's source
  std::unordered_map<std::uint64_t, writer> writers_; ///< by operation
  std::set<std::uint64_t> threads_;
  std::set<std::uint64_t> launches_;
  std::map<const void*, unsigned> place_numbers_;
  std::map<std::pair<const detail::shared_variable*, std::size_t>, unsigned> shared_buffers_;
  std::unordered_map<std::uint64_t, tail> tails_; ///< by thread
  begun_operation now_;
  bool passed_over_ = false; ///< the access under way is no operation of the program's
  /// Operations that are left out, one behind the other.
  struct gap {
    std::uint64_t first;
    std::uint64_t last;
    std::uint64_t count;
  };
  std::uint64_t begun_ = 0;  ///< operations
  std::uint64_t kept_ = 0;   ///< the last one that was written
  std::uint64_t latest_ = 0; ///< the last one that is no poll
  std::uint64_t events_ = 0; ///< operations and arrows that were written
  std::vector<gap> gaps_;
  std::size_t told_findings_ = 0;
};

tracer::tracer(context& c, int file)
    : context_(c)
    , lines_(file, "the trace")
    , buffers_(c) {}

// --- Before an operation

void tracer::before(const sim_thread& t) {
  const void* const site = t.next_site;
  write_new_buffers();
  note_findings();
  // Accesses of tilesim's own headers, inlined into the kernel, are no operations of the program's.
  passed_over_ = t.next_kind == step_kind::raw && !places_.has_place(site);
  if (passed_over_) {
    return;
  }
  tails_[t.number].now = ++begun_;
  now_ = {};
  if (fold(t, site)) {
    passed_over_ = true;
  } else if (recording()) {
    now_.thread = &t;
    now_.site = site;
    now_.name = t.next_operation;
  } else {
    leave_out();
  }
}

bool tracer::recording() const {
  const std::uint64_t room = context_.opts.trace_events;
  const std::uint64_t wanted = context_.opts.trace_around;
  if (wanted == 0) {
    return events_ < room;
  }
  const bool around = begun_ + room / 8 >= wanted && begun_ <= wanted + room / 16;
  return begun_ == wanted || events_ < (around ? room : room - room / 4);
}

void tracer::leave_out() {
  latest_ = begun_;
  if (gaps_.empty() || gaps_.back().last < kept_) {
    gaps_.push_back({.first = begun_, .last = begun_, .count = 0});
  }
  gaps_.back().last = begun_;
  ++gaps_.back().count;
}

bool tracer::fold(const sim_thread& t, const void* site) {
  constexpr std::size_t longest_loop = 128;
  tail& a = tails_[t.number];
  if (!t.spin.suspected()) {
    tell_folded(a);
    a.loop.clear();
    a.operations.emplace_back(begun_, site);
    if (a.operations.size() > longest_loop) {
      a.operations.pop_front();
    }
    return false;
  }
  for (const auto& [number, at] : a.operations) {
    if (number >= t.spin.began()) {
      a.loop.insert(at);
    }
  }
  a.operations.clear();
  if (a.head == 0 || !a.loop.contains(site)) {
    tell_folded(a);
    return false;
  }
  ++a.folded;
  a.last = begun_;
  return true;
}

void tracer::tell_folded(tail& a) {
  if (a.folded != 0) {
    lines_.write(
        {{in_trace::repeats, a.head}, {in_trace::times, a.folded}, {in_trace::last, a.last}});
    a.folded = 0;
  }
}

void tracer::get_to_know(const launch_state& l) {
  if (!launches_.insert(l.id).second) {
    return;
  }
  const dim3& grid = l.config.grid;
  const dim3& block = l.config.block;
  lines_.write({{in_trace::launch, l.id},
                {in_trace::kernel, l.kernel.name},
                {in_trace::grid, {grid.x, grid.y, grid.z}},
                {in_trace::block, {block.x, block.y, block.z}},
                {in_trace::launched_at, place_number(l.site)}});
}

void tracer::get_to_know(const sim_thread& t) {
  get_to_know(*t.launch);
  if (!threads_.insert(t.number).second) {
    return;
  }
  lines_.write({{in_trace::thread, t.number},
                {in_trace::launch, t.launch->id},
                {in_trace::linear, t.linear_thread()},
                {in_trace::name, t.name()}});
}

unsigned tracer::place_number(const void* site) {
  const auto [known, added] =
      place_numbers_.try_emplace(site, static_cast<unsigned>(place_numbers_.size()) + 1);
  if (added) {
    lines_.write(
        {{in_trace::site, known->second}, {in_trace::frames, frames_json<json>(resolve(site))}});
  }
  return known->second;
}

// --- What an operation did

bool tracer::synchronises(const writer& w,
                          const sim_thread& t,
                          machine::memory_order order,
                          machine::memory_scope scope) {
  const auto includes_both = [&](machine::memory_scope s) {
    return s != machine::memory_scope::tl_blk ||
           (w.launch == t.launch->id && w.block == t.linear_block());
  };
  return w.releases && acquires(order) && includes_both(w.scope) && includes_both(scope);
}

void tracer::took_older(const stale_event& e) {
  if (now_.thread != e.thread || passed_over_) {
    return;
  }
  const auto ours = [this](std::uint64_t engines) {
    return static_cast<std::uint32_t>(strong_writes_.operation_of(engines));
  };
  now_.stale[e.element] = {.address = e.address,
                           .value = e.value,
                           .newest = e.newest,
                           .given = ours(e.given),
                           .passed = ours(e.passed)};
}

void tracer::memory(const memory_event& e) {
  const sim_thread& t = *e.thread;
  if (now_.thread != nullptr && !passed_over_) {
    note_access(e);
  }
  if (e.writes && !passed_over_ && (recording() || begun_ <= context_.opts.trace_around)) {
    const std::uint64_t number = context_.exec->memory().performed();
    if (number != 0 && e.how.order != machine::memory_order::weak) {
      strong_writes_.note(number, tails_[t.number].now);
    }
    for (unsigned i = 0; i < e.count; ++i) {
      if (e.mask == nullptr || e.mask[i] != 0) {
        last_writers_.wrote(
            e.addresses[i], e.bytes, static_cast<std::uint32_t>(tails_[t.number].now));
      }
    }
  }
  if (e.raw && now_.thread != nullptr && !passed_over_) {
    write_operation(json::object());
  }
  note_findings();
}

void tracer::comes_to_meet(const sim_thread& t) {
  if (now_.thread == &t) {
    write_operation(json::object());
  }
  note_findings();
}

/// A variable of shared memory as a buffer: one for those of all blocks.
unsigned tracer::shared_buffer(const shared_object& o) {
  constexpr unsigned first = 1U << 31U; // behind all allocations
  const auto [known, added] = shared_buffers_.try_emplace(
      std::pair(o.declared, o.size), first + static_cast<unsigned>(shared_buffers_.size()));
  if (added) {
    lines_.write({{in_trace::buffer, known->second},
                  {in_trace::name, o.declared->name},
                  {in_trace::bytes, o.size},
                  {in_trace::place, place_and_helper(o.site)},
                  {in_trace::element,
                   {{in_trace::type, shared_element_type(o)},
                    {in_trace::bytes, std::max<std::size_t>(o.declared->element_bytes, 1)}}}});
  }
  return known->second;
}

void tracer::refused(const bad_access& a) {
  if (now_.thread == nullptr || passed_over_ || now_.thread != execution::current()) {
    return;
  }
  memory_event e{};
  e.thread = now_.thread;
  e.site = now_.site;
  e.how.order = machine::memory_order::weak;
  e.reads = a.kind != access_kind::write;
  e.writes = a.kind == access_kind::write || a.kind == access_kind::read_write;
  e.bytes = std::max(a.bytes, 1U);
  e.count = 1;
  e.addresses = &a.address;
  note_access(e);
}

json tracer::run_json(const element_run& r) {
  const shared_object* const o = r.buffer == 0 ? context_.shared.find(r.begin) : nullptr;
  return o != nullptr ? json{shared_buffer(*o), r.begin - o->begin, r.count, r.distance}
                      : json{r.buffer, r.begin, r.count, r.distance};
}

/// The elements that read an older write: where, what, and what they passed over.
json tracer::stale_of(const memory_event& e) {
  const auto text = [&](std::uintptr_t address, std::uint64_t value) {
    std::vector<std::uint8_t> cells(e.bytes);
    std::memcpy(cells.data(), &value, std::min(cells.size(), sizeof value));
    return step::message_of(step::captured_bytes(buffers_, address, std::move(cells)), buffers_)
        .texts.front();
  };
  json list = json::array();
  for (const auto& [number, s] : now_.stale) {
    if (list.size() == context_.opts.trace_elements) {
      break;
    }
    memory_event one = e;
    one.count = 1;
    one.addresses = &s.address;
    one.mask = nullptr;
    list.push_back({{in_trace::at, run_json(runs_of(one, buffers_).front())},
                    {in_trace::value, text(s.address, s.value)},
                    {in_trace::newest, text(s.address, s.newest)},
                    {in_trace::given, s.given},
                    {in_trace::passed, s.passed}});
  }
  return list;
}

void tracer::note_access(const memory_event& e) {
  const machine::memory_order order = e.how.order;
  const machine::memory_scope scope = e.how.scope;
  json at = json::array();
  for (const element_run& r : runs_of(e, buffers_)) {
    at.push_back(run_json(r));
  }
  json access = {
      {in_trace::reads, e.reads}, {in_trace::writes, e.writes}, {in_trace::order, name(order)}};
  if (order != machine::memory_order::weak) {
    access[in_trace::scope] = name(scope);
  }
  access[in_trace::bytes] = e.bytes;
  access[in_trace::at] = std::move(at);
  if (!now_.stale.empty()) {
    access[in_trace::stale] = stale_of(e);
  }
  now_.accesses.push_back(std::move(access));
  if (e.writes) {
    now_.releases = order;
    now_.scope = scope;
  }
  if (e.reads) {
    for (const read_from& s : sources_of(e, last_writers_, now_.stale)) {
      const auto known = writers_.find(s.operation);
      if (known == writers_.end()) {
        continue; // this very operation, or one that is left out
      }
      auto& [elements, edge] = now_.sources[s.operation];
      elements += s.elements;
      edge = edge || synchronises(known->second, *e.thread, order, scope);
    }
  }
  for (unsigned i = 0; i < e.count && now_.first_address == 0; ++i) {
    if (!e.raw && (e.mask == nullptr || e.mask[i] != 0)) {
      now_.first_address = e.addresses[i];
    }
  }
}

void tracer::note_buffer_type(const operation_event& e) {
  const step::buffer* b = buffers_.holding(now_.first_address);
  if (b == nullptr || b->element) {
    return;
  }
  step::note_element_type(buffers_, now_.first_address, e);
  if (b->element) {
    lines_.write({{in_trace::element, b->memory->id},
                  {in_trace::type, step::element_word(*b->element)},
                  {in_trace::bytes, size_of(b->element->kind)}});
  }
}

json tracer::tile(const machine::tile_type& type, const void* data) const {
  const auto v =
      step::message_of(step::capture(type, data), buffers_, context_.opts.trace_elements);
  return {
      {in_trace::type, type_text(type)}, {in_trace::shape, v.shape}, {in_trace::elements, v.texts}};
}

void tracer::operation(const operation_event& e) {
  if (now_.thread != nullptr) {
    note_buffer_type(e);
    json line;
    if (const char* const spelling = e.spelling()) {
      line[in_trace::written] = spelling;
    }
    line[in_trace::operands] = json::array();
    for (unsigned i = 0; i < e.operand_count; ++i) {
      line[in_trace::operands].push_back(type_text(*e.operands[i].type));
    }
    if (e.result != nullptr) {
      line[in_trace::result] = tile(*e.result->type, e.result->data);
    } else if (e.access != nullptr) {
      // What it writes: behind the pointers, or in front of a view's indices.
      const bool pointers = e.operands[0].type->elem == element::ptr;
      const machine::in& value = e.operands[pointers ? 1 : 0];
      line[in_trace::stores] = tile(*value.type, value.data);
    }
    write_operation(line);
  }
  note_findings();
}

void tracer::write_operation(const json& line) {
  const sim_thread& t = *now_.thread;
  const std::uint64_t number = tails_[t.number].now;
  get_to_know(t);
  json all = {{in_trace::op, number},
              {in_trace::by, t.number},
              {in_trace::name, now_.name},
              {in_trace::site, place_number(now_.site)}};
  all.update(line);
  if (!now_.accesses.empty()) {
    all[in_trace::memory] = std::move(now_.accesses);
  }
  json from = json::array();
  for (const auto& [operation, what] : now_.sources) {
    if (writers_.at(operation).thread != t.number) {
      from.push_back({operation, what.first, what.second});
    }
  }
  events_ += 1 + from.size();
  if (!from.empty()) {
    all[in_trace::from] = std::move(from);
  }
  lines_.write(all);
  tails_[t.number].head = number;
  kept_ = latest_ = number;
  writers_[number] = {.launch = t.launch->id,
                      .block = t.linear_block(),
                      .thread = t.number,
                      .releases = releases(now_.releases),
                      .scope = now_.scope};
  now_ = {};
}

// --- Memory, findings, the end

void tracer::allocated(const allocation& a) {
  new_buffers_.push_back(&a); // what it is called shows when it has been put somewhere
}

void tracer::write_new_buffers() {
  for (const allocation* a : std::exchange(new_buffers_, {})) {
    const step::buffer& b = *buffers_.holding(a->begin);
    json line = {{in_trace::buffer, a->id},
                 {in_trace::name, b.name},
                 {in_trace::bytes, a->size},
                 {in_trace::place, place_and_helper(a->site)}};
    if (b.element) {
      line[in_trace::element] = {{in_trace::type, step::element_word(*b.element)},
                                 {in_trace::bytes, size_of(b.element->kind)}};
    }
    lines_.write(line);
  }
}

void tracer::host_access(const host_event& e) {
  if (e.writes) {
    last_writers_.wrote(e.address, e.bytes, 0);
  }
}

void tracer::copied(const copy_event& e) {
  if (e.to_shared) {
    e.each_row([&](const unsigned char* to, const unsigned char* /*from*/) {
      last_writers_.wrote(reinterpret_cast<std::uintptr_t>(to), e.width, 0);
    });
  }
}

void tracer::note_findings() {
  const auto& all = context_.found.all().findings;
  for (; told_findings_ < all.size(); ++told_findings_) {
    const sim_thread* t = execution::current();
    // Of several that only poll, the last one that was written.
    const std::uint64_t number = t == nullptr                    ? latest_
                                 : tails_[t->number].folded != 0 ? tails_[t->number].head
                                                                 : tails_[t->number].now;
    json line = {{in_trace::finding, told_findings_}, {in_trace::op, number}};
    if (context_.opts.report.empty()) {
      line[in_trace::said] = to_json(all[told_findings_]);
    }
    if (t != nullptr) {
      get_to_know(*t);
      line[in_trace::by] = t->number;
    }
    lines_.write(line);
  }
}

void tracer::run_ends(run_end how, int status) {
  write_new_buffers();
  note_findings();
  if (now_.thread != nullptr && now_.thread == execution::current()) {
    write_operation({{in_trace::unfinished, true}});
  }
  for (auto& [number, a] : tails_) {
    tell_folded(a);
  }
  json left_out = json::array();
  for (const gap& g : gaps_) {
    left_out.push_back({g.first, g.last, g.count});
  }
  lines_.write({{in_trace::end, word(how)},
                {in_trace::status, status},
                {in_trace::operations, begun_},
                {in_trace::left_out, std::move(left_out)},
                {in_trace::schedule, context_.exec->desk().strategy->describe()}});
}

} // namespace

void attach(context& c) {
  const int file = line_file::create(c.opts.trace);
  if (file < 0) {
    return;
  }
  c.exec->attach(std::make_unique<tracer>(c, file));
}

} // namespace tilesim::sim::trace
