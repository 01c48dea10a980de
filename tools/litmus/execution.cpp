// Names, labels and edges of an execution.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/execution.hpp"

#include "memmodel/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tilesim::tools {

using namespace memmodel;
using namespace memmodel::litmus;

namespace {

/// With PTX's dot; nothing for what is weak.
std::string order_text(memory_order o) {
  return o == memory_order::weak ? "" : fmt::format(".{}", ptx_word(o));
}

/// a … z, a1 … z1, a2 …
std::string letter(std::size_t i) {
  const auto round = i / 26;
  return fmt::format(
      "{}{}", static_cast<char>('a' + i % 26), round == 0 ? "" : fmt::to_string(round));
}

const location* location_at(const test& t, const byte_range& r) {
  for (const location& l : t.locations) {
    if (r.address >= l.address && r.end() <= l.address + l.type.size * l.initial.size()) {
      return &l;
    }
  }
  return nullptr;
}

/// "x", "data[2]", or bytes of them: "x+2 (2 bytes)".
std::string place_of(const test& t, const byte_range& r) {
  const location* l = location_at(t, r);
  if (l == nullptr) {
    return fmt::format("address {}", r.address);
  }
  const auto offset = r.address - l->address;
  if (r.size == l->type.size && offset % l->type.size == 0) {
    return l->array ? fmt::format("{}[{}]", l->name, offset / l->type.size) : l->name;
  }
  return fmt::format("{}+{} ({} bytes)", l->name, offset, r.size);
}

value shown_value(const test& t, const event& e) {
  const location* l = location_at(t, e.bytes);
  const bool is_signed = l != nullptr && l->type.is_signed;
  return narrow(static_cast<value>(e.value), {e.bytes.size, is_signed});
}

/// Builds a view.
class viewer {
public:
  viewer(const test& t, const shown_execution& x, bool tile)
      : test_(t)
      , shown_(x)
      , x_(x.what)
      , r_(x.what) {
    r_.add_reads();
    r_.add_fences();
    r_.add_coherence();
    out_.test = &t;
    out_.shown = &x;
    out_.tile = tile;
  }

  execution_view view() {
    name_events();
    for (event_id e = 0; e < x_.events.size(); ++e) {
      if (x_.events[e].is_read()) {
        out_.events[e].reads_from = sources(e);
      }
    }
    add("rf", x_.rf);
    add("co", immediate(r_.co & r_.writes));
    add("fr", immediate_from_reads());
    add("sync", r_.pattern);
    add("sc", immediate(x_.sc));
    add("bar", r_.barrier);
    const relation raced = races(r_);
    raced.for_each([&](event_id a, event_id b) {
      if (a < b) {
        out_.edges.push_back({a, b, "race"});
      }
    });
    find_coherence();
    return std::move(out_);
  }

private:
  void name_events() {
    std::size_t named = 0;
    for (event_id id = 0; id < x_.events.size(); ++id) {
      const event& e = x_.events[id];
      event_view v;
      if (e.is_memory()) {
        v.place = place_of(test_, e.bytes);
        v.value = shown_value(test_, e);
      }
      if (e.initial()) {
        v.name = "init";
        v.source = fmt::format("{}={}", v.place, v.value);
        v.label = v.source;
      } else {
        const instruction& i = test_.threads[e.thread].code[shown_.code[id]];
        v.name = letter(named++);
        v.source = i.text;
        v.at = i.at;
        v.label = label(e, v);
      }
      out_.events.push_back(std::move(v));
    }
  }

  [[nodiscard]] std::string label(const event& e, const event_view& v) const {
    const std::string scoped =
        e.strong() ? fmt::format("{}{}", order_text(e.order), scope_text(e.scope, out_.tile)) : "";
    switch (e.kind) {
    case event_kind::read:
      return fmt::format("R{} {}={}", scoped, v.place, v.value);
    case event_kind::write:
      return fmt::format("W{} {}={}", scoped, v.place, v.value);
    case event_kind::fence:
      return fmt::format("F{}", scoped);
    case event_kind::barrier:
      break;
    }
    const std::string_view what = e.waits ? "B.sync" : "B.arrive";
    if (e.instance == 0) {
      return fmt::format("{}{}", what, e.waits ? ", waits for ever" : ", never complete");
    }
    return fmt::format("{} #{}{}", what, e.instance, e.late ? ", late" : "");
  }

  [[nodiscard]] std::string source_name(event_id w) const {
    return w == no_event ? "?" : out_.events[w].name;
  }

  [[nodiscard]] std::string sources(event_id read) const {
    const std::uint32_t size = x_.events[read].bytes.size;
    const auto& from = x_.source[read];
    std::string out;
    for (std::uint32_t begin = 0, end = 0; begin < size; begin = end) {
      while (end < size && source_name(from[end]) == source_name(from[begin])) {
        ++end;
      }
      if (begin == 0 && end == size) {
        return source_name(from[0]);
      }
      out += fmt::format("{}{} ({} to {})",
                         begin == 0 ? "bytes from " : ", ",
                         source_name(from[begin]),
                         begin,
                         end - 1);
    }
    return out;
  }

