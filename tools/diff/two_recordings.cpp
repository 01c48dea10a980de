// Comparing recordings with each other.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/two_recordings.hpp"

#include "gpu_backend/container/reader.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/kernel_names.hpp"
#include "tools/cli/failure.hpp"
#include "tools/diff/cells.hpp"
#include "tools/diff/errors.hpp"
#include "tools/diff/reel.hpp"
#include "tools/gpu/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <tuple>
#include <utility>

namespace tilesim::tools::diff {

namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::size_t most_shown = 16;

/// Are the words there the same numbers, or addresses of the same place?
bool same_word(const reel& a,
               const reel& b,
               std::span<const std::byte> x,
               std::span<const std::byte> y) {
  if (std::ranges::equal(x, y)) {
    return true;
  }
  if (x.size() != word_bytes) {
    return false;
  }
  std::uint64_t here = 0;
  std::uint64_t there = 0;
  std::memcpy(&here, x.data(), word_bytes);
  std::memcpy(&there, y.data(), word_bytes);
  const auto place = a.place_of(here);
  return place.first != 0 && place == b.place_of(there);
}

/// Element `index` differs.
void note_difference(differing_buffer& found,
                     std::size_t index,
                     const cell_type& type,
                     const std::byte* here,
                     const std::byte* there) {
  ++found.elements;
  if (!found.runs.empty() && found.runs.back().second == index) {
    ++found.runs.back().second;
  } else {
    found.runs.emplace_back(index, index + 1);
    found.kinds.push_back(element_verdict::wrong);
  }
  if (found.first.size() < most_shown) {
    found.first.push_back({.index = index,
                           .here = fmt::format("{:0{}x}", read_cell(type, here), 2 * type.size),
                           .there = fmt::format("{:0{}x}", read_cell(type, there), 2 * type.size),
                           .ulps = {},
                           .writer = {},
                           .low = {},
                           .high = {},
                           .allowed_ulps = {},
                           .open = {}});
  }
}

/// Adds bytes that differed before the launch: one input for all of a memory.
void note_found(std::optional<differing_input>& left,
                const reel::piece& of,
                std::size_t at,
                std::size_t bytes) {
  if (!left) {
    left = {.name = of.name, .offset = at};
  }
  left->bytes = at + bytes - left->offset;
}

/// Recordings know no types: numbers of four bytes, or bytes.
std::size_t element_bytes(const reel::piece& p) {
  return p.bytes.size() % 4 == 0 ? 4 : 1;
}

/// Takes the place of each element that is known on both sides, and is not the same.
template <class F>
void each_differing(
    const reel& a, const reel& b, const reel::piece& here, const reel::piece& there, F&& takes) {
  const std::size_t size = element_bytes(here);
  const std::span<const std::byte> x = here.bytes;
  const std::span<const std::byte> y = there.bytes;
  constexpr std::size_t stretch = 4096; // most of them are the same
  for (std::size_t word = 0; word < x.size(); word += word_bytes) {
    if (word % stretch == 0) {
      const std::size_t bytes = std::min(stretch, x.size() - word);
      if (std::memcmp(x.data() + word, y.data() + word, bytes) == 0) {
        word += bytes - std::min(bytes, word_bytes);
        continue;
      }
    }
    const std::size_t end = std::min(word + word_bytes, x.size());
    if (same_word(a, b, x.subspan(word, end - word), y.subspan(word, end - word))) {
      continue;
    }
    for (std::size_t at = word; at < end; at += size) {
      if (!std::ranges::equal(x.subspan(at, size), y.subspan(at, size)) &&
          here.is_known(at, size) && there.is_known(at, size)) {
        takes(at);
      }
    }
  }
}

/// `left`: what lies there as it did before the launch.
differing_buffer differences(const reel& a,
                             const reel& b,
                             const reel::piece& here,
                             const reel::piece& there,
                             std::optional<differing_input>& left) {
  const std::size_t size = element_bytes(here);
  differing_buffer found{.name = here.name,
                         .type = size == 4 ? "u32" : "u8",
                         .count = here.bytes.size() / size,
                         .elements = 0,
                         .open = 0,
                         .allowed = 0,
                         .runs = {},
                         .kinds = {},
                         .runs_cut = false,
                         .hash = 0,
                         .varies = false,
                         .first = {},
                         .worst = {}};
  const auto type = *find_cell_type(found.type);
  each_differing(a, b, here, there, [&](std::size_t at) {
    if (a.is_as_found(here, at, size) && b.is_as_found(there, at, size)) {
      note_found(left, here, at, size);
    } else {
      note_difference(found, at / size, type, here.bytes.data() + at, there.bytes.data() + at);
    }
  });
  return found;
}

std::string launch_text(const gpu::launch_event& l) {
  return fmt::format("{}<<<({}), ({})>>>",
                     l.symbol.empty() ? l.by : sim::kernel_name(l.symbol),
                     fmt::join(l.grid, ","),
                     fmt::join(l.block, ","));
}

class pair_of_reels {
public:
  pair_of_reels(const std::string& first, const std::string& second)
      : a_(first, numbers_)
      , b_(second, numbers_) {
    report_.sources = {first, second};
    report_.of_recordings = true;
  }

