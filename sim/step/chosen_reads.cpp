// What a person has chosen for strong reads.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/chosen_reads.hpp"

#include "sim/contract/schedule_string.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/memory/engine.hpp"
#include "sim/step/requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::sim::step {

void chosen_reads::set(const std::vector<protocol::choice>& all) {
  all_ = all;
  std::vector<chosen_read> told;
  told.reserve(all.size());
  for (const protocol::choice& c : all) {
    told.push_back({.launch = c.launch, .thread = c.thread, .number = c.read, .back = c.back});
  }
  run_.in.exec->memory().choose(told);
}

std::vector<offered_read> chosen_reads::coming(sim_thread& t, std::string& none) const {
  memory_engine& memory = run_.in.exec->memory();
  if (!memory.lets_choose()) {
    none = "reads take the newest write here: begin with --model ptx to choose others";
  } else if (t.next_read == nullptr) {
    none = "what comes next is no strong read: weak reads take the newest write";
  } else if (t.next_read->updates) {
    none = "what comes next reads and writes in one: it takes the newest write";
  } else if (run_.in.exec->desk().ruling != nullptr) {
    none = "while it is looked at whether blocks wait for ever, reads take the newest write";
  } else {
    auto reads = memory.offers(t, *t.next_read);
    if (reads.empty()) {
      none = "what comes next reads no element, or more than 8 bytes in one: nothing can be chosen";
    }
    return reads;
  }
  return {};
}

std::vector<protocol::choice>
chosen_reads::choose(sim_thread& t, std::uint64_t back, std::optional<std::size_t> element) {
  std::string none;
  const auto reads = coming(t, none);
  if (!none.empty()) {
    refuse(none);
  }
  std::vector<protocol::choice> made;
  std::size_t most = 0; // writes that one may take
  for (const offered_read& r : reads) {
    if (element && r.element != *element) {
      continue;
    }
    most = std::max(most, r.writes.size());
    if (back < r.writes.size()) {
      made.push_back({.at = run_.begun,
                      .launch = r.launch,
                      .thread = r.thread,
                      .read = r.number,
                      .back = back});
    }
  }
  if (most == 0) {
    refuse(fmt::format("this operation reads no element {}", *element));
  }
  if (made.empty()) {
    refuse(most == 1 ? std::string("the newest write is the only one that may be taken here: "
                                   "choose 0")
                     : fmt::format("there is no write {}: they are numbered from 0, the newest, to "
                                   "{}",
                                   back,
                                   most - 1));
  }
  auto all = all_;
  for (const protocol::choice& c : made) {
    std::erase_if(all, [&c](const protocol::choice& old) {
      return old.launch == c.launch && old.thread == c.thread && old.read == c.read;
    });
    all.push_back(c);
  }
  set(all);
  return made;
}

std::string chosen_reads::stale(sim_thread* about_to_read) const {
  auto reads = parse_stale_choices(run_.in.exec->memory().stale_reads())
                   .value_or(std::vector<stale_choice>{});
  if (about_to_read != nullptr) {
    std::string none;
    for (const offered_read& r : coming(*about_to_read, none)) {
      if (r.takes != 0) {
        reads.push_back(
            {.launch = r.launch, .thread = r.thread, .read = r.number, .back = r.takes});
      }
    }
  }
  return to_string(reads);
}

} // namespace tilesim::sim::step
