// An engine that passes everything on: every question and every order reaches the one behind it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/passing_engine.hpp"

#include "sim/core/thread.hpp"
#include "sim/core/thread_block.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <support/catch.hpp>
#include <utility>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

namespace {

/// Answers what no default answers, and notes what it was asked.
class noting_engine final : public memory_engine {
public:
  explicit noting_engine(std::vector<std::string>& asked)
      : asked_(asked) {
    holds_ = true;
  }

  [[nodiscard]] bool takes_boxes() const noexcept override { return note("takes_boxes", true); }
  [[nodiscard]] bool takes_tokens() const noexcept override { return note("takes_tokens", true); }
  [[nodiscard]] std::size_t widest_object() const noexcept override {
    return note("widest_object", std::size_t{3});
  }
  [[nodiscard]] std::uint64_t join(const machine::ordered_after& /*all*/) override {
    return note("join", std::uint64_t{4});
  }

  void load(sim_thread& /*t*/, const tile_access& /*a*/, void* /*out*/) override { note("load"); }
  void store(sim_thread& /*t*/, const tile_access& /*a*/, const void* /*values*/) override {
    note("store");
  }
  bool update(sim_thread& /*t*/,
              const tile_access& /*a*/,
              ops::rmw_function /*f*/,
              const void* /*arguments*/,
              void* /*old*/) override {
    return note("update", true);
  }
  bool compare_exchange(sim_thread& /*t*/,
                        const tile_access& /*a*/,
                        const void* /*expected*/,
                        const void* /*desired*/,
                        void* /*old*/) override {
    return note("compare_exchange", true);
  }

  void load(const accessor& /*who*/, const plain_access& /*a*/, void* /*out*/) override {
    note("load");
  }
  bool store(const accessor& /*who*/, const plain_access& /*a*/, const void* /*value*/) override {
    return note("store", true);
  }
  bool update(const accessor& /*who*/,
              const plain_access& /*a*/,
              const object_change& /*f*/,
              void* /*old*/) override {
    return note("update", true);
  }
  bool compare_exchange(const accessor& /*who*/,
                        const plain_access& /*a*/,
                        void* /*expected*/,
                        const void* /*desired*/) override {
    return note("compare_exchange", true);
  }
  void raw(const accessor& /*who*/,
           const plain_access& /*a*/,
           access_kind /*kind*/,
           bool /*same_call*/) override {
    note("raw");
  }

  void fence(const accessor& /*who*/,
             const void* /*site*/,
             memmodel::memory_order /*order*/,
             memmodel::scope /*scope*/) override {
    note("fence");
  }
  void barrier(const meeting& /*m*/) override { note("barrier"); }
  [[nodiscard]] std::shared_ptr<const done_before>
  arrives(sim_thread& /*t*/, const std::shared_ptr<const done_before>& others) override {
    return note("arrives", std::move(others));
  }
  void comes_behind(sim_thread& /*t*/, const done_before& /*others*/) override {
    note("comes_behind");
  }
  [[nodiscard]] std::optional<phase_end> unordered_phase_end(sim_thread& /*t*/,
                                                             std::uintptr_t /*barrier*/) override {
    return note("unordered_phase_end", std::optional<phase_end>{phase_end{}});
  }
  void phase_ended(sim_thread& /*t*/, std::uintptr_t /*barrier*/) override { note("phase_ended"); }
  void copy_begins(sim_thread& /*t*/) override { note("copy_begins"); }
  void copy_ends(sim_thread& /*t*/, phase_name /*awaits*/) override { note("copy_ends"); }
  void copies_awaited(sim_thread& /*t*/, phase_name /*end*/) override { note("copies_awaited"); }
  void copies_handed_on(sim_thread& /*t*/, phase_name /*end*/, phase_name /*to*/) override {
    note("copies_handed_on");
  }

  void copy(const accessor& /*who*/,
            const void* /*site*/,
            const byte_place& /*to*/,
            const byte_place& /*from*/,
            std::size_t /*bytes*/) override {
    note("copy");
  }
  void fill(const accessor& /*who*/,
            const void* /*site*/,
            const byte_place& /*to*/,
            unsigned char /*value*/,
            std::size_t /*bytes*/) override {
    note("fill");
  }
  void begin(launch_state& /*l*/) override { note("begin"); }
  void lifetime(const accessor& /*who*/,
                const void* /*site*/,
                std::uintptr_t /*begin*/,
                std::size_t /*bytes*/) override {
    note("lifetime");
  }
  void freed(std::uintptr_t /*begin*/, std::size_t /*bytes*/) override { note("freed"); }

