// The race detector on accesses of many sizes, from a byte to several pages, where its cells hold
// many elements: held against a table of every access to every byte.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/detector.hpp"
#include "sim/ops/rng.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim::detect;
using tilesim::sim::rng;

namespace {

constexpr std::uintptr_t base = 0x7000'0000'0000;
constexpr std::size_t region = 4 * 4096;

struct access {
  std::uint32_t agent;
  access_kind kind;
  std::uint32_t bytes;
  bool known; ///< to be consecutive
  std::vector<std::uintptr_t> addresses;
  std::vector<std::uint8_t> mask; ///< empty: all
  std::vector<row> rows{};        ///< the same once more, or empty
};

struct program {
  std::vector<std::uint32_t> task_of;    ///< by agent
  std::vector<std::vector<bool>> before; ///< of tasks, transitive
  std::vector<access> accesses;
};

/// Elements one behind the other that begin and end at multiples of some power of two.
void draw_range(rng& r, access& a) {
  const std::size_t unit = std::size_t{1} << (2 + r.below(11));
  const std::size_t begin = r.below(region / unit) * unit + (r.below(4) == 0 ? a.bytes : 0);
  const std::size_t size =
      std::min(region - begin, std::max<std::size_t>(a.bytes, unit * (1 + r.below(3))));
  for (std::size_t at = 0; at + a.bytes <= size; at += a.bytes) {
    a.addresses.push_back(base + begin + at);
  }
  a.known = r.below(2) == 0;
}

void draw_scatter(rng& r, access& a) {
  for (std::size_t i = 0, n = 1 + r.below(40); i < n; ++i) {
    a.addresses.push_back(base + (r.below(region / a.bytes) * a.bytes));
    a.mask.push_back(r.below(4) == 0 ? 0 : 1);
  }
  if (r.below(2) == 0) {
    a.mask.clear();
  }
}

/// Rows of a matrix, as a tile of a view: told as rows, or as elements of which some may be left
/// out.
void draw_rows(rng& r, access& a) {
  const std::size_t length = 1 + r.below(70);
  const std::size_t pitch = (length + (r.below(3) == 0 ? 0 : r.below(300))) * a.bytes;
  std::uintptr_t begin = base + (r.below(region / a.bytes) * a.bytes);
  for (std::size_t n = 1 + r.below(6); n > 0 && begin + (length * a.bytes) <= base + region;
       --n, begin += pitch) {
    a.rows.push_back({begin,
                      static_cast<std::uint32_t>(a.addresses.size()),
                      static_cast<std::uint32_t>(length)});
    for (std::size_t i = 0; i < length; ++i) {
      a.addresses.push_back(begin + (i * a.bytes));
    }
  }
  if (r.below(2) == 0) {
    a.rows.clear();
    for (std::size_t i = 0; i < a.addresses.size(); ++i) {
      a.mask.push_back(r.below(30) == 0 ? 0 : 1);
    }
  }
}

program draw(rng& r) {
  program p;
  const auto tasks = static_cast<std::uint32_t>(1 + r.below(3));
  p.before.assign(tasks, std::vector<bool>(tasks));
  for (std::uint32_t t = 0; t < tasks; ++t) {
    for (std::uint32_t n = 0, agents = static_cast<std::uint32_t>(1 + r.below(3)); n < agents;
         ++n) {
      p.task_of.push_back(t);
    }
    for (std::uint32_t u = 0; u < t; ++u) {
      p.before[u][t] = r.below(2) == 0;
    }
  }
  if (tasks == 3 && p.before[0][1] && p.before[1][2]) {
    p.before[0][2] = true;
  }
  for (std::uint32_t t = 0; t < tasks; ++t) { // what is ordered by tasks happens in this order
    for (std::size_t i = 0, n = 1 + r.below(5); i < n; ++i) {
      access a{};
      do {
        a.agent = static_cast<std::uint32_t>(r.below(p.task_of.size()));
      } while (p.task_of[a.agent] != t);
      a.kind = r.below(2) == 0 ? access_kind::read : access_kind::write;
      a.bytes = std::uint32_t{1} << r.below(4);
      if (const auto shape = r.below(4); shape == 0) {
        draw_scatter(r, a);
      } else if (shape == 1) {
        draw_rows(r, a);
      } else {
        draw_range(r, a);
        if (r.below(4) == 0) { // as a copy or a fill: one element
          a.bytes *= static_cast<std::uint32_t>(a.addresses.size());
          a.addresses.resize(1);
        }
      }
      if (!a.addresses.empty()) {
        p.accesses.push_back(std::move(a));
      }
    }
  }
  return p;
}

struct toucher {
  std::size_t access;
  std::uint32_t element;
};

bool ordered(const program& p, std::size_t i, std::size_t j) {
  const std::uint32_t a = p.accesses[i].agent;
  const std::uint32_t b = p.accesses[j].agent;
  return i != j && (a == b || p.before[p.task_of[a]][p.task_of[b]]);
}

/// Whether two accesses to one byte race, i before j in the execution.
bool races(const program& p, toucher i, toucher j) {
  const bool writes = p.accesses[i.access].kind == access_kind::write ||
                      p.accesses[j.access].kind == access_kind::write;
  const bool same = i.access == j.access && i.element == j.element;
  return writes && !same && !ordered(p, i.access, j.access);
}

using touched = std::vector<std::vector<toucher>>; ///< by byte

touched table(const program& p) {
  touched t(region);
  for (std::size_t n = 0; n < p.accesses.size(); ++n) {
    const access& a = p.accesses[n];
    for (std::size_t e = 0; e < a.addresses.size(); ++e) {
      for (std::uint32_t b = 0; (a.mask.empty() || a.mask[e] != 0) && b < a.bytes; ++b) {
        t[a.addresses[e] - base + b].push_back({n, static_cast<std::uint32_t>(e)});
      }
    }
  }
  return t;
}

std::set<std::size_t> racy_bytes(const program& p, const touched& t) {
  std::set<std::size_t> out;
  for (std::size_t byte = 0; byte < region; ++byte) {
    for (const toucher& i : t[byte]) {
      for (const toucher& j : t[byte]) {
        if (i.access <= j.access && races(p, i, j)) {
          out.insert(byte);
        }
      }
    }
  }
  return out;
}

struct found {
  std::vector<race> races;
  std::map<operation_id, std::size_t> access_of;
};

found detect(const program& p) {
  detector d;
  found out;
  d.on_race = [&](const race& r) { out.races.push_back(r); };
  std::vector<agent_id> number;
  const auto tasks = static_cast<std::uint32_t>(p.before.size());
  for (std::uint32_t t = 0; t < tasks; ++t) {
    task_order order{t, 1, std::vector<std::uint32_t>(tasks, 0)};
    for (std::uint32_t u = 0; u < tasks; ++u) {
      order.before[u] = p.before[u][t] ? 1 : 0;
    }
    const auto agents = std::count(p.task_of.begin(), p.task_of.end(), t);
    agent_id next = d.begin_task(order, static_cast<std::uint64_t>(agents));
    for (std::ptrdiff_t a = 0; a < agents; ++a) {
      number.push_back(next++);
    }
  }
  for (std::size_t n = 0; n < p.accesses.size(); ++n) {
    const access& a = p.accesses[n];
    const operation o{.agent = number[a.agent],
                      .kind = a.kind,
                      .bytes = a.bytes,
                      .count = a.addresses.size(),
                      .addresses = a.rows.empty() ? a.addresses.data() : nullptr,
                      .mask = a.mask.empty() ? nullptr : a.mask.data(),
                      .consecutive = a.known,
                      .rows = a.rows};
    out.access_of[d.perform(o)] = n;
  }
  std::set<std::pair<bool, std::uintptr_t>> told;
  for (const race& r : out.races) {
    for (std::uint32_t b = 0; b < r.bytes; ++b) {
      // Each byte once as a duplicate, and once as a race of two accesses.
      CHECK(told.insert({r.kind == race_kind::duplicate, r.address + b}).second);
    }
  }
  return out;
}

bool touches(const touched& t, std::size_t byte, toucher x) {
  return std::any_of(t[byte].begin(), t[byte].end(), [&](const toucher& y) {
    return x.access == y.access && x.element == y.element;
  });
}

/// Of a reader that is one of several concurrent ones the element is not kept.
std::vector<toucher>
sides(const touched& t, std::size_t byte, std::size_t access, const race_side& s) {
  std::vector<toucher> out;
  for (const toucher& x : t[byte]) {
    if (x.access == access && (!s.element_known || x.element == s.element)) {
      out.push_back(x);
    }
  }
  return out;
}

} // namespace

