// What strong reads may be given, against the memory model: on random small programs' executions
// the writes that the detector offers are those with which the model finds the execution
// consistent, and the races of what was chosen are the model's.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/model.hpp"
#include "random_execution.hpp"
#include "sim/detect/detector.hpp"
#include "sim/ops/rng.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace {

using namespace tilesim;
using namespace tilesim::random_executions;
using sim::detect::newest_write;
using sim::detect::write_name;

/// The name of the axiom that an execution breaks; empty: it is consistent.
std::string broken(const modelled& m) {
  memmodel::relations r(m.what);
  r.add_reads();
  r.add_fences();
  r.add_coherence();
  const auto at = memmodel::first_broken(memmodel::ptx(), r);
  return at ? std::string(at->which->name) : std::string{};
}

std::string text(const program& p, const given_writes& given) {
  std::string out = random_executions::text(p);
  for (const auto& [read, writes] : given) {
    const side& write = writes.front();
    out += "step " + std::to_string(read.step) + " element " + std::to_string(read.element) +
           " reads " +
           (write.step == before ? "what was there before"
                                 : "step " + std::to_string(write.step) + " element " +
                                       std::to_string(write.element)) +
           "\n";
  }
  return out;
}

/// An execution whose strong reads take what the detector offers.
class sampled {
public:
  sampled(const program& p, sim::rng& draw, bool exact)
      : program_(p)
      , draw_(draw)
      , exact_(exact)
      , tokens_(detector_, p) {
    detector_.keep_writes(true);
    agents_ = begin(detector_, p);
    detector_.on_race = [this](const sim::detect::race& r) { races_.push_back(r); };
    for (std::size_t i = 0; i < p.steps.size(); ++i) {
      perform(i);
    }
  }

  [[nodiscard]] const given_writes& given() const { return given_; }
  [[nodiscard]] std::size_t stale() const { return stale_; }
  /// Sequentially consistent fences behind which something can be chosen still, and those that hid
  /// something.
  [[nodiscard]] std::size_t fences() const { return fences_; }
  [[nodiscard]] std::size_t hidden_by_fences() const { return hidden_by_fences_; }
  /// Of what hides writes: 1 a write, 2 a read.
  [[nodiscard]] unsigned causes() const { return causes_; }
  [[nodiscard]] racy_bytes racy() const {
    racy_bytes bytes;
    for (const auto& r : races_) {
      for (std::uint32_t b = 0; b < r.bytes; ++b) {
        bytes.insert(static_cast<std::uint32_t>(r.address - base) + b);
      }
    }
    return bytes;
  }
  /// Pairs of racing elements, as far as they are known.
  [[nodiscard]] std::vector<std::tuple<std::uint32_t, side, side>> pairs() const {
    std::vector<std::tuple<std::uint32_t, side, side>> all;
    for (const auto& r : races_) {
      if (r.earlier.element_known) {
        all.emplace_back(static_cast<std::uint32_t>(r.address - base),
                         side{steps_.at(r.earlier.operation), r.earlier.element},
                         side{steps_.at(r.later.operation), r.later.element});
      }
    }
    return all;
  }

private:
  void perform(std::size_t i) {
    const step& s = program_.steps[i];
    if (s.fence) {
      const auto expected = s.order == memory_order::sc ? behind_fence(s) : offers_by_place{};
      detector_.fence(agents_[s.agent], s.order, s.scope);
      if (s.order == memory_order::sc) {
        CHECK(offers_of(s.agent) == expected);
        fences_ += expected.empty() ? 0U : 1U;
      }
      return;
    }
    std::vector<std::uintptr_t> addresses;
    std::vector<std::uint8_t> mask;
    std::vector<write_name> sources;
    const bool chooses = s.order != memory_order::weak && s.kind == access_kind::read;
    for (std::size_t k = 0; k < s.elements.size(); ++k) {
      addresses.push_back(base + s.elements[k].offset);
      mask.push_back(s.elements[k].active ? 1 : 0);
      sources.push_back(chooses && s.elements[k].active ? chosen(i, k) : newest_write);
    }
    if (std::ranges::count(mask, 1) == 0) {
      tokens_.performed(i, std::nullopt);
      return;
    }
    steps_[detector_.next()] = i;
    sim::detect::operation o{.agent = agents_[s.agent],
                             .kind = s.kind,
                             .order = s.order,
                             .scope = s.scope,
                             .bytes = s.bytes,
                             .count = addresses.size(),
                             .addresses = addresses.data(),
                             .mask = mask.data(),
                             .sources = chooses ? sources.data() : nullptr};
    tokens_.tell(i, o);
    const auto operation = detector_.perform(o);
    tokens_.performed(i, operation);
    for (std::size_t k = 0; k < addresses.size() && s.kind != access_kind::read; ++k) {
      if (mask[k] == 0) {
        continue;
      }
      const std::uint64_t held = value_at(addresses[k], s.bytes);
      const std::uint64_t now = ++written_;
      std::memcpy(&memory_[addresses[k] - base], &now, s.bytes);
      wrote_[{operation, k}] = now;
      if (s.order != memory_order::weak) {
        const std::vector<side> were = writers(addresses[k], s.bytes);
        if (detector_.newest(addresses[k], s.bytes) == write_name{}) {
          bases_[{addresses[k], s.bytes}] = {were, held};
        }
        detector_.overwrote(static_cast<std::uint32_t>(k), addresses[k], s.bytes, held);
      }
      std::fill_n(
          writer_.begin() + static_cast<std::ptrdiff_t>(addresses[k] - base), s.bytes, side{i, k});
    }
  }

