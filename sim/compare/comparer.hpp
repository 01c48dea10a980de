// The comparer's class: launch_comparer.cpp watches, telling.cpp writes what differed, ends.cpp
// holds all executions' ends against the one there.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compare/differing.hpp"
#include "sim/compare/fed_contents.hpp"
#include "sim/compare/held_memory.hpp"
#include "sim/compare/judging.hpp"
#include "sim/compare/left_memory.hpp"
#include "sim/compare/unlike_inputs.hpp"
#include "sim/contract/launch_feed.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/error_analysis/analysis.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/watch/buffers.hpp"
#include "sim/watch/dropped_results.hpp"
#include "sim/watch/line_file.hpp"
#include "sim/watch/reloads.hpp"
#include "sim/watch/write_log.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::sim::compare {

using json = nlohmann::ordered_json;

/// Also who knows how launches are to end, where all executions of one are looked at.
class launch_comparer final : public watcher, public end_judge {
public:
  launch_comparer(context& c, launch_feed feed, std::unique_ptr<fed_contents> contents, int file);

  [[nodiscard]] wanted_events wants() const override {
    return detailed_ ? wanted_events{} : nothing;
  }
  void launch_begins(const launch_state& l) override;
  void launch_ends(const launch_state& l) override;
  void memory(const memory_event& e) override;
  void operation(const operation_event& e) override;
  void run_ends(run_end how, int status) override;

  [[nodiscard]] bool is_known() const override;
  [[nodiscard]] bool is_wanted() const override;
  [[nodiscard]] const wanted_end* wanted() override;
  [[noreturn]] void judge(const found_ends& all) override;

private:
  struct made_launch {
    std::size_t number = 0; ///< of the program's
    std::string kernel;
  };

  [[nodiscard]] bool is_the_same(const launch_state& l, const fed_launch& there);
  void hold(const allocation& a);
  void find_variables();
  [[nodiscard]] counterparts counterparts_in(const fed_launch& there) const;
  void set_before(const fed_launch& there, const counterparts& same);
  void add_differing_inputs(const fed_launch& there, const counterparts& same);
  void add_other_size(std::size_t memory, const counterparts& same, bool written);
  void expect(const fed_launch& last, const counterparts& same);
  void add_unlike_inputs(const unlike_memory& before);
  void note_altered();
  [[nodiscard]] json differing_buffers();
  /// `here`: what is in it, of the run that is told.
  [[nodiscard]] json
  told(const held_memory& m, std::span<const std::byte> here, const differing& found);
  [[nodiscard]] json told_pages(const held_memory& m) const;
  [[nodiscard]] json told(const held_memory& m, const differing::element& e) const;
  [[nodiscard]] json told(const write_log::writer& w) const;
  [[nodiscard]] static json told(const errors::open_reason& why);
  void begin_bounds(std::size_t number);
  [[nodiscard]] json name_of(const allocation& a) const;
  /// The type of its elements, where it is known.
  [[nodiscard]] const std::optional<step::value_type>& element_of(const allocation& a) const;
  void tell_launch(const launch_state& l, json buffers);
  [[nodiscard]] bool holds_rounded(const held_memory& m) const;
  /// The first of the launches that were observed together with the last one that has begun.
  [[nodiscard]] std::size_t first_together() const;

  context& context_;
  const bool detailed_;
  launch_feed feed_;
  std::unique_ptr<fed_contents> contents_;
  line_file lines_;
  step::buffers buffers_;
  write_log writes_;
  std::uintptr_t first_address_ = 0; ///< of the operation under way
  /// Since the last launch that was told: where, and a because_… of comparison_lines.hpp.
  std::set<std::pair<const void*, std::string_view>> inexact_;
  std::map<unsigned, held_memory> held_;        ///< by the allocation's number
  unlike_memory unlike_;                        ///< behind launches that have been told
  std::map<std::size_t, allocation> variables_; ///< by the memory that they are there
  /// Of these the elements' types, by their numbers here, as far as they have been asked for.
  mutable std::map<unsigned, std::optional<step::value_type>> variable_types_;
  std::map<std::string, std::size_t> unmatched_; ///< that the program does not have
  std::map<std::uint64_t, std::size_t> numbers_; ///< of launches under way: which of the program's
  unlike_inputs inputs_;                         ///< of the launches under way
  std::map<std::uint64_t, made_launch> made_;    ///< by their id
  std::set<std::size_t> other_sizes_;            ///< memories that have another size here
  std::size_t begun_ = 0;                        ///< launches
  std::size_t compared_ = 0;
  errors::error_analysis* bounds_ = nullptr; ///< who derives them, if anybody does
  std::optional<judging> judging_;           ///< … and what follows for an element
  std::set<std::size_t> bounded_;            ///< launches of which they are wanted
  std::optional<left_memory> left_;          ///< behind these
  dropped_results dropped_{calls::updates};
  bool sum_is_wrong_ = false;   ///< what updates have made, behind the launch under way, …
  bool as_left_ = true;         ///< … where memory is so far as it was before it was altered
  std::vector<reload> reloads_; ///< since the last launch that was told
  std::unique_ptr<wanted_end> wanted_; ///< of the launches under way, once it is asked for
  bool rounded_ = false;               ///< what differs behind the launch under way holds such
  bool parted_ = false; ///< another kernel came than there: nothing is compared any more
};

} // namespace tilesim::sim::compare