  report run() {
    while (go_on() && launches_agree()) {
      compare();
    }
    rest();
    report_.other = b_.where();
    return std::move(report_);
  }

private:
  /// Goes on to where both have observed the same launches. On one machine they may have been
  /// observed one by one, and together on the other.
  bool go_on() {
    a_.begin();
    b_.begin();
    find_given();
    bool here = a_.advance();
    bool there = b_.advance();
    while (here && there && a_.last() != b_.last()) {
      (a_.last() < b_.last() ? here : there) = (a_.last() < b_.last() ? a_ : b_).advance();
    }
    return here && there;
  }

  /// Both have it, and live: nullptr if not.
  [[nodiscard]] std::pair<const reel::piece*, const reel::piece*> both(std::uint64_t number) const {
    const auto here = a_.memory().find(number);
    const auto there = b_.memory().find(number);
    const bool have = here != a_.memory().end() && there != b_.memory().end() &&
                      here->second.live && there->second.live;
    return have ? std::pair(&here->second, &there->second) : std::pair(nullptr, nullptr);
  }

  /// Memory whose content the recordings have as the host has left it before the launches to come,
  /// now or earlier, and that is not the same.
  void find_given() {
    std::set<std::uint64_t> numbers = std::exchange(given_, {});
    numbers.insert(a_.given().begin(), a_.given().end());
    numbers.insert(b_.given().begin(), b_.given().end());
    given_inputs_.clear();
    for (const std::uint64_t number : numbers) {
      const auto [here, there] = both(number);
      if (here == nullptr || here->bytes.size() != there->bytes.size() ||
          differed_.contains(number)) {
        continue; // that is told anyway
      }
      std::optional<differing_input> found;
      each_differing(a_, b_, *here, *there, [&, of = here](std::size_t at) {
        note_found(found, *of, at, element_bytes(*of));
      });
      if (found) {
        given_inputs_.push_back(*std::move(found));
        given_.insert(number);
      }
    }
  }

  /// Of those that have begun on both sides.
  bool launches_agree() {
    const auto& x = a_.launches();
    const auto& y = b_.launches();
    for (; agreed_ < std::min(x.size(), y.size()); ++agreed_) {
      const std::string here = launch_text(x[agreed_]);
      const std::string there = launch_text(y[agreed_]);
      if (here != there) {
        report_.parted = {
            .number = agreed_, .here = here, .there = there, .frames = a_.frames_of(x[agreed_])};
        return false;
      }
    }
    return true;
  }