  void add(std::string_view kind, const relation& pairs) {
    pairs.for_each([&](event_id a, event_id b) { out_.edges.push_back({a, b, kind}); });
  }

  /// Without the pairs that others make up.
  [[nodiscard]] static relation immediate(const relation& r) {
    const relation longer = r.then(r);
    // On a cycle each pair would be made up of others: then nothing is left out.
    return r.closure().reflexive_point() ? r : r - longer;
  }

  [[nodiscard]] relation immediate_from_reads() const { return r_.fr - r_.fr.then(r_.co); }

  void find_coherence() {
    for (const location& l : test_.locations) {
      for (std::size_t i = 0; i < l.initial.size(); ++i) {
        add_coherence({l.address + i * l.type.size, l.type.size});
      }
    }
  }

  void add_coherence(const byte_range& range) {
    std::vector<event_id> writes;
    for (event_id w = 0; w < x_.events.size(); ++w) {
      if (x_.events[w].is_write() && overlap(x_.events[w].bytes, range)) {
        writes.push_back(w);
      }
    }
    if (writes.size() < 2) {
      return;
    }
    coherence_view c;
    c.place = place_of(test_, range);
    for (const event_id a : writes) {
      for (const event_id b : writes) {
        c.total &= a == b || r_.co(a, b) != r_.co(b, a);
      }
    }
    if (c.total) {
      std::ranges::stable_sort(writes, [&](event_id a, event_id b) { return r_.co(a, b); });
      c.order = std::move(writes);
    } else {
      const relation steps = immediate(r_.co & r_.writes);
      for (const event_id a : writes) {
        for (const event_id b : writes) {
          if (steps(a, b)) {
            c.edges.push_back({a, b, "co"});
          }
        }
      }
    }
    out_.coherence.push_back(std::move(c));
  }

  const test& test_;
  const shown_execution& shown_;
  const execution& x_;
  relations r_;
  execution_view out_;
};

} // namespace

std::vector<event_id> execution_view::of_thread(thread_id p) const {
  std::vector<event_id> out;
  for (event_id e = 0; e < shown->what.events.size(); ++e) {
    if (shown->what.events[e].thread == p) {
      out.push_back(e);
    }
  }
  return out;
}

execution_view view_of(const test& t, const shown_execution& x, bool tile) {
  return viewer(t, x, tile).view();
}

std::string scope_text(scope s, bool tile) {
  return fmt::format(".{}", tile ? cpp_word(s) : ptx_word(s));
}

std::string place_text(const place& p, bool tile) {
  if (p.gpu == place::host) {
    return "host";
  }
  if (tile) {
    return fmt::format("block {}, device {}", p.cta, p.gpu);
  }
  // The reader gives a block outside all clusters a negative one of its own.
  const std::string cluster = p.cluster >= 0 ? fmt::format("cluster {}, ", p.cluster) : "";
  return fmt::format("cta {}, {}gpu {}", p.cta, cluster, p.gpu);
}

std::string meaning(std::string_view edge, const std::string& from, const std::string& to) {
  // clang-format off
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> meanings{{
      {"po",     "{0} is before {1} in program order"},
      {"rf",     "{1} reads what {0} wrote"},
      {"co",     "{0} is before {1} in coherence order"},
      {"fr",     "{1} overwrites what {0} read"},
      {"sync",   "{0} synchronizes with {1}"},
      {"sc",     "{0} is before {1} in the order of fences"},
      {"bar",    "{0} arrives at the barrier where {1} waits"},
      {"rmw",    "{0} and {1} are the halves of one atomic"},
      {"rmw⁻¹",  "{0} and {1} are the halves of one atomic"},
      {"data",   "what {1} writes is computed from what {0} read"},
      {"addr",   "where {1} goes depends on what {0} read"},
      {"ctrl",   "whether {1} takes place depends on what {0} read"},
  }};
  // clang-format on
  for (const auto& [name, text] : meanings) {
    if (name == edge) {
      return fmt::format(fmt::runtime(text), from, to);
    }
  }
  return fmt::format("{} is before {} in causality order", from, to);
}

std::vector<std::string> stuck_threads(const test& t, const shown_execution& x) {
  std::vector<std::string> out;
  for (thread_id p = 0; p < t.threads.size(); ++p) {
    const event* last = nullptr;
    std::uint32_t code = 0;
    for (event_id e = 0; e < x.what.events.size(); ++e) {
      if (x.what.events[e].thread == p) {
        last = &x.what.events[e];
        code = x.code[e];
      }
    }
    if (last == nullptr || x.ends[p] == trace_end::finished) {
      continue;
    }
    const instruction& i = t.threads[p].code[code];
    out.push_back(fmt::format("{} {} '{}' (line {})",
                              t.threads[p].name,
                              x.ends[p] == trace_end::waiting ? "waits at" : "spins on",
                              i.text,
                              i.at.line));
  }
  return out;
}

} // namespace tilesim::tools
