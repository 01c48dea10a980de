// Exploring code from a test: tilesim::explore runs what a callable launches in every way that the
// memory model allows, and returns what `tilesim explore` would report, as data.
//
// Link with tilesim::check, and compile kernels with tilesim_add_executable(… HOOKS …), so that raw
// accesses are seen.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/check.hpp>

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/bytes_of_values.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilesim {

struct explore_options {
  /// What replay strings belong to: check_options::name of the check that is to replay one.
  ::std::string name = {};
  ::std::string model = "ptx"; ///< or "sc": one access after the other
  bool load_buffering = true;  ///< reads may take what is written later, as PTX allows
  /// Only executions with at most so many stale reads, without load buffering. [docs/explore.md]
  ::std::optional<::std::size_t> bound = {};
  /// So many executions are drawn, in this one process, instead of exploring all; 0: all. `seed`:
  /// which.
  ::std::uint64_t sample = 0;
  ::std::uint64_t seed = 1;
  bool reduction = true;     ///< false: the full counts, as by --no-reduction,
  bool symmetry = true;      ///< and as by --no-symmetry
  ::std::vector<::std::string> observe = {}; ///< buffers by name; empty: all that differ
  double seconds = 0;        ///< for all of it; 0: no limit
  ::std::size_t jobs = 0;    ///< processes that explore; 0: as many as there are processors
};

/// What memory holds in the end, and what the callable makes of that.
struct explored_state {
  /// The contents of buffers, by the names that variables of the callable give them. Numbers are in
  /// decimal.
  ::std::map<::std::string, ::std::vector<::std::string>> values;
  ::std::string printed;  ///< behind the kernels
  int status = 0;         ///< 1: the callable has thrown; 128 + n: signal n has ended it
  ::std::uint64_t executions = 0;
  bool load_buffering = false; ///< only executions with load buffering end so
  ::std::string replay;        ///< for check_options::replay; empty: no schedule shows it
  ::std::string returned;      ///< what the callable has returned, as bytes
};

namespace detail {
struct explore_data; // of the library
} // namespace detail

/// What an exploration found. The data does not change any more; copies are cheap.
class TILESIM_EXPORT explore_result {
public:
  explicit explore_result(::std::shared_ptr<const detail::explore_data> data);

  /// True if every execution was explored, there is no finding, and the callable has not failed in
  /// any: a proof, for this input.
  [[nodiscard]] bool clean() const noexcept { return exit_code() == 0; }
  /// As the command's exit status: 0 clean, 1 a finding, or a state in which the callable fails, 3
  /// incomplete, and nothing found.
  [[nodiscard]] int exit_code() const noexcept;
  [[nodiscard]] bool complete() const noexcept; ///< every execution was explored
  /// Not complete, but every execution with at most explore_options::bound stale reads was explored.
  [[nodiscard]] bool within_bound() const noexcept;
  [[nodiscard]] const ::std::string& why() const noexcept; ///< it is not complete

  [[nodiscard]] ::std::uint64_t executions() const noexcept; ///< that come to their end
  [[nodiscard]] const ::std::vector<explored_state>& states() const noexcept;
  /// `count` is that of executions.
  [[nodiscard]] const ::std::vector<check_finding>& findings() const noexcept;
  /// How many findings of a kind there are: count("data-race").
  [[nodiscard]] ::std::size_t count(::std::string_view code) const noexcept;

  /// The report as the command prints it, without colours, and as JSON. [docs/explore.md]
  [[nodiscard]] ::std::string text() const;
  [[nodiscard]] ::std::string json() const;

private:
  ::std::shared_ptr<const detail::explore_data> data_;
};

/// The same, of a callable that returns a value.
template <class R>
class explored : public explore_result {
public:
  explicit explored(explore_result r)
      : explore_result(::std::move(r)) {}

  /// What the callable has returned, in any execution in which it has not failed.
  [[nodiscard]] ::std::set<R> returned() const {
    ::std::set<R> out;
    for (const explored_state& s : states()) {
      if (s.status == 0 && !s.returned.empty()) {
        out.insert(detail::value_of_bytes<R>(s.returned));
      }
    }
    return out;
  }
};

namespace detail {
[[nodiscard]] TILESIM_EXPORT explore_result explore_bytes(
    const ::std::function<::std::string()>& body, const explore_options& options);
} // namespace detail

/// Runs what `body` launches in every way that the memory model allows, in processes of their own,
/// forked from this one.
///
/// `body` runs once up to where it waits for its launches, and from there on once for each content
/// of memory that they may end in. It fails by throwing. What it returns (numbers, enumerations,
/// other types that are trivially copyable, strings, and arrays, vectors, pairs and tuples of these)
/// is collected; what it changes in memory stays in its process, so no variable of the caller's
/// does.
///
/// Throws std::invalid_argument for options that are wrong, and std::runtime_error where no process
/// can be started. After Ctrl-C the rest is left out, and SIGINT is raised again.
template <::std::invocable F>
[[nodiscard]] auto explore(F&& body, const explore_options& options = {}) {
  using result = ::std::remove_cvref_t<::std::invoke_result_t<F&>>;
  if constexpr (::std::is_void_v<result>) {
    const auto run = [&body]() -> ::std::string {
      body();
      return {};
    };
    return detail::explore_bytes(run, options);
  } else {
    const auto run = [&body] { return detail::bytes_of_value<result>(body()); };
    return explored<result>(detail::explore_bytes(run, options));
  }
}

} // namespace tilesim

#include <tilesim/detail/letters_end.h>
