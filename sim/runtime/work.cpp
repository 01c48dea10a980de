// Doing work in order: what is ready is done, what a suspended kernel holds up stays queued.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/work.hpp"

#include "memmodel/assertion.hpp"
#include "sim/access/host_threads.hpp"
#include "sim/core/context.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/runtime/capture.hpp"

#include <algorithm>

namespace tilesim::sim {

namespace {

/// A stream that waits for the legacy default stream and makes it wait.
bool blocking(const CUstream_st& s) {
  return (s.flags & cudaStreamNonBlocking) == 0;
}

void add_unfinished(std::vector<std::shared_ptr<task>>& to, const std::shared_ptr<task>& t) {
  if (t != nullptr && !t->finished) {
    to.push_back(t);
  }
}

} // namespace

work_queue::work_queue(context& c)
    : context_(c) {
  tell_work_to_come(c, [this](bool begun_too) {
    std::vector<work_order> all;
    for (const auto& t : pending_) {
      if (begun_too || !t->started) {
        all.push_back(t->order);
      }
    }
    return all;
  });
  legacy.id = 1;
  per_thread.id = 2;
  legacy.order.number = per_thread.order.number = 0;
}

CUstream_st* work_queue::find(cudaStream_t handle) noexcept {
  if (handle == nullptr || handle == cudaStreamLegacy) {
    return &legacy;
  }
  if (handle == cudaStreamPerThread) {
    return &per_thread;
  }
  if (handle == &builder) {
    return &builder;
  }
  const auto it = std::find_if(
      streams_.begin(), streams_.end(), [handle](const auto& s) { return s.get() == handle; });
  return it == streams_.end() ? nullptr : it->get();
}

CUstream_st* work_queue::create(unsigned flags, int priority, const void* site) {
  auto s = std::make_unique<CUstream_st>();
  s->flags = flags;
  s->priority = priority;
  s->id = next_id_++;
  s->site = site;
  s->order.number = 0;
  return streams_.emplace_back(std::move(s)).get();
}

void work_queue::destroy(CUstream_st* stream) {
  // Its work goes on: tasks are kept by the queue. What was captured of it is no graph.
  if (stream->capturing != nullptr) {
    stream->capturing->leave(*stream);
  }
  if (blocking(*stream)) {
    destroyed_.follow(stream->order);
  }
  std::erase_if(streams_, [stream](const auto& s) { return s.get() == stream; });
}

CUevent_st* work_queue::create_event(unsigned flags, const void* site) {
  auto e = std::make_unique<CUevent_st>();
  e->flags = flags;
  e->site = site;
  return events_.insert(std::move(e)).first->get();
}

bool work_queue::is_event(cudaEvent_t event) const noexcept {
  return std::any_of(
      events_.begin(), events_.end(), [event](const auto& e) { return e.get() == event; });
}

void work_queue::destroy_event(cudaEvent_t event) {
  std::erase_if(events_, [event](const auto& e) { return e.get() == event; });
}

std::shared_ptr<task> work_queue::record(CUstream_st& stream, CUevent_st& event) {
  const auto time = std::make_shared<CUevent_st::clock::time_point>();
  event.recorded = true;
  event.time = time;
  event.captured = nullptr;
  event.after = append(stream, {.start = [time] {
                         *time = CUevent_st::clock::now();
                         return launch_id{0};
                       }});
  return event.after;
}

std::unique_ptr<CUstream_st> work_queue::make_lane(bool of_body) {
  auto s = std::make_unique<CUstream_st>();
  s->flags = cudaStreamNonBlocking;
  s->id = next_id_++;
  s->order.number = 0;
  s->of_body = of_body;
  return s;
}

CUstream_st& work_queue::lane(CUstream_st& stream, std::size_t n) {
  while (stream.lanes.size() <= n) {
    stream.lanes.push_back(make_lane(stream.of_body));
  }
  return *stream.lanes[n];
}

std::shared_ptr<CUstream_st> work_queue::body_stream(CUstream_st& stream) {
  if (stream.bodies == nullptr) {
    stream.bodies = make_lane(true);
  }
  return stream.bodies;
}

std::vector<CUstream_st*> work_queue::captured_and_blocking() {
  std::vector<CUstream_st*> found;
  for (const auto& s : streams_) {
    if (s->capturing != nullptr && blocking(*s)) {
      found.push_back(s.get());
    }
  }
  if (per_thread.capturing != nullptr) {
    found.push_back(&per_thread);
  }
  return found;
}

std::shared_ptr<task> work_queue::append(CUstream_st& stream, piece what) {
  if (stream.capturing != nullptr) {
    stream.capturing->take(stream, std::move(what));
    return nullptr;
  }
  auto t = std::make_shared<task>();
  t->start = what.start ? std::move(what.start) : [] { return launch_id{0}; };
  t->dropped = std::move(what.dropped);
  add_unfinished(t->after, stream.last);
  if (&stream == &legacy) {
    for (const auto& s : streams_) {
      if (blocking(*s)) {
        add_unfinished(t->after, s->last);
      }
    }
    add_unfinished(t->after, per_thread.last);
  } else if (blocking(stream)) {
    add_unfinished(t->after, legacy.last);
  }
  t->order = next_order(stream);
  stream.last = t;
  pending_.push_back(t);
  advance(false);
  if (!t->finished && !stream.of_body) { // a body's was called for by the launch of its graph
    names_of(context_).work_waits();
  }
  return t;
}

work_order work_queue::next_order(CUstream_st& stream) {
  work_order o;
  o.lane = static_cast<std::uint32_t>(stream.id);
  o.number = stream.order.number + 1;
  const auto follow = [&o](const CUstream_st& s) { o.follow(s.order); };
  follow(stream);
  if (&stream == &legacy) {
    for (const auto& s : streams_) {
      if (blocking(*s)) {
        follow(*s);
      }
    }
    follow(per_thread);
    o.follow(destroyed_);
  } else if (blocking(stream)) {
    follow(legacy);
  }
  if (!stream.of_body) {
    // What the host did and knew before the call comes before; what it does next comes later.
    judge_other_threads(context_);
    o.follow(context_.host_order);
    host_goes_on(context_);
  }
  TILESIM_ASSERT(o.number > stream.order.number, o.lane, o.number, stream.order.number);
  TILESIM_ASSERT(o.at(o.lane) < o.number, o.lane, o.number, o.at(o.lane)); // not after itself
  stream.order = o;
  return o;
}

void work_queue::host_knows(const work_order& order) {
  work_order& host = context_.host_order;
  bool news = order.number > host.at(order.lane);
  for (std::uint32_t l = 0; l < order.before.size(); ++l) {
    news = news || (l != host.lane && order.before[l] > host.at(l));
  }
  if (news) {
    host_goes_on(context_);
    host.follow(order);
  }
  if (const auto kind = context_.exec->failure()) { // as an H200 has it
    lost_ = *kind == kernel_kind::simt ? cudaErrorAssert : cudaErrorLaunchFailure;
  }
}

void work_queue::recover() noexcept {
  context_.exec->forget_failure();
  lost_ = cudaSuccess;
}

void work_queue::wait_for(CUstream_st& stream, std::shared_ptr<task> other) {
  if (other == nullptr) {
    return;
  }
  stream.order.follow(other->order);
  if (other->finished) {
    return;
  }
  auto t = std::make_shared<task>();
  t->order = stream.order;
  t->start = [] { return launch_id{0}; };
  add_unfinished(t->after, stream.last);
  t->after.push_back(std::move(other));
  stream.last = t;
  pending_.push_back(std::move(t));
}

bool work_queue::ready(const task& t) noexcept {
  return std::all_of(t.after.begin(), t.after.end(), [](const auto& a) { return a->finished; });
}

// One pass over what is unfinished, in the order of the calls. True if anything moved.
bool work_queue::step() {
  bool moved = false;
  for (std::size_t i = 0; i < pending_.size();) {
    const std::shared_ptr<task> t = pending_[i];
    if (!t->started && ready(*t)) {
      t->started = true;
      TILESIM_ASSERT(t->start != nullptr, t->order.lane, t->order.number);
      context_.current_work = t->order;
      if (!context_.exec->failure()) {
        starting_ = t;
        t->launch = t->start();
        starting_ = nullptr;
      } else if (t->dropped) {
        t->dropped();
      }
      t->start = nullptr;
      t->dropped = nullptr;
      t->after.clear();
      if (t->launch != 0) {
        context_.exec->run_the_submitted();
      }
      moved = true;
    }
    if (t->started && (t->launch == 0 || context_.exec->done(t->launch)) &&
        (t->within == nullptr || t->within->finished)) {
      t->finished = true;
      if (t->within != nullptr) {
        order_behind(*t);
        t->within = nullptr;
      }
      pending_.erase(std::find(pending_.begin(), pending_.end(), t));
      if (pending_.empty()) {
        names_of(context_).work_is_done();
      }
      moved = true;
    } else {
      ++i;
    }
  }
  return moved;
}

void work_queue::order_behind(const task& done) {
  const work_order& place = done.order;
  const auto tell = [&place, &inner = done.within->order](work_order& o) {
    const std::uint32_t known = o.lane == place.lane ? o.number : o.at(place.lane);
    if (known >= place.number) {
      o.follow(inner);
    }
  };
  for (const auto& t : pending_) {
    if (t.get() != done.within.get()) {
      tell(t->order);
    }
  }
  const auto tell_stream = [&tell](const auto& again, CUstream_st& s) -> void {
    tell(s.order);
    for (const auto& l : s.lanes) {
      again(again, *l);
    }
  };
  for (const auto& s : streams_) {
    tell_stream(tell_stream, *s);
  }
  tell_stream(tell_stream, legacy);
  tell_stream(tell_stream, per_thread);
  tell(destroyed_);
}

void work_queue::advance(bool host_asks) {
  if (stepping_ || pending_.empty()) {
    return; // a host function that calls the runtime: the outer loop goes on
  }
  stepping_ = true;
  if (host_asks) {
    context_.exec->run();
  } else {
    context_.exec->run_the_submitted();
  }
  while (step()) {
  }
  stepping_ = false;
}

// The launch under way that a task is, or is behind; nullptr when nothing holds it up.
const task* work_queue::held_up_by(const task& t) {
  if (t.started) {
    return t.finished ? nullptr : t.within != nullptr ? held_up_by(*t.within) : &t;
  }
  for (const auto& a : t.after) {
    if (const task* by = held_up_by(*a)) {
      return by;
    }
  }
  return nullptr;
}

// Holds the task itself: the queue may let go of it as it advances.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void work_queue::finish(std::shared_ptr<task> t, bool host_waits) {
  advance();
  while (t != nullptr && !t->finished && !stepping_) {
    const task* holder = held_up_by(*t);
    if (holder == nullptr) {
      return;
    }
    context_.exec->finish(holder->launch);
    advance();
  }
  if (t != nullptr && t->finished && host_waits) {
    host_knows(t->order);
  }
}

void work_queue::finish(CUstream_st& stream) {
  if (&stream != &legacy) {
    finish(stream.last);
    host_knows(stream.order);
    return;
  }
  std::vector<std::shared_ptr<task>> last;
  for (const auto& s : streams_) {
    if (blocking(*s)) {
      last.push_back(s->last);
    }
  }
  for (auto& t : last) {
    finish(std::move(t));
  }
  finish(per_thread.last);
  finish(legacy.last);
}

void work_queue::finish_all() {
  advance();
  while (!pending_.empty() && !stepping_) {
    finish(pending_.back());
  }
  if (!stepping_) {
    for (const auto& s : streams_) {
      host_knows(s->order);
    }
    host_knows(legacy.order);
    host_knows(per_thread.order);
    host_knows(destroyed_);
  }
}

bool work_queue::idle(CUstream_st& stream) {
  advance();
  const auto done = [](const CUstream_st& s) { return s.last == nullptr || s.last->finished; };
  if (&stream != &legacy) {
    return done(stream);
  }
  return done(legacy) && done(per_thread) &&
         std::all_of(streams_.begin(), streams_.end(), [&](const auto& s) {
           return !blocking(*s) || done(*s);
         });
}

} // namespace tilesim::sim
