// Writes the calls that launches become, and the linemarkers that keep columns.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite.hpp"

#include <algorithm>

namespace tilesim::driver {
namespace {

/// Copies text and puts calls in the place of launches; nested launches by recursion.
class writer {
public:
  writer(const lexed& source, const found_launches& found, const rewrite_options& options)
      : source_(source)
      , launches_(found.launches)
      , edits_(found.edits)
      , options_(options) {
    if (!options.system_folder.empty())
      system_prefix_ = '"' + options.system_folder;
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
      if (!change.text.empty()) {
        out_ += change.text;
        if (!options_.pedantic)
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
          !marker.file.starts_with(system_prefix_))
        continue;
      out_ += source_.text.substr(begin, marker.offset - 1 - begin);
      out_ += " 3";
      begin = marker.offset - 1;
    }
  }

  // A newline, a linemarker and blanks: what follows stands where it stood in the user's file.
  // `generated` code draws no warnings: [=] may capture `this`, which C++20 deprecates.
  void mark(std::size_t offset, bool generated = false) {
    const auto place = source_.locate(offset);
    out_ += "\n# " + std::to_string(place.line) + ' ';
    out_ += place.file;
    out_ += place.system || generated ? " 3\n" : "\n";
    out_.append(place.column - 1, ' ');
  }

  // The user's own text, at its own place where that can be.
  void original(const launch& l, span s) {
    if (keeps_places(l))
      mark(s.begin);
    out_ += source_.text.substr(s.begin, s.end - s.begin);
  }

  [[nodiscard]] bool keeps_places(const launch& l) const {
    return l.place == launch_place::code ||
           (l.place == launch_place::macro_argument && !options_.pedantic);
  }

  void call(const launch& l) {
    out_ += "::tilesim::detail::launch(::tilesim::detail::configure(";
    if (keeps_places(l))
      mark(l.config.begin);
    copy(l.config);
    if (keeps_places(l))
      mark(l.callee.begin, true);
    out_ += "), ::tilesim::kernel_kind::";
    out_ += l.kind;
    out_ += ", " + l.name + ", ";
    closure(l);
    out_ += ')';
    if (!l.without_arguments) {
      // The call stands where this parenthesis does, for the debugger and for tilesim's reports.
      if (keeps_places(l))
        mark(l.callee.begin);
      out_ += '(';
      if (keeps_places(l) && l.args.end != 0)
        mark(l.args.begin);
      arguments(l);
      out_ += ')';
    }
    if (keeps_places(l))
      mark(l.end);
    else
      resync_ = std::max(resync_, l.resync);
  }

  // The call of the kernel, with each argument wrapped in `wrapper`.
  void kernel_call(const launch& l, std::string_view wrapper) {
    if (l.callee_is_value) {
      if (keeps_places(l))
        mark(l.callee.begin);
      out_ += "tilesim_k";
    } else if (l.this_callee) {
      // A kernel is a static member: naming it through the type captures no `this`.
      const auto arrow = source_.text.find("->", l.callee.begin);
      out_ += "::std::remove_cvref_t<decltype(*this)>::";
      original(l, {arrow + 2, l.callee.end});
    } else {
      original(l, l.callee);
    }
    out_ += '(';
    out_ += wrapper;
    out_ += wrapper.empty() ? "tilesim_a..." : "(tilesim_a)...";
    out_ += ')';
  }

  void closure(const launch& l) {
    out_ += l.at_namespace_scope ? "[" : "[=";
    if (l.callee_is_value) { // found once, at the launch
      out_ += l.at_namespace_scope ? "tilesim_k = " : ", tilesim_k = ";
      original(l, l.callee);
    }
    out_ += "](auto... tilesim_a) { ";
    if (l.zeros.empty()) {
      kernel_call(l, "");
      out_ += "; }";
      return;
    }
    // A literal zero is a number or a null pointer: whichever the kernel takes.
    out_ += "if constexpr (requires { ";
    kernel_call(l, "::tilesim::detail::plain");
    out_ += "; }) { ";
    kernel_call(l, "::tilesim::detail::plain");
    out_ += "; } else { ";
    kernel_call(l, "::tilesim::detail::as_null");
    out_ += "; } }";
  }

  void arguments(const launch& l) {
    auto at = l.args.begin;
    for (const auto& zero : l.zeros) {
      copy({at, zero.begin});
      out_ += "::tilesim::detail::literal_zero{}";
      at = zero.end;
      if (keeps_places(l) && at != l.args.end)
        mark(at);
    }
    copy({at, l.args.end});
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
  if (file.size() >= 2)
    file = file.substr(1, file.size() - 2);
  return std::string(file) + ':' + std::to_string(error.where.line) + ':' +
         std::to_string(error.where.column) + ": error: " + error.message;
}

} // namespace

rewritten rewrite_launches(std::string_view preprocessed, const rewrite_options& options) {
  const auto source = lex(preprocessed);
  const kernel_names kernels(source);
  auto found = find_launches(source, kernels);
  if (options.lenient)
    found.errors.clear();
  rewritten out;
  out.launches = found.launches.size();
  for (const auto& error : found.errors)
    out.errors.push_back(to_string(error));
  out.text = writer(source, found, options).take();
  return out;
}

} // namespace tilesim::driver