  /// What an agent's strong read may be given, at every place that has been written strongly.
  using offers_by_place = std::map<std::pair<std::uintptr_t, std::uint32_t>,
                                   std::vector<std::pair<std::uint32_t, std::uint32_t>>>;
  template <class Ask>
  [[nodiscard]] offers_by_place asked(const Ask& ask) const {
    offers_by_place all;
    for (const auto& [place, written] : bases_) {
      std::vector<sim::detect::older_value> offered;
      ask(place.first, place.second, offered);
      for (const auto& o : offered) {
        all[place].emplace_back(o.name.operation, o.name.element);
      }
    }
    return all;
  }
  [[nodiscard]] offers_by_place offers_of(std::uint32_t agent) {
    return asked([&](auto address, auto bytes, auto& offered) {
      detector_.readable({.agent = agents_[agent]}, address, bytes, offered);
    });
  }
  /// The same behind a fence that has not been performed; asking for it changes nothing.
  [[nodiscard]] offers_by_place behind_fence(const step& fence) {
    const auto before_it = offers_of(fence.agent);
    auto behind_it = asked([&](auto address, auto bytes, auto& offered) {
      detector_.readable_behind_fence(
          {.agent = agents_[fence.agent]}, fence.scope, address, bytes, offered);
    });
    CHECK(offers_of(fence.agent) == before_it);
    hidden_by_fences_ += behind_it == before_it ? 0U : 1U;
    return behind_it;
  }

  [[nodiscard]] std::vector<side> writers(std::uintptr_t address, std::uint32_t bytes) const {
    const auto first = writer_.begin() + static_cast<std::ptrdiff_t>(address - base);
    return {first, first + bytes};
  }

  [[nodiscard]] std::uint64_t value_at(std::uintptr_t address, std::uint32_t bytes) const {
    std::uint64_t value = 0;
    std::memcpy(&value, &memory_[address - base], bytes);
    return value;
  }

  /// What may not be read is hidden by something that there is.
  void check_bound(const sim::detect::older_bound& b,
                   std::uintptr_t address,
                   std::uint32_t bytes,
                   std::size_t offered) {
    using cause = sim::detect::older_bound::cause;
    const bool read_or_write = b.why == cause::write || b.why == cause::read;
    CHECK((b.hidden == 0 || read_or_write));
    CHECK((b.why != cause::sizes || offered == 0));
    if (read_or_write) {
      REQUIRE(steps_.contains(b.by.operation));
      const step& hides = program_.steps[steps_.at(b.by.operation)];
      CHECK((b.why == cause::write ? hides.kind != access_kind::read
                                   : hides.kind != access_kind::write));
      CHECK(base + hides.elements.at(b.by.element).offset == address);
      CHECK(hides.bytes == bytes);
      causes_ |= b.why == cause::write ? 1U : 2U;
    }
  }

  write_name chosen(std::size_t i, std::size_t k) {
    const step& s = program_.steps[i];
    const std::uintptr_t address = base + s.elements[k].offset;
    std::vector<sim::detect::older_value> offered;
    sim::detect::older_bound bound;
    sim::detect::operation about{.agent = agents_[s.agent]};
    tokens_.tell(i, about);
    detector_.readable(about, address, s.bytes, offered, &bound);
    check_bound(bound, address, s.bytes, offered.size());
    for (const auto& o : offered) {
      CHECK(o.value == (o.name.operation == 0 ? bases_.at({address, s.bytes}).second
                                              : wrote_.at({o.name.operation, o.name.element})));
    }
    if (exact_) {
      compare(i, k, offered);
    }
    const auto n = draw_.below(offered.size() + 1);
    if (n == offered.size()) {
      return newest_write;
    }
    ++stale_;
    const write_name name = offered[n].name;
    given_[{i, k}] = name.operation == 0 ? bases_.at({address, s.bytes}).first
                                         : std::vector<side>(s.bytes, side_of(name));
    return name;
  }

  [[nodiscard]] side side_of(const write_name& name) const {
    return name.operation == 0 ? side{before, 0} : side{steps_.at(name.operation), name.element};
  }

