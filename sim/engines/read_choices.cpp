// Which of the writes that it may be given a strong read takes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/engines/read_choices.hpp"

#include "sim/contract/options.hpp"
#include "sim/ops/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace tilesim::sim {

namespace {

std::string cannot_pass_over(const stale_choice& c, std::size_t older) {
  return fmt::format("stale read {}: there {} {} older write{} that it may read",
                     to_string(std::vector{c}),
                     older == 1 ? "is" : "are",
                     older == 0 ? "no" : std::to_string(older),
                     older == 1 ? "" : "s");
}

// Most bugs take one or two stale reads, and which ones is not known. So a run draws first how rare
// they are: in one run nearly every read that can be is stale, in another every second (what takes
// several that are stale and several that are not, as independent reads of independent writes do),
// in another one in many. And how old:
// what is oldest shows most, what was just overwritten needs least. (As probabilistic concurrency
// testing bounds preemptions, PCTWM bounds reads from other threads: Gao et al., ASPLOS 2023.)
class drawn_choices final : public read_choices {
public:
  explicit drawn_choices(std::uint64_t seed)
      : draw_(seed ^ 0x5eed0fa11e7a1e5U) {
    constexpr std::uint64_t rarities[] = {1, 2, 4, 16};
    rarity_ = rarities[draw_.below(std::size(rarities))];
    newest_in_ = draw_.below(2) == 0 ? 2 : 8;
    constexpr std::uint64_t again[] = {1, 2, 8};
    patience_ = again[draw_.below(std::size(again))];
    oldest_in_ = 1 + draw_.below(3);
  }

  std::unique_ptr<read_choices> copy() const override {
    return std::make_unique<drawn_choices>(*this);
  }

  bool considers(const read_about_to_be& /*r*/) override {
    return rarity_ == 1 || draw_.below(rarity_) == 0;
  }

  std::size_t choose(const read_about_to_be& r,
                     std::span<const detect::older_value> older) override {
    if (older.empty()) {
      return 0;
    }
    if (rarity_ == 1 && draw_.below(newest_in_) == 0) {
      return 0; // else nothing would ever be seen at once
    }
    std::uint64_t& given = given_[{r.launch, r.thread, r.address}];
    if (given >= patience_) {
      given = 0;
      return 0;
    }
    ++given;
    ++made_;
    return draw_.below(oldest_in_) == 0 ? older.size() : 1 + draw_.below(older.size());
  }

  bool over() const override { return made_ >= most; }

private:
  static constexpr std::uint64_t most = 4096; ///< in a run

  rng draw_;
  std::uint64_t rarity_ = 1;
  std::uint64_t newest_in_ = 8; ///< one of so many is not stale where nothing is rare
  std::uint64_t patience_ = 1;  ///< how often on end a thread may be given older writes of a place
  std::uint64_t oldest_in_ = 1;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uintptr_t>, std::uint64_t> given_;
  std::uint64_t made_ = 0;
};

class listed_choices final : public read_choices {
public:
  explicit listed_choices(std::vector<stale_choice> reads)
      : reads_(std::move(reads))
      , made_(reads_.size()) {
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      by_name_[{reads_[i].launch, reads_[i].thread, reads_[i].read}] = i;
    }
  }

  std::unique_ptr<read_choices> copy() const override {
    return std::make_unique<listed_choices>(*this);
  }

  bool considers(const read_about_to_be& r) override {
    return by_name_.contains({r.launch, r.thread, r.number});
  }

  std::size_t choose(const read_about_to_be& r,
                     std::span<const detect::older_value> older) override {
    const std::size_t i = by_name_.at({r.launch, r.thread, r.number});
    if (older.size() < reads_[i].back) {
      if (!refused_) {
        refused_ = cannot_pass_over(reads_[i], older.size());
      }
      return 0;
    }
    made_[i] = true;
    ++count_;
    return reads_[i].back;
  }

  bool over() const override { return count_ == reads_.size(); }

  std::optional<std::string> unfollowed(bool over) const override {
    if (refused_ || !over) {
      return refused_;
    }
    const auto missing = std::ranges::find(made_, false);
    if (missing == made_.end()) {
      return {};
    }
    return fmt::format(
        "stale read {}: the block makes fewer strong reads",
        to_string(std::vector{reads_[static_cast<std::size_t>(missing - made_.begin())]}));
  }

private:
  std::vector<stale_choice> reads_;
  std::vector<bool> made_;
  std::size_t count_ = 0; ///< of those
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::size_t> by_name_;
  std::optional<std::string> refused_;
};

class choices_by_hand final : public read_choices {
public:
  explicit choices_by_hand(std::unique_ptr<read_choices> others)
      : others_(std::move(others)) {}
  choices_by_hand(const choices_by_hand& other)
      : read_choices(other)
      , others_(other.others_ != nullptr ? other.others_->copy() : nullptr)
      , chosen_(other.chosen_)
      , refused_(other.refused_) {}
  choices_by_hand& operator=(const choices_by_hand&) = delete;
  ~choices_by_hand() override = default;

  std::unique_ptr<read_choices> copy() const override {
    return std::make_unique<choices_by_hand>(*this);
  }

  bool considers(const read_about_to_be& r) override {
    others_consider_ = others_ != nullptr && !others_->over() && others_->considers(r);
    return others_consider_ || chosen_.contains({r.launch, r.thread, r.number});
  }

  std::size_t choose(const read_about_to_be& r,
                     std::span<const detect::older_value> older) override {
    const std::size_t of_others = others_consider_ ? others_->choose(r, older) : 0;
    const auto mine = chosen_.find({r.launch, r.thread, r.number});
    if (mine == chosen_.end()) {
      return of_others;
    }
    if (older.size() < mine->second) {
      if (!refused_) {
        refused_ = cannot_pass_over(
            {.launch = r.launch, .thread = r.thread, .read = r.number, .back = mine->second},
            older.size());
      }
      return 0;
    }
    return mine->second;
  }

  /// A person may choose until the run ends.
  bool over() const override { return false; }

  std::optional<std::string> unfollowed(bool over) const override {
    return refused_ ? refused_ : others_ != nullptr ? others_->unfollowed(over) : std::nullopt;
  }

  bool by_hand() const noexcept override { return true; }
  void choose_by_hand(const std::vector<chosen_read>& all) override {
    chosen_.clear();
    for (const chosen_read& c : all) {
      chosen_[{c.launch, c.thread, c.number}] = c.back;
    }
  }

private:
  std::unique_ptr<read_choices> others_; ///< nullptr: they take the newest write
  bool others_consider_ = false;         ///< the read that is about to be made
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t> chosen_;
  std::optional<std::string> refused_;
};

} // namespace

std::unique_ptr<read_choices> make_choices_by_hand(std::unique_ptr<read_choices> others) {
  return std::make_unique<choices_by_hand>(std::move(others));
}

std::unique_ptr<read_choices> make_drawn_choices(std::uint64_t seed) {
  return std::make_unique<drawn_choices>(seed);
}

std::unique_ptr<read_choices> make_listed_choices(std::vector<stale_choice> reads) {
  return std::make_unique<listed_choices>(std::move(reads));
}

std::unique_ptr<read_choices> make_read_choices(const options& o) {
  auto choices = !o.stale.empty() ? make_listed_choices(o.stale)
                 : o.weak         ? make_drawn_choices(o.seed)
                                  : nullptr;
  return o.by_hand ? make_choices_by_hand(std::move(choices)) : std::move(choices);
}

} // namespace tilesim::sim