TEST_CASE("the detector finds exactly the racy bytes of ranges and scatters") {
  rng r(7);
  std::size_t racy = 0;
  std::size_t clean = 0;
  for (int n = 0; n < 2500; ++n) {
    const program p = draw(r);
    const touched t = table(p);
    const std::set<std::size_t> expected = racy_bytes(p, t);
    const found f = detect(p);
    std::set<std::size_t> bytes;
    for (const race& x : f.races) {
      const std::size_t earlier = f.access_of.at(x.earlier.operation);
      const std::size_t later = f.access_of.at(x.later.operation);
      for (std::size_t byte = x.address - base; byte < x.address - base + x.bytes; ++byte) {
        CAPTURE(n, byte, earlier, later, x.earlier.element, x.later.element);
        bytes.insert(byte);
        CHECK(x.later.element_known);
        CHECK(touches(t, byte, {later, x.later.element}));
        const auto others = sides(t, byte, earlier, x.earlier);
        CHECK(std::any_of(others.begin(), others.end(), [&](const toucher& i) {
          return races(p, i, {later, x.later.element});
        }));
      }
    }
    CAPTURE(n);
    REQUIRE(bytes == expected);
    (expected.empty() ? clean : racy) += 1;
  }
  CHECK(racy > 300);
  CHECK(clean > 300);
}