  [[nodiscard]] std::string statistics() const override {
    return note("statistics", std::string("5"));
  }
  [[nodiscard]] std::string stale_reads() const override {
    return note("stale_reads", std::string("6"));
  }
  [[nodiscard]] std::vector<stale_read> explained_stale_reads(std::size_t most) const override {
    return note("explained_stale_reads", std::vector<stale_read>(most));
  }
  [[nodiscard]] std::uint64_t performed() const override {
    return note("performed", std::uint64_t{7});
  }
  [[nodiscard]] bool lets_choose() const noexcept override { return note("lets_choose", true); }
  [[nodiscard]] std::vector<offered_read> offers(sim_thread& /*t*/,
                                                 const coming_read& /*r*/) override {
    return note("offers", std::vector<offered_read>(1));
  }
  [[nodiscard]] std::vector<offered_read> were_offered(const sim_thread& /*t*/,
                                                       std::uint64_t /*operation*/) const override {
    return note("were_offered", std::vector<offered_read>(2));
  }
  void choose(const std::vector<chosen_read>& /*all*/) override { note("choose"); }
  [[nodiscard]] std::optional<std::string> unfollowed(bool /*over*/) const override {
    return note("unfollowed", std::optional<std::string>("8"));
  }
  [[nodiscard]] std::uint64_t judged() const noexcept override {
    return note("judged", std::uint64_t{9});
  }

protected:
  void put_back() override { note("put_back"); }

private:
  void note(const char* what) const { asked_.emplace_back(what); }
  template <class T>
  T note(const char* what, T answer) const {
    note(what);
    return answer;
  }

  std::vector<std::string>& asked_;
};

class no_read final : public coming_read {
public:
  void elements(std::vector<std::uintptr_t>& /*addresses*/,
                std::vector<std::uint8_t>& /*active*/) const override {}
};

/// The virtual functions that engine.hpp declares, in its order.
std::vector<std::string> declared_verbs() {
  std::ifstream file(TILESIM_ENGINE_HEADER);
  std::stringstream all;
  all << file.rdbuf();
  const std::string text = all.str();
  const std::string keyword = "virtual ";
  std::vector<std::string> names;
  for (auto at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at + 1)) {
    const auto end = text.find('(', at);
    REQUIRE(end != std::string::npos);
    auto begin = end;
    while (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 ||
           text[begin - 1] == '_' || text[begin - 1] == '~') {
      --begin;
    }
    std::string name = text.substr(begin, end - begin);
    if (!name.starts_with('~')) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

} // namespace

TEST_CASE("passing engine: every function reaches the engine behind it") {
  std::vector<std::string> asked;
  passing_engine e(std::make_unique<noting_engine>(asked));
  memory_engine& m = e;
  sim_thread t;
  launch_state l;
  const accessor who;
  const tile_access tile;
  const plain_access plain;

  CHECK(m.takes_boxes());
  CHECK(m.takes_tokens());
  CHECK(m.widest_object() == 3);
  CHECK(m.join({}) == 4);

  m.load(t, tile, nullptr);
  m.store(t, tile, nullptr);
  CHECK(m.update(t, tile, {}, nullptr, nullptr));
  CHECK(m.compare_exchange(t, tile, nullptr, nullptr, nullptr));

  m.load(who, plain, nullptr);
  CHECK(m.store(who, plain, nullptr));
  CHECK(m.update(who, plain, object_change{}, nullptr));
  CHECK(m.compare_exchange(who, plain, nullptr, nullptr));
  m.raw(who, plain, access_kind::read, false);
  m.settle();

  m.fence(who, nullptr, memmodel::memory_order::relaxed, memmodel::scope::sys);
  const thread_block block;
  m.barrier(meeting{.block = block});
  const auto done = std::make_shared<const done_before>();
  CHECK(m.arrives(t, done) == done);
  m.comes_behind(t, *done);
  CHECK(m.unordered_phase_end(t, 0));
  m.phase_ended(t, 0);
  m.copy_begins(t);
  m.copy_ends(t, {});
  m.copies_awaited(t, {});
  m.copies_handed_on(t, {}, {});

  m.copy(who, nullptr, {}, {}, 0);
  m.fill(who, nullptr, {}, 0, 0);
  m.begin(l);
  m.lifetime(who, nullptr, 0, 0);
  m.freed(0, 0);

  CHECK(m.statistics() == "5");
  CHECK(m.stale_reads() == "6");
  CHECK(m.explained_stale_reads(3).size() == 3);
  CHECK(m.performed() == 7);
  CHECK(m.lets_choose());
  CHECK(m.offers(t, no_read{}).size() == 1);
  CHECK(m.were_offered(t, 0).size() == 2);
  m.choose({});
  CHECK(m.unfollowed(true) == "8");
  CHECK(m.judged() == 9);

  // None that the header has is missing above, or in the class.
  std::vector<std::string> declared = declared_verbs();
  std::ranges::sort(declared);
  std::ranges::sort(asked);
  CHECK(asked == declared);
}