  void compare() {
    const gpu::launch_event& last = a_.launches()[a_.last()];
    compared_launch l{.number = a_.last(),
                      .first = std::min(a_.first(), b_.first()),
                      .kernel = sim::kernel_name(last.symbol),
                      .frames = a_.frames_of(last),
                      .bytes = 0,
                      .inputs = differing_inputs(),
                      .buffers = {},
                      .inexact = {},
                      .diverted = {},
                      .reloads = {}};
    for (const auto& [number, there] : b_.memory()) {
      if (there.live && !a_.memory().contains(number)) {
        l.inputs.push_back({.name = there.name, .size_there = there.bytes.size()});
      }
    }
    for (const auto& [number, here] : a_.memory()) {
      const auto there = b_.memory().find(number);
      // Of what one of the machines has freed already, the other's content says nothing.
      if (!here.live || (there != b_.memory().end() && !there->second.live)) {
        continue;
      }
      if (there == b_.memory().end() || there->second.bytes.size() != here.bytes.size()) {
        l.inputs.push_back(
            {.name = here.name,
             .size = here.bytes.size(),
             .size_there = there == b_.memory().end() ? 0 : there->second.bytes.size()});
        continue;
      }
      compare(number, here, there->second, l);
    }
    forget_known_writes();
    report_.launches.push_back(std::move(l));
  }

  /// One memory behind a launch.
  void compare(std::uint64_t number,
               const reel::piece& here,
               const reel::piece& there,
               compared_launch& to) {
    to.bytes += here.bytes.size();
    const bool was = differed_.contains(number);
    if (was) {
      to.inputs.push_back({.name = here.name, .offset = 0, .bytes = here.bytes.size()});
    }
    if (!is_touched(number) && !was) {
      return;
    }
    std::optional<differing_input> left;
    differing_buffer found = differences(a_, b_, here, there, left);
    if (found.elements == 0 && to.first == to.number && is_touched_by_one(number)) {
      found.pages.push_back({.begin = 0, .end = here.bytes.size()});
    }
    if (found.elements != 0 || !found.pages.empty()) {
      to.buffers.push_back(std::move(found));
      differed_.insert(number);
    } else {
      differed_.erase(number);
    }
    if (left && !given_.contains(number)) {
      to.inputs.push_back(std::move(*left));
    }
  }

  /// One launch has changed it there, or here, and not on the other machine, of which it is not
  /// known what is in all of it: it is what the host wrote.
  [[nodiscard]] bool is_touched_by_one(std::uint64_t number) const {
    const bool here = a_.has_touched(number);
    const bool there = b_.has_touched(number);
    const reel::piece& other = (here ? b_ : a_).memory().at(number);
    return here != there && other.found.empty() && !other.is_known(0, other.bytes.size());
  }
  [[nodiscard]] bool is_touched(std::uint64_t number) const {
    return a_.has_touched(number) || b_.has_touched(number);
  }

  [[nodiscard]] std::vector<differing_input> differing_inputs() {
    std::vector<differing_input> list = given_inputs_;
    find_unlike_writes();
    for (const host_bytes& u : unlike_) {
      list.push_back({.name = a_.memory().at(u.memory).name, .offset = u.offset, .bytes = u.bytes});
    }
    for (std::uint64_t l = std::min(a_.first(), b_.first()); l <= a_.last(); ++l) {
      add_differing_arguments(l, list);
    }
    return list;
  }

  /// Bytes that the host wrote by a call: of these there is a hash.
  struct host_bytes {
    std::uint64_t memory = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] bool hold(const host_bytes& other) const noexcept {
      return memory == other.memory && offset <= other.offset && other.offset - offset <= bytes &&
             other.bytes <= bytes - (other.offset - offset);
    }
    friend auto operator<=>(const host_bytes&, const host_bytes&) = default;
  };
  static std::set<std::pair<host_bytes, std::uint64_t>> writes_of(const reel& r) {
    std::set<std::pair<host_bytes, std::uint64_t>> all;
    for (const gpu::host_write_event& e : r.inputs()) {
      all.emplace(host_bytes{e.memory, e.offset, e.bytes}, e.hash);
    }
    return all;
  }