  /// Whether the offer is exactly what the model finds consistent.
  void compare(std::size_t i, std::size_t k, const std::vector<sim::detect::older_value>& offered) {
    const step& s = program_.steps[i];
    program prefix = program_;
    prefix.steps.resize(i + 1);
    std::set<side> want;
    const auto consider = [&](side write) {
      given_writes with = given_;
      with[{i, k}] = std::vector<side>(s.bytes, write);
      if (broken(model_of(prefix, with)).empty()) {
        want.insert(write);
      }
    };
    std::optional<side> newest;
    consider({before, 0});
    newest = side{before, 0};
    for (std::size_t j = 0; j < i; ++j) {
      const step& w = program_.steps[j];
      for (std::size_t e = 0; !w.fence && w.kind != access_kind::read && e < w.elements.size();
           ++e) {
        if (w.elements[e].active && w.elements[e].offset == s.elements[k].offset) {
          consider({j, e});
          newest = side{j, e};
        }
      }
    }
    want.erase(*newest);
    std::set<side> got;
    for (const auto& o : offered) {
      got.insert(side_of(o.name));
    }
    if (got != want) {
      std::string sets = "offered:";
      for (const side& x : got) {
        sets += " " + std::to_string(x.step) + "." + std::to_string(x.element);
      }
      sets += "; consistent:";
      for (const side& x : want) {
        sets += " " + std::to_string(x.step) + "." + std::to_string(x.element);
      }
      INFO(text(program_, given_) << "step " << i << " element " << k << " " << sets);
      REQUIRE(got == want);
    }
  }

  const program& program_;
  sim::rng& draw_;
  bool exact_;
  sim::detect::detector detector_;
  given_tokens tokens_;
  std::vector<sim::detect::agent_id> agents_;
  std::map<sim::detect::operation_id, std::size_t> steps_;
  std::map<std::pair<sim::detect::operation_id, std::size_t>, std::uint64_t> wrote_;
  /// What was there when a place was first strongly written: who wrote each byte, and the value.
  std::map<std::pair<std::uintptr_t, std::uint32_t>, std::pair<std::vector<side>, std::uint64_t>>
      bases_;
  std::array<std::byte, region + 8> memory_{};
  std::vector<side> writer_ = std::vector<side>(region + 8, side{before, 0}); ///< by byte
  std::uint64_t written_ = 0;
  given_writes given_;
  std::size_t stale_ = 0;
  std::size_t fences_ = 0;
  std::size_t hidden_by_fences_ = 0;
  unsigned causes_ = 0;
  std::vector<sim::detect::race> races_;
};

/// Samples one execution of each of many programs; returns how many had an older write read.
std::size_t
hold_against_model(std::uint64_t seed, std::uint64_t programs, const variety& v, bool exact) {
  sim::rng r(seed);
  std::size_t with_stale = 0;
  std::size_t fences = 0;
  std::size_t hidden_by_fences = 0;
  unsigned causes = 0;
  for (std::uint64_t i = 0; i < programs; ++i) {
    const program p = draw(r, v);
    if (!possible(p)) {
      continue;
    }
    const sampled run(p, r, exact);
    with_stale += run.stale() > 0 ? 1U : 0U;
    fences += run.fences();
    hidden_by_fences += run.hidden_by_fences();
    causes |= run.causes();
    const modelled m = model_of(p, run.given());
    const judged want = races_of(m);
    if (const std::string axiom = broken(m); !axiom.empty() || run.racy() != want.bytes) {
      INFO("program " << i << "\n" << text(p, run.given()));
      CHECK(axiom == "");
      REQUIRE(run.racy() == want.bytes);
      return with_stale;
    }
    for (const auto& pair : run.pairs()) {
      if (!want.pairs.contains(pair)) {
        INFO("program " << i << "\n" << text(p, run.given()));
        FAIL("a pair that is no race");
      }
    }
  }
  CHECK(fences > 20);
  CHECK(hidden_by_fences > 5);
  CHECK(causes == 3);
  return with_stale;
}

} // namespace

// For a longer run than the default: TILESIM_OLDER_PROGRAMS=1000000 TILESIM_OLDER_SEED=7
TEST_CASE("strong reads are offered exactly the writes with which the model is content") {
  CHECK(hold_against_model(setting("TILESIM_OLDER_SEED", 2031),
                           setting("TILESIM_OLDER_PROGRAMS", 4000),
                           {.weak = false, .several_sizes = false},
                           true) > 500);
  CHECK(hold_against_model(setting("TILESIM_OLDER_SEED", 2033),
                           setting("TILESIM_OLDER_PROGRAMS", 4000),
                           {.weak = false, .several_sizes = false, .tokens = true},
                           true) > 500);
}

TEST_CASE("executions of programs of all sorts are consistent, and their races the model's") {
  CHECK(hold_against_model(setting("TILESIM_OLDER_SEED", 2032),
                           setting("TILESIM_OLDER_PROGRAMS", 10000),
                           {},
                           false) > 500);
  CHECK(hold_against_model(setting("TILESIM_OLDER_SEED", 2034),
                           setting("TILESIM_OLDER_PROGRAMS", 10000),
                           {.tokens = true},
                           false) > 500);
}
