// Whether a witness is what it claims to be.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/chains.hpp"

#include <fmt/format.h>

namespace tilesim::memmodel {
namespace {

bool holds(const relations& r, const step& s) {
  if (s.edge == "po") {
    return r.x->po(s.from, s.to);
  }
  if (s.edge == "rf") {
    return r.x->rf(s.from, s.to);
  }
  if (s.edge == "co") {
    return r.co(s.from, s.to);
  }
  if (s.edge == "fr") {
    return r.fr(s.from, s.to);
  }
  if (s.edge == "sc") {
    return r.x->sc(s.from, s.to);
  }
  if (s.edge == "rmw") {
    return r.x->rmw(s.from, s.to);
  }
  if (s.edge == "rmw⁻¹") {
    return r.x->rmw(s.to, s.from);
  }
  if (s.edge == "data") {
    return r.x->data(s.from, s.to);
  }
  if (s.edge == "addr") {
    return r.x->addr(s.from, s.to);
  }
  if (s.edge == "ctrl") {
    return r.x->ctrl(s.from, s.to);
  }
  if (s.edge == "bar") { // to the wait itself, or to what stands behind it
    return r.barrier(s.from, s.to) || r.barrier.then(r.x->po)(s.from, s.to);
  }
  if (s.edge == "sync") {
    return r.pattern(s.from, s.to);
  }
  if (s.edge == "cause") {
    return r.cause(s.from, s.to);
  }
  return false;
}

std::string
problem_of_chain(const relations& r, const std::vector<step>& chain, event_id from, event_id to) {
  event_id at = from;
  for (const step& s : chain) {
    if (s.from != at) {
      return fmt::format("a step starts at {} and the one before ends at {}", s.from, at);
    }
    if (!holds(r, s)) {
      return fmt::format("there is no {} from {} to {}", s.edge, s.from, s.to);
    }
    const bool derived = s.edge == "sync" || s.edge == "cause";
    // An operation may be a pattern by itself; then reads-from alone makes the synchronization.
    if (derived && s.through.empty()) {
      return fmt::format("{} from {} to {} does not say what makes it", s.edge, s.from, s.to);
    }
    if (!s.through.empty()) {
      if (std::string inner = problem_of_chain(r, s.through, s.from, s.to); !inner.empty()) {
        return inner;
      }
    }
    at = s.to;
  }
  return at == to ? "" : fmt::format("the chain ends at {} instead of {}", at, to);
}

} // namespace

std::string problem_of_cycle(const relations& r, const std::vector<step>& cycle) {
  if (cycle.empty()) {
    return "there is no cycle";
  }
  return problem_of_chain(r, cycle, cycle.front().from, cycle.front().from);
}

std::string text_of(const std::vector<step>& chain) {
  if (chain.empty()) {
    return "";
  }
  std::string out = fmt::format("{}", chain.front().from);
  for (const step& s : chain) {
    out += fmt::format(" -{}-> {}", s.edge, s.to);
    if (!s.through.empty()) {
      out += fmt::format(" [{}]", text_of(s.through));
    }
  }
  return out;
}

} // namespace tilesim::memmodel
