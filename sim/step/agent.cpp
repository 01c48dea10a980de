// The agent: watches the run, stops it, and serves while it stands.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/agent.hpp"

#include "sim/contract/environment.hpp"
#include "sim/contract/shared_page.hpp"
#include "sim/contract/step_protocol_json.hpp"
#include "sim/core/context.hpp"
#include "sim/core/control.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/spread.hpp"
#include "sim/memory/engine.hpp"
#include "sim/step/checkpoint.hpp"
#include "sim/step/chosen_reads.hpp"
#include "sim/step/leads.hpp"
#include "sim/step/link.hpp"
#include "sim/step/operation_capture.hpp"
#include "sim/step/requests.hpp"
#include "sim/step/run_record.hpp"
#include "sim/step/standing_names.hpp"
#include "sim/step/steering.hpp"
#include "sim/step/stop_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tilesim::sim::step {

namespace {

using nlohmann::json;
using protocol::stop_reason;
using std::chrono::steady_clock;

/// Going back costs at most about this much of a run, more where checkpoints had to go.
constexpr auto between_checkpoints = std::chrono::milliseconds(120);

/// What return addresses stand for: all processes of a session have the same.
protocol::place_list places_of(const protocol::places& request) {
  protocol::place_list list;
  for (const std::uintptr_t address : request.addresses) {
    list.frames.push_back(resolve(reinterpret_cast<const void*>(address)));
  }
  return list;
}

class agent final : public run_control, public watcher {
public:
  agent(context& c, std::string path, int shared);

  /// Stops for the first time.
  void begin() {
    if (checkpoint() == side::original) {
      serve(why_of(stop_reason::loaded));
    }
  }

  // --- run_control
  void hold(sim_thread& t) override;
  bool interrupted_in_host(const void* site) override;
  void dies(int signal, std::span<const void* const> frames) noexcept override;

  // --- watcher
  void before_access(const sim_thread& t, std::uintptr_t address, std::size_t bytes) override;
  void left_unspecified(std::size_t element) override;
  void thread_ends(const sim_thread& t) override;
  void operation(const operation_event& e) override;
  void took_older(const stale_event& e) override;
  void memory(const memory_event& e) override;
  void host_access(const host_event& e) override;
  void copied(const copy_event& e) override;
  void finding_added(const void* site, const finding_text& text) override;
  void run_ends(run_end how, int status) override;

private:
  // Before an operation.
  void stand_before(sim_thread& t);
  void begin_operation(sim_thread& t);
  void look_at_the_clock();
  side checkpoint();

  // While it stands.
  void stands_at_the_end(sim_thread& t, run_end how);
  void serve(protocol::stop why);
  void complete(protocol::stop& why);
  /// False: "go".
  bool answer(const json& request);

  link link_;
  shared_page* shared_ = nullptr;
  run_record run_;
  standing_names names_;
  stop_control control_;
  operation_capture capture_;
  steering steering_;
  chosen_reads chosen_;
  leads leads_;
  requests requests_;
  bool switching_ = false; ///< another thread goes on from here

