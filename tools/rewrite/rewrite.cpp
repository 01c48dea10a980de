// Writes the calls that launches become, and the linemarkers that keep columns.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/rewrite.hpp"

#include "tools/rewrite/body_length.hpp"
#include "tools/rewrite/brackets.hpp"
#include "tools/rewrite/device_code.hpp"
#include "tools/rewrite/inline_ptx.hpp"
#include "tools/rewrite/kernel_bodies.hpp"
#include "tools/rewrite/shape_deductions.hpp"
#include "tools/rewrite/shared_variables.hpp"

#include <algorithm>
#include <iterator>

namespace tilesim::tools {
namespace {

/// Copies text and puts calls in the place of launches; nested launches by recursion.
class writer {
public:
  writer(const lexed& source,
         const found_launches& found,
         const std::vector<edit>& edits,
         const rewrite_options& options)
      : source_(source)
      , launches_(found.launches)
      , edits_(edits)
      , options_(options) {
    if (!options.system_folder.empty()) {
      system_prefix_ = '"' + options.system_folder;
    }
  }

  std::string take() {
    out_.reserve(source_.text.size() + 1024 * launches_.size());
    copy({0, source_.text.size()});
    return std::move(out_);
  }

private:
  // Copies a span with the launches in it rewritten.
  void copy(span s) {
    auto at = s.begin;
    while (next_ < launches_.size() && launches_[next_].callee.begin < s.end) {
      const auto& l = launches_[next_++];
      plain(at, l.callee.begin);
      call(l);
      at = l.end;
    }
    plain(at, s.end);
  }

  void plain(std::size_t begin, std::size_t end) {
    while (next_edit_ < edits_.size() && edits_[next_edit_].where.begin < end) {
      const auto& change = edits_[next_edit_++];
      unchanged(begin, change.where.begin);
      begin = change.where.end;
      const bool keeps = keeps_places(change.place);
      for (const auto& piece : change.by) {
        if (keeps && piece.shown_at != replacement::nowhere) {
          mark(piece.shown_at, piece.generated);
        }
        out_ += piece.text;
      }
      if (keeps && !change.by.empty()) {
        mark(begin);
      }
    }
    unchanged(begin, end);
  }

  void unchanged(std::size_t begin, std::size_t end) {
    if (resync_ != 0 && begin <= resync_ && resync_ <= end) {
      out_ += source_.text.substr(begin, resync_ - begin);
      begin = resync_;
      resync_ = 0;
      mark(begin);
    }
    flag_system_headers(begin, end);
    out_ += source_.text.substr(begin, end - begin);
  }

  // Copies up to the last linemarker in [begin, end) that names a header of the system folder,
  // and adds the flag that says so.
  void flag_system_headers(std::size_t& begin, std::size_t end) {
    const auto& markers = source_.markers;
    for (; next_marker_ < markers.size() && markers[next_marker_].offset <= end; ++next_marker_) {
      const auto& marker = markers[next_marker_];
      if (system_prefix_.empty() || marker.system || marker.offset <= begin ||
          !marker.file.starts_with(system_prefix_)) {
        continue;
      }
      out_ += source_.text.substr(begin, marker.offset - 1 - begin);
      out_ += " 3";
      begin = marker.offset - 1;
    }
  }

  // A newline, a linemarker and blanks: what follows stands where it stood in the user's file, or
  // at the beginning of its line, where that is very long. `generated` code draws no warnings.
  void mark(std::size_t offset, bool generated = false) {
    constexpr std::size_t widest = 500;
    const auto place = source_.locate(offset);
    out_ += "\n# " + std::to_string(place.line) + ' ';
    out_ += place.file;
    out_ += place.system || generated ? " 3\n" : "\n";
    if (place.column <= widest) {
      out_.append(place.column - 1, ' ');
    }
  }

  [[nodiscard]] bool keeps_places(text_place place) const {
    return place == text_place::code || (place == text_place::macro_argument && !options_.pedantic);
  }

  void call(const launch& l) {
    const bool keeps = keeps_places(l.place);
    const auto at = [&](std::size_t offset, bool generated = false) {
      if (keeps) {
        mark(offset, generated);
      }
    };
    out_ += l.without_arguments ? "" : "(";
    out_ += "::tilesim::detail::launching(::tilesim::detail::configure(";
    at(l.config.begin);
    copy(l.config);
    at(l.callee.begin, true);
    out_ += "), " + l.name + ") ? void() : ";
    at(l.callee.begin);
    out_ += source_.text.substr(l.callee.begin, l.callee.end - l.callee.begin);
    if (!l.without_arguments) {
      at(l.arguments.begin);
      copy(l.arguments);
      out_ += ')';
    }
    if (keeps) {
      mark(l.end);
    } else {
      resync_ = std::max(resync_, l.resync);
    }
  }

  const lexed& source_;
  const std::vector<launch>& launches_;
  const std::vector<edit>& edits_;
  const rewrite_options& options_;
  std::string out_;
  std::string system_prefix_;
  std::size_t next_edit_ = 0;
  std::size_t next_marker_ = 0;
  std::size_t next_ = 0;   ///< the launch that is to be written next
  std::size_t resync_ = 0; ///< where the next mark is due; 0 if none is
};

std::string to_string(const rewrite_error& error) {
  auto file = error.where.file;
  if (file.size() >= 2) {
    file = file.substr(1, file.size() - 2);
  }
  return std::string(file) + ':' + std::to_string(error.where.line) + ':' +
         std::to_string(error.where.column) + ": error: " + error.message;
}

} // namespace

rewritten rewrite_launches(std::string_view preprocessed, const rewrite_options& options) {
  const auto source = lex(preprocessed);
  auto found = find_launches(source);
  auto shared = find_shared_variables(source);
  std::ranges::move(shared.errors, std::back_inserter(found.errors));
  rewritten out;
  out.launches = found.launches.size();
  out.longest_body = longest_body(source);
  auto edits = std::move(found.edits);
  std::ranges::move(kernel_edits(source, options.erase_specifiers, found.errors),
                    std::back_inserter(edits));
  refuse_device_code(source, found.launches, options.system_folder, found.errors);
  if (options.lenient) {
    found.errors.clear();
  }
  for (const auto& error : found.errors) {
    out.errors.push_back(to_string(error));
  }
  for (const span& shape : shape_deductions(source)) {
    edits.push_back({shape, {{"extents"}}});
  }
  std::ranges::move(inline_ptx(source), std::back_inserter(edits));
  std::ranges::move(shared.edits, std::back_inserter(edits));
  std::ranges::stable_sort(edits, {}, [](const edit& e) { return e.where.begin; });
  out.text = writer(source, found, edits, options).take();
  return out;
}

} // namespace tilesim::tools
