// An execution to be drawn.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/picture.hpp"

#include "sim/contract/exploration_report.hpp"
#include "sim/core/context.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/memory/orders.hpp"
#include "sim/naming/address_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace tilesim::sim::exploring {

namespace {

using memmodel::event_id;
using memmodel::graph;
using memmodel::graph_event;

/// As a signed number of its size.
std::string number_text(std::uint64_t value, std::uint32_t bytes) {
  const unsigned unused = 64 - (8 * bytes);
  return fmt::format("{}", static_cast<std::int64_t>(value << unused) >> unused);
}

class drawer {
public:
  drawer(context& c, const graph& g, const std::vector<thread_way>& ways)
      : context_(c)
      , g_(g)
      , ways_(ways)
      , box_of_(g.size()) {}

  nlohmann::json draw(const std::vector<std::string>& names) {
    nlohmann::json events = nlohmann::json::array();
    for (memmodel::thread_id t = 0; t < ways_.size(); ++t) {
      std::vector<event_id> own(g_.of_thread(t).begin(), g_.of_thread(t).end());
      std::ranges::sort(own, {}, [&](event_id e) { return std::pair(g_[e].tag, e); });
      for (const event_id e : own) {
        const bool second = g_[e].what.is_write() && g_[e].half < e;
        box_of_[e] = second ? box_of_[g_[e].half] : events.size();
        if (!second) {
          events.push_back({{in_picture::thread, t}, {in_picture::text, text_of(e)}});
        }
      }
    }
    for (event_id e = 0; e < g_.size(); ++e) {
      if (g_[e].what.is_read()) {
        reads(e);
      } else if (g_[e].what.is_write()) {
        for (const event_id w : next_after(g_[e].place, e)) {
          relate(e, w, in_picture::coherence);
        }
      }
    }
    nlohmann::json edges = nlohmann::json::array();
    for (const auto& [from, to, kind] : edges_) {
      edges.push_back(nlohmann::json::array({from, to, kind}));
    }
    return {{in_picture::threads, names},
            {in_picture::events, std::move(events)},
            {in_picture::edges, std::move(edges)}};
  }

private:
  [[nodiscard]] std::string text_of(event_id e) const {
    const graph_event& it = g_[e];
    const step& s = *ways_[it.what.thread].steps[it.tag >> 32U];
    const std::string site = place(s.site);
    const auto kind = [&](const std::string& what) {
      const memmodel::memory_order o = s.what->kind == step_kind::update
                                           ? stronger(s.what->order, s.what->write_order)
                                           : s.what->order;
      return o == memmodel::memory_order::weak
                 ? "weak " + what
                 : fmt::format("{} {}, {} scope", name(o), what, name(it.what.scope));
    };
    if (!it.what.is_memory()) {
      return fmt::format("{}\n{}", kind("fence"), site);
    }
    const std::string where = describe_element(context_, it.what.bytes.address);
    const std::uint32_t bytes = it.what.bytes.size;
    const std::string value = number_text(it.what.value, bytes);
    if (s.what->kind == step_kind::update) {
      return fmt::format("{}\n{}: {}{}\n{}",
                         kind("update"),
                         where,
                         value,
                         it.half < memmodel::initial_write
                             ? " -> " + number_text(g_[it.half].what.value, bytes)
                             : ", nothing written",
                         site);
    }
    return it.what.is_read() ? fmt::format("{}\n{} is {}\n{}", kind("load"), where, value, site)
                             : fmt::format("{}\n{} = {}\n{}", kind("store"), where, value, site);
  }

  void relate(event_id from, event_id to, const char* kind) {
    if (box_of_[from] != box_of_[to]) {
      edges_.insert({box_of_[from], box_of_[to], kind});
    }
  }

  /// The writes that come directly behind one, or behind what was there before all.
  [[nodiscard]] std::vector<event_id> next_after(memmodel::place_number p, event_id w) const {
    const auto behind = [&](event_id a, event_id b) {
      return a >= memmodel::initial_write || graph::has(g_.coherence_past(b), a);
    };
    std::vector<event_id> out;
    for (const event_id x : g_.of_place(p)) {
      const bool next =
          g_[x].what.is_write() && x != w && behind(w, x) &&
          std::ranges::none_of(g_.of_place(p), [&](event_id y) {
            return g_[y].what.is_write() && y != w && y != x && behind(w, y) && behind(y, x);
          });
      if (next) {
        out.push_back(x);
      }
    }
    return out;
  }

  void reads(event_id r) {
    const event_id from = g_[r].source[0];
    if (from < memmodel::initial_write) {
      relate(from, r, in_picture::reads_from);
    }
    for (const event_id w : next_after(g_[r].place, from)) {
      if (g_[r].half != w) {
        relate(r, w, in_picture::from_reads);
      }
    }
  }

  context& context_;
  const graph& g_;
  const std::vector<thread_way>& ways_;
  std::vector<std::size_t> box_of_;
  std::set<std::tuple<std::size_t, std::size_t, std::string>> edges_;
};

} // namespace

nlohmann::json picture_of(context& c,
                          const graph& g,
                          const std::vector<thread_way>& ways,
                          const std::vector<std::string>& names) {
  return drawer(c, g, ways).draw(names);
}

} // namespace tilesim::sim::exploring