  std::uint64_t newest_checkpoint_ = 0;
  std::uint64_t checkpoints_made_ = 0;
  steady_clock::time_point last_checkpoint_ = steady_clock::now();
};

agent::agent(context& c, std::string path, int shared)
    : link_(std::move(path))
    , run_(c)
    , names_(run_)
    , control_(run_, names_)
    , capture_(run_)
    , steering_(c.exec->desk().strategy)
    , chosen_(run_)
    , leads_(run_)
    , requests_(run_, names_, control_, steering_, chosen_, leads_) {
  c.exec->steer(*this);
  // A finding is told in the words of `tilesim check`: with where its operands come from.
  if (run_desk& desk = c.exec->desk(); desk.spread_to_come == nullptr) {
    desk.spread_to_come = std::make_unique<spread>(false);
  }
  if (shared >= 0) {
    void* page = mmap(nullptr, sizeof(shared_page), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    shared_ = page == MAP_FAILED ? nullptr : static_cast<shared_page*>(page);
    close(shared);
  }
}

// --- Before an operation

void agent::hold(sim_thread& t) {
  run_.in.exec->memory().settle(); // whoever looks at memory here sees what was written last
  capture_.finish(names_);
  const step_kind kind = t.next_kind;
  control_.comes(t, run_.threads.comes(t));
  run_.threads.take_turn(t, true);     // also if it makes way at once: it has come here
  run_.in.exec->desk().make_way(kind); // as in a run without a stepper: once for each operation
  if (kind == step_kind::raw && !control_.points().has_place(t.next_site)) {
    // Of tilesim's own headers, inlined into the kernel: no step of the program's.
    run_.threads.take_turn(t, false);
    run_.threads.begins(t, kind);
    capture_.begin_passed_over();
    return;
  }
  stand_before(t);
  begin_operation(t);
}

/// Until it goes on: others may, in between.
void agent::stand_before(sim_thread& t) {
  for (;;) {
    run_.threads.take_turn(t, false);
    if (!control_.must_look() && !interrupt_requested()) {
      return;
    }
    look_at_the_clock(); // a checkpoint comes before the switch that was made there
    if (steering_.carry_out(t, run_.begun)) {
      execution::yield();
      continue;
    }
    if (auto why = control_.why_stop(t)) {
      names_.stand(&t);
      serve(std::move(*why));
      names_.stand(nullptr);
      if (switching_) {
        continue;
      }
    }
    control_.plan(steering_.next_behind(run_.begun));
    return;
  }
}

void agent::begin_operation(sim_thread& t) {
  run_.threads.begins(t, t.next_kind);
  ++run_.begun;
  if (shared_ != nullptr) {
    shared_->position = run_.begun;
  }
  if (t.run_operation == 0) {
    run_.threads[t.number].first = run_.begun - 1;
  }
  t.run_operation = run_.begun;
  run_.operations.add({t.next_site, t.next_operation, t.number});
  capture_.begin(control_.begins(t));
}

void agent::look_at_the_clock() {
  // Between two switches that were made at one position none is made: all of them belong behind it.
  if (control_.scans() || run_.begun <= newest_checkpoint_ ||
      run_.begun == steering_.carried_out_at() ||
      steady_clock::now() - last_checkpoint_ < between_checkpoints) {
    return;
  }
  checkpoint();
}

side agent::checkpoint() {
  newest_checkpoint_ = run_.begun;
  ++checkpoints_made_;
  const side which = make_checkpoint(link_, run_.begun, &places_of);
  if (which == side::resumed) {
    // Another life begins here: the stepper says what is to be done.
    checkpoints_made_ = 0;
    run_.in.exec->watchers().tell([](watcher& w) { w.resumed(); });
    control_.forget_values(); // they may be older than this position
    serve(why_of(stop_reason::resumed));
  }
  last_checkpoint_ = steady_clock::now();
  return which;
}

// --- What happens

void agent::before_access(const sim_thread& /*t*/, std::uintptr_t address, std::size_t bytes) {
  capture_.before_access(address, bytes);
}

void agent::left_unspecified(std::size_t element) {
  capture_.left_unspecified(element);
  leads_.left_unspecified();
}

void agent::operation(const operation_event& e) {
  capture_.operation(e);
  leads_.operation(e);
}

void agent::took_older(const stale_event& e) {
  capture_.took_older(e);
  leads_.took_older(e);
}

void agent::memory(const memory_event& e) {
  capture_.memory(e);
  if (!e.writes) {
    return;
  }
  if (const std::uint64_t number = run_.in.exec->memory().performed();
      number != 0 && e.how.order != machine::memory_order::weak) {
    run_.strong_writes.note(number, e.thread->run_operation);
  }
  for (unsigned i = 0; i < e.count; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      run_.writers.wrote(
          e.addresses[i], e.bytes, static_cast<std::uint32_t>(e.thread->run_operation));
      control_.wrote(e.addresses[i], e.bytes);
    }
  }
}

void agent::host_access(const host_event& e) {
  leads_.host_access(e);
  if (e.writes) {
    run_.writers.wrote(e.address, e.bytes, 0);
    control_.wrote(e.address, e.bytes);
  }
}

void agent::copied(const copy_event& e) {
  leads_.copied(e);
  e.each_row([&](const unsigned char* to_row, const unsigned char* /*from*/) {
    const auto to = reinterpret_cast<std::uintptr_t>(to_row);
    if (e.to_shared) {
      run_.writers.wrote(to, e.width, 0);
    }
    control_.wrote(to, e.width);
  });
}

void agent::finding_added(const void* site, const finding_text& text) {
  control_.finding_added(execution::current() != nullptr ? 0 : leads_.operation_behind(site, text));
}

void agent::thread_ends(const sim_thread& t) {
  capture_.finish(names_);
  // Nobody stands here, but a person wants to see whose last operation it was, and where.
  const auto serve_behind = [&](std::optional<protocol::stop> why) {
    if (why) {
      why->behind = protocol::live_thread{message_of(t)};
      why->behind->state = "ended";
      why->behind->frames = resolve(t.site);
      why->behind->place = place(t.site);
      names_.stand_behind(&t);
      serve(std::move(*why));
      names_.stand_behind(nullptr);
    }
  };
  serve_behind(control_.last_finding_of(t));
  serve_behind(control_.last_values_of(t));
}

void agent::run_ends(run_end how, int status) {
  capture_.finish(names_);
  // A report that is made at the program's end is no new occasion.
  run_.over = true;
  names_.stand(execution::current());
  if (sim_thread* const t = names_.thread(); t != nullptr) {
    stands_at_the_end(*t, how);
  }
  protocol::stop why = why_of(how == run_end::ended     ? stop_reason::ended
                              : how == run_end::stopped ? stop_reason::stopped
                                                        : stop_reason::interrupted);
  why.status = status;
  if (how != run_end::ended) {
    control_.add_changes(why);
  } else if (auto changed = control_.untold_changes()) {
    serve(std::move(*changed));
  }
  control_.add_hit(why);
  serve(std::move(why));
  names_.stand(nullptr);
}

/// Where the run is over a thread may stand behind its last operation, and before none: where it
/// has ended the program, or was interrupted.
void agent::stands_at_the_end(sim_thread& t, run_end how) {
  const void* const site = how == run_end::interrupted ? t.site : run_.in.found.stopped_at();
  const bool in_operation =
      how != run_end::interrupted &&
      (site == nullptr || (t.next_site != nullptr && resolve(site) == resolve(t.next_site)));
  if (in_operation) {
    return;
  }
  if (!run_.threads.knows(t.number)) {
    run_.threads.comes(t); // it has made none
  }
  t.next_site = site;
  t.next_operation = nullptr;
}

bool agent::interrupted_in_host(const void* site) {
  interrupt_forgotten();
  protocol::stop why = why_of(stop_reason::interrupt);
  why.host = resolve(site);
  control_.add_changes(why); // before the host's variables have names: they are not the kernels'
  names_.stand_in_host(site);
  serve(std::move(why));
  names_.stand_in_host(nullptr);
  return true;
}

void agent::dies(int signal, std::span<const void* const> frames) noexcept {
  if (shared_ == nullptr) {
    return;
  }
  crash_note& note = shared_->crash;
  note.count = static_cast<std::uint32_t>(std::min(frames.size(), note.frames.size()));
  for (std::uint32_t i = 0; i < note.count; ++i) {
    note.frames[i] = reinterpret_cast<std::uintptr_t>(frames[i]);
  }
  note.block = {};
  if (const sim_thread* t = execution::current()) {
    // One that has come to no operation yet has no name yet, and none can be made here.
    const bool known = run_.threads.knows(t->number);
    const std::string_view name =
        known ? std::string_view(run_.threads[t->number].name) : std::string_view("a block");
    name.copy(note.block.data(), note.block.size() - 1);
  }
  note.signal = signal;
}

// --- Standing

void agent::serve(protocol::stop why) {
  std::fflush(nullptr);
  switching_ = false;
  control_.stands();
  names_.forget_frames();
  names_.use_innermost_frame();
  complete(why);
  link_.send(protocol::encode(why));
  for (;;) {
    const auto request = link_.receive();
    if (!request || !request->is_object()) {
      _exit(0); // nobody is there any more
    }
    if (!answer(*request)) {
      return;
    }
  }
}

/// With what is to be said at every stop.
void agent::complete(protocol::stop& why) {
  why.pid = getpid();
  why.position = run_.begun;
  why.checkpoints = std::exchange(checkpoints_made_, 0);
  why.journal_bytes = run_.operations.bytes();
  why.writers_bytes = run_.writers.bytes() + run_.threads.bytes();
  if (const sim_thread* const t = names_.thread()) {
    why.thread = message_of(*t);
    why.next = {.operation = next_operation_of(*t),
                .number = run_.begun + 1,
                .frames = resolve(t->next_site)};
  }
  why.last = capture_.take();
  control_.add_findings(why);
}

bool agent::answer(const json& request) {
  json reply;
  try {
    if (request.value("do", "") == protocol::go::request) {
      const auto how = protocol::decode<protocol::go>(request);
      control_.go(how);
      newest_checkpoint_ = how.newest_checkpoint;
      return false;
    }
    reply = requests_.reply_to(request);
  } catch (const expression_error& e) {
    reply = protocol::encode(protocol::refusal{e.what(), e.column()});
  } catch (const refusal& e) {
    reply = protocol::encode(protocol::refusal{e.what(), {}});
  } catch (const json::exception& e) {
    reply = protocol::encode(protocol::refusal{e.what(), {}});
  }
  link_.reply(std::move(reply));
  switching_ = requests_.take_switch();
  return !switching_;
}

} // namespace

void attach() {
  const char* wanted = std::getenv(step_variable);
  if (wanted == nullptr) {
    return;
  }
  step_link to = read_step_link(wanted);
  die_with_the_stepper();
  // What is printed is a person's to see: a line when it is whole, as in a terminal.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  unsetenv(step_variable); // programs that this one starts are not stepped
  auto made = std::make_unique<agent>(context::current(), std::move(to.socket), to.page);
  agent& it = *made;
  context::current().exec->attach(std::move(made)); // for the rest of the process's life
  tell_control_of_signals();
  it.begin();
}

} // namespace tilesim::sim::step