TEST_CASE("elements of one store that meet hide no race with another block, nor are they hidden") {
  using kinds = std::multiset<race_kind>;
  const std::uintptr_t twice[] = {base, base};
  const std::uintptr_t once[] = {base};
  const auto run = [&](const auto& body) {
    detector d;
    kinds told;
    d.on_race = [&](const race& r) { told.insert(r.kind); };
    const agent_id first = d.begin_task({0, 1, {0}}, 3);
    const auto access = [&](agent_id block, access_kind kind, std::span<const std::uintptr_t> at) {
      d.perform({.agent = first + block,
                 .kind = kind,
                 .bytes = 4,
                 .count = at.size(),
                 .addresses = at.data()});
    };
    body(access);
    return told;
  };
  constexpr auto read = access_kind::read;
  constexpr auto write = access_kind::write;
  const kinds both = {race_kind::duplicate, race_kind::weak};
  CHECK(run([&](auto access) { access(0, write, twice), access(1, write, once); }) == both);
  CHECK(run([&](auto access) { access(0, write, twice), access(1, read, once); }) == both);
  CHECK(run([&](auto access) { access(0, write, once), access(1, write, twice); }) == both);
  CHECK(run([&](auto access) { access(0, read, once), access(1, write, twice); }) == both);
  CHECK(run([&](auto access) {
          for (const agent_id block : {0U, 1U, 2U}) {
            access(block, read, twice), access(block, write, twice);
          }
        }) == both);
  CHECK(run([&](auto access) { access(0, write, twice), access(0, write, twice); }) ==
        kinds{race_kind::duplicate});
  CHECK(run([&](auto access) { access(0, write, once), access(1, write, once); }) ==
        kinds{race_kind::weak});
}

