// Findings as text: verdict first, then who and what, then the way out.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/findings/report_text.hpp"

#include "sim/contract/counted.hpp"
#include "sim/contract/frames_text.hpp"

#include <fmt/format.h>

namespace tilesim::sim {

namespace {

struct paint {
  bool on;
  [[nodiscard]] const char* bold() const { return on ? "\033[1m" : ""; }
  [[nodiscard]] const char* red() const { return on ? "\033[1;31m" : ""; }
  [[nodiscard]] const char* cyan() const { return on ? "\033[1;36m" : ""; }
  [[nodiscard]] const char* off() const { return on ? "\033[0m" : ""; }
};

} // namespace

std::string render(const finding& f, bool colour) {
  const paint p{colour};
  const bool defect = f.severity == finding::level::defect;
  std::string text = fmt::format("{}{}:{} {}{}:{} {} [{}]\n",
                                 p.bold(),
                                 f.where.empty() ? "tilesim" : to_string(f.where.front()),
                                 p.off(),
                                 defect ? p.red() : p.cyan(),
                                 defect ? "error" : "note",
                                 p.off(),
                                 f.message,
                                 code(f.kind));
  for (const std::string& line : f.details) {
    text += fmt::format("  {}\n", line);
  }
  text += frames_text(f.where, "in");
  if (f.other.size() > 1) {
    text += frames_text(f.other, "other in");
  }
  if (!f.remedy.empty()) {
    text += fmt::format("  to fix: {}\n", f.remedy);
  }
  for (const stale_read& s : f.stale) {
    text += fmt::format("  stale read{}: {}\n    forbidden by: {}\n",
                        s.where.empty() ? "" : " at " + to_string(s.where.front()),
                        s.message,
                        s.remedy);
  }
  return text;
}

std::string render_summary(const report& r, bool colour) {
  const paint p{colour};
  std::string text;
  for (const finding& f : r.findings) {
    text += fmt::format("{}summary:{} {}: {}, {}\n",
                        p.bold(),
                        p.off(),
                        code(f.kind),
                        f.where.empty() ? "no source line" : to_string(f.where.front()),
                        counted(f.count, "time"));
  }
  return text;
}

} // namespace tilesim::sim