  /// What the host wrote on one side and not on the other, now or earlier, and has not been written
  /// over since.
  void find_unlike_writes() {
    const auto here = writes_of(a_);
    const auto there = writes_of(b_);
    std::vector<std::pair<host_bytes, std::uint64_t>> same;
    std::vector<std::pair<host_bytes, std::uint64_t>> others;
    std::ranges::set_intersection(here, there, std::back_inserter(same));
    std::ranges::set_symmetric_difference(here, there, std::back_inserter(others));
    std::erase_if(unlike_, [&](const host_bytes& u) {
      return both(u.memory).first == nullptr ||
             std::ranges::any_of(same, [&](const auto& w) { return w.first.hold(u); });
    });
    for (const auto& [bytes, hash] : others) {
      if (a_.memory().contains(bytes.memory) && b_.memory().contains(bytes.memory)) {
        unlike_.insert(bytes);
      }
    }
  }

  /// Where launches have changed all of it, it is compared as what they left.
  void forget_known_writes() {
    std::erase_if(unlike_, [this](const host_bytes& u) {
      const auto [here, there] = both(u.memory);
      return here == nullptr || here->bytes.size() != there->bytes.size() ||
             (here->is_known(u.offset, u.bytes) && there->is_known(u.offset, u.bytes));
    });
  }

  void add_differing_arguments(std::uint64_t launch, std::vector<differing_input>& to) const {
    const gpu::arguments_event* const x = a_.arguments_of(launch);
    const gpu::arguments_event* const y = b_.arguments_of(launch);
    if (x == nullptr || y == nullptr) {
      return; // not recorded
    }
    const std::vector<std::string_view> here = x->each();
    const std::vector<std::string_view> there = y->each();
    for (std::size_t i = 0; i < std::max(here.size(), there.size()); ++i) {
      if (i >= here.size() || i >= there.size() ||
          !same_word(
              a_, b_, std::as_bytes(std::span(here[i])), std::as_bytes(std::span(there[i])))) {
        to.push_back({.argument = i,
                      .here = i < here.size() ? gpu_tool::bits_text(here[i]) : "none",
                      .there = i < there.size() ? gpu_tool::bits_text(there[i]) : "none"});
      }
    }
  }

  /// What comes behind what was compared.
  void rest() {
    for (reel* const r : {&a_, &b_}) {
      while (r->advance()) {
      }
    }
    if (!report_.parted) {
      launches_agree();
    }
    for (const reel* const r : {&a_, &b_}) {
      if (r->launches().empty()) {
        refuse_idle(r->where(), r->errors());
      }
    }
    report_.launches_here = a_.launches().size();
    report_.launches_there = b_.launches().size();
    report_.printed_here = a_.output().first_not_in(b_.output());
    report_.printed_there = b_.output().first_not_in(a_.output());
    report_.status_here = a_.status();
    report_.status_there = b_.status();
    note_errors(report_, a_.errors(), b_.errors());
    if (!a_.status() && !b_.status()) {
      report_.remarks.emplace_back("neither program came to an end");
    }
  }

  memory_numbers numbers_;
  reel a_, b_;
  report report_;
  std::uint64_t agreed_ = 0;                  ///< launches that are the same, from the first on
  std::set<std::uint64_t> differed_;          ///< memories that differ as the recordings stand
  std::set<std::uint64_t> given_;             ///< … since the host has left them so
  std::set<host_bytes> unlike_;               ///< what the host wrote otherwise
  std::vector<differing_input> given_inputs_; ///< of the launches that are compared
};

} // namespace

report compare_recordings(const std::string& first, const std::string& second) {
  try {
    return pair_of_reels(first, second).run();
  } catch (const gpu::bad_recording& e) {
    throw printed_failure(exit_input, std::string(e.what()) + "\n");
  } catch (const std::system_error& e) {
    throw failure(exit_usage, e.what());
  }
}

} // namespace tilesim::tools::diff
