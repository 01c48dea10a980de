// The programs of a GPU's log, run here and compared.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/against.hpp"

#include "tools/build/cache.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/fuzz/parallel.hpp"
#include "tools/fuzz/reduce.hpp"
#include "tools/fuzz/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <span>
#include <sstream>

namespace tilesim::tools::fuzz {

namespace {

/// Runs one source of several programs. What ends one of them ends those behind it, so that they
/// are run again by themselves.
void simulate_unit(std::span<const program> programs,
                   const wishes& w,
                   const std::string& folder,
                   printed& said) {
  const std::string text =
      to_source({programs.begin(), programs.end()}, "tilesim fuzz" + to_words(w) + ", several");
  // A name by the content: the same source is found again in the cache.
  const std::string file = fmt::format("{}/{}.cu", folder, hash_bytes(text));
  write_file(file, text);
  const process_result result =
      run_process({"/proc/self/exe", "run", "-O0", "--arith", "hardware", file});
  for (const program& p : programs) {
    said[p.label()];
  }
  std::istringstream lines(result.output);
  std::vector<std::string> others;
  for (std::string line; std::getline(lines, line);) {
    const auto found = said.find(line.substr(0, line.find(' ')));
    (found == said.end() ? others : found->second).push_back(line);
  }
  if (result.status == 0 && others.empty()) {
    return;
  }
  if (programs.size() > 1) {
    said.clear();
    for (const program& p : programs) {
      printed one;
      simulate_unit({&p, 1}, w, folder, one);
      said.merge(one);
    }
    return;
  }
  auto& own = said[programs.front().label()];
  own.insert(own.end(), others.begin(), others.end());
  own.push_back(fmt::format("error: exit status {}, of {}", result.status, file));
}

struct difference {
  std::size_t line; ///< from 1
  std::string there, here;
};

/// A line without the signs of what is no number: the reference leaves them open, and hashes take
/// every NaN for the same.
std::string without_nan_signs(std::string line) {
  for (std::size_t at = 0; (at = line.find(" -nan", at)) != std::string::npos;) {
    line.erase(at + 1, 1);
  }
  return line;
}

std::optional<difference> first_difference(const std::vector<std::string>& there,
                                           const std::vector<std::string>& here) {
  const auto at = [](const std::vector<std::string>& lines, std::size_t i) {
    return i < lines.size() ? lines[i] : std::string("(nothing)");
  };
  for (std::size_t i = 0; i < std::max(there.size(), here.size()); ++i) {
    if (without_nan_signs(at(there, i)) != without_nan_signs(at(here, i))) {
      return difference{i + 1, at(there, i), at(here, i)};
    }
  }
  return {};
}

} // namespace

printed
simulate(const std::vector<program>& programs, const wishes& w, const run_request& request) {
  std::string folder = request.folder;
  if (folder.empty()) {
    folder = cache::open().folder() + "/tmp/fuzz"; // removed by and by
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw failure(exit_unavailable, fmt::format("{}: {}", folder, error.message()));
  }
  const std::size_t each = std::max<std::size_t>(1, request.per_file);
  const std::size_t units = (programs.size() + each - 1) / each;
  std::mutex mutex;
  printed all;
  progress line(fmt::format("tilesim: {} programs", programs.size()));
  in_parallel(units, request.jobs, [&](std::size_t u) {
    printed some;
    simulate_unit(
        std::span(programs).subspan(u * each, std::min(each, programs.size() - (u * each))),
        w,
        folder,
        some);
    const std::scoped_lock lock(mutex);
    all.merge(some);
    line.tick(fmt::format("tilesim: {} of {} programs", all.size(), programs.size()));
  });
  return all;
}

int compare_with_log(const std::string& name, const log& there, const run_request& request) {
  std::vector<program> programs;
  for (const logged_program& p : there.programs) {
    try {
      programs.push_back(program_of(p.label, there.by));
    } catch (const failure& e) {
      fail_at(name, p.at, e.what());
    }
  }
  const printed here = simulate(programs, there.by, request);
  std::size_t differing = 0;
  const program* smallest = nullptr;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const logged_program& p = there.programs[i];
    const auto difference = first_difference(p.lines, here.at(p.label));
    if (!difference) {
      continue;
    }
    ++differing;
    if (smallest == nullptr || size_of(programs[i]) < size_of(*smallest)) {
      smallest = &programs[i];
    }
    print_out(
        fmt::format("{}: line {} differs; tilesim fuzz --seed {}{}\n  there: {}\n  here:  {}\n",
                    p.label,
                    difference->line,
                    p.label,
                    to_words(there.by),
                    difference->there,
                    difference->here));
  }
  for (const std::string& about : there.about) {
    print_out(fmt::format("  {}\n", about));
  }
  print_out(fmt::format("{} programs compared, {} differ\n", programs.size(), differing));
  if (smallest != nullptr && programs.size() > 1) {
    print_out(fmt::format(
        "the smallest of them: {}, {} statements\n", smallest->label(), size_of(*smallest)));
  }
  if (!there.whole) {
    print_out(fmt::format("{} has no line 'end': programs may be missing\n", name));
  }
  return differing != 0 ? exit_findings : there.whole ? exit_clean : exit_incomplete;
}

} // namespace tilesim::tools::fuzz