TEST_CASE("a vector that is processed tile by tile needs a cell for each tile") {
  detector d;
  constexpr std::size_t count = 256;
  std::vector<std::uintptr_t> addresses(count);
  const agent_id first = d.begin_task({0, 1, {0}}, 64);
  for (std::uint32_t block = 0; block < 64; ++block) {
    for (std::size_t i = 0; i < count; ++i) {
      addresses[i] = base + (4 * (block * count + i));
    }
    d.perform({.agent = first + block,
               .kind = access_kind::write,
               .bytes = 4,
               .count = count,
               .addresses = addresses.data()});
  }
  CHECK(d.used().covered == 64 * count * 4);
  CHECK(d.used().shadow < 64 * 64);
  CHECK(d.used().accesses == 64 * count);
}

TEST_CASE("shadow memory takes at most 16 bytes for an element of 4") {
  detector d;
  constexpr std::size_t count = 4096;
  std::vector<std::uintptr_t> addresses;
  for (std::size_t i = 0; i < count; ++i) {
    addresses.push_back(base + (4 * ((i * 1021) % count)));
  }
  const agent_id first = d.begin_task({0, 1, {0}}, 1);
  d.perform({.agent = first,
             .kind = access_kind::write,
             .bytes = 4,
             .count = count,
             .addresses = addresses.data()});
  CHECK(d.used().covered == count * 4);
  CHECK(d.used().shadow == count * 16);
  CHECK(d.used().tables <= 4 * 64);
}

// [PTX: causality order] What a thread does from one place is kept as one operation only as far as
// everybody else is ordered with all of it alike.
TEST_CASE("what a thread does from one place is one operation up to its next fence or turn") {
  struct told {
    std::uintptr_t address;
    std::uint32_t element;
    bool operator==(const told&) const = default;
  };
  constexpr auto read = access_kind::read;
  constexpr auto write = access_kind::write;
  constexpr std::uintptr_t flag = base + 4096;
  const int places[2] = {};
  detector d;
  std::vector<told> races;
  d.on_race = [&](const race& r) { races.push_back({r.address, r.earlier.element}); };
  const agent_id first = d.begin_task({0, 1, {0}}, 1, 3, task_kind::simt);
  const auto access = [&](agent_id thread, access_kind kind, std::uintptr_t at, int place = 0) {
    return d.perform({.agent = first + thread,
                      .site = &places[place],
                      .kind = kind,
                      .bytes = 4,
                      .count = 1,
                      .addresses = &at});
  };
  const auto strong = [&](agent_id thread, access_kind kind) {
    d.perform({.agent = first + thread,
               .site = &places[1],
               .kind = kind,
               .order = memory_order::relaxed,
               .scope = scope::gpu,
               .bytes = 4,
               .count = 1,
               .addresses = &flag});
  };
  const auto loop = access(0, write, base);
  CHECK(access(0, write, base + 8) == loop);
  CHECK(access(0, write, base) == loop); // the same element again: no race with itself
  CHECK(access(0, read, base) != loop);
  CHECK(access(0, write, base, 1) != loop);
  d.fence(first, memory_order::release, scope::gpu, nullptr);
  CHECK(access(0, write, base + 16) != loop); // the fence does not order it
  strong(0, write);
  CHECK(races.empty());

  strong(1, read);
  d.fence(first + 1, memory_order::acquire, scope::gpu, nullptr);
  access(1, read, base);
  access(1, read, base + 8);
  CHECK(races.empty());
  access(1, read, base + 16);
  CHECK(races == std::vector<told>{{base + 16, 0}});

  races.clear();
  access(2, write, base + 8);
  CHECK(races == std::vector<told>{{base + 8, 0}});
  CHECK(d.used().operations == 12);
}
