// Smaller programs of one.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/reduce.hpp"

#include "tools/cli/failure.hpp"
#include "tools/cli/numbers.hpp"
#include "tools/fuzz/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <functional>
#include <set>
#include <sstream>

namespace tilesim::tools::fuzz {

namespace {

/// Is it there for what it writes? What a value passes through on its way, too, is none.
bool is_result(const statement& s) {
  return !s.makes;
}

bool mentions(const std::string& text, const std::string& name) {
  const auto of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !of_name(text[at - 1])) && (end == text.size() || !of_name(text[end]))) {
      return true;
    }
  }
  return false;
}

/// Removes what nothing uses: values, then buffers, then kernels that do nothing.
void tidy(program& p) {
  for (kernel& k : p.kernels) {
    std::set<std::size_t> used;
    std::vector<statement> kept;
    for (auto s = k.body.rbegin(); s != k.body.rend(); ++s) {
      if (is_result(*s) || used.contains(*s->makes)) {
        used.insert(s->uses.begin(), s->uses.end());
        kept.push_back(std::move(*s));
      }
    }
    k.body.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
    std::erase_if(k.buffers, [&](std::size_t b) {
      return std::ranges::none_of(
          k.body, [&](const statement& s) { return mentions(s.text, p.buffers[b].name); });
    });
  }
  std::erase_if(p.kernels, [](const kernel& k) { return k.body.empty(); });
}

/// A whole number that every element of the value might be; none where its range holds none.
std::optional<long long> number_within(const value& v) {
  if (v.type.element == boolean || v.within.any) {
    return 1;
  }
  const long double low = std::ceil(v.within.low);
  const long double high = std::floor(v.within.high);
  if (low > high || std::abs(low) > 1e15L) {
    return {};
  }
  return static_cast<long long>(std::clamp(1.0L, low, high));
}

class smaller_maker {
public:
  explicit smaller_maker(const program& p)
      : program_(p) {}

  std::vector<program> make() {
    single_results();
    fewer_kernels();
    fewer_results();
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
      // From the end: what stands there goes first, so that what it was made of may go, too.
      for (std::size_t s = program_.kernels[k].body.size(); s-- > 0;) {
        instead_of(k, s);
      }
    }
    simpler_launches();
    return std::move(made_);
  }

private:
  void keep(program p) {
    tidy(p);
    if (p.kernels.empty()) {
      return;
    }
    p.path.push_back(made_.size());
    made_.push_back(std::move(p));
  }

  [[nodiscard]] std::size_t results() const {
    std::size_t n = 0;
    for (const kernel& k : program_.kernels) {
      n += static_cast<std::size_t>(std::ranges::count_if(k.body, is_result));
    }
    return n;
  }

  void single_results() {
    if (results() < 2) {
      return;
    }
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
      for (std::size_t s = 0; s < program_.kernels[k].body.size(); ++s) {
        if (!is_result(program_.kernels[k].body[s])) {
          continue;
        }
        program p = program_;
        p.kernels = {p.kernels[k]};
        auto& body = p.kernels.front().body;
        std::vector<statement> rest;
        for (std::size_t i = 0; i < body.size(); ++i) {
          if (i == s || body[i].makes) {
            rest.push_back(body[i]);
          }
        }
        body = std::move(rest);
        keep(std::move(p));
      }
    }
  }

  void fewer_kernels() {
    for (std::size_t k = 0; program_.kernels.size() > 1 && k < program_.kernels.size(); ++k) {
      program p = program_;
      p.kernels.erase(p.kernels.begin() + static_cast<std::ptrdiff_t>(k));
      keep(std::move(p));
    }
  }

  void fewer_results() {
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
      for (std::size_t s = 0; s < program_.kernels[k].body.size(); ++s) {
        if (!program_.kernels[k].body[s].makes) {
          program p = program_;
          auto& body = p.kernels[k].body;
          body.erase(body.begin() + static_cast<std::ptrdiff_t>(s));
          keep(std::move(p));
        }
      }
    }
  }

  /// What it is made of, or a constant, instead of what the statement makes.
  void instead_of(std::size_t k, std::size_t s) {
    const kernel& whole = program_.kernels[k];
    const statement& old = whole.body[s];
    if (!old.makes || old.text.find("ct::full<") != std::string::npos) {
      return;
    }
    const value& v = whole.values[*old.makes];
    for (const std::size_t operand : std::set(old.uses.begin(), old.uses.end())) {
      const value& o = whole.values[operand];
      const bool fits = v.within.any || (!o.within.any && o.within.low >= v.within.low &&
                                         o.within.high <= v.within.high);
      if (o.type == v.type && fits) {
        program p = program_;
        auto& body = p.kernels[k].body;
        for (std::size_t i = s + 1; i < body.size(); ++i) {
          std::ranges::replace(body[i].uses, *old.makes, operand);
        }
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(s));
        keep(std::move(p));
      }
    }
    if (const auto number = number_within(v)) {
      program p = program_;
      statement& now = p.kernels[k].body[s];
      now.uses.clear();
      now.text = fmt::format("const auto {{r}} = ct::full<ct::tile<{0}, shape<{1}>>>"
                             "(static_cast<{0}>({2}));",
                             v.type.of().name,
                             fmt::join(v.type.shape, ", "),
                             *number);
      keep(std::move(p));
    }
  }

  void simpler_launches() {
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
      if (program_.kernels[k].blocks > 1) {
        program p = program_;
        p.kernels[k].blocks = 1;
        keep(std::move(p));
      }
      if (program_.kernels[k].stream != 0) {
        program p = program_;
        p.kernels[k].stream = 0;
        keep(std::move(p));
      }
    }
  }

  const program& program_;
  std::vector<program> made_;
};

} // namespace

std::size_t size_of(const program& p) {
  std::size_t n = 0;
  for (const kernel& k : p.kernels) {
    n += k.body.size();
  }
  return n;
}

std::vector<program> smaller_ones(const program& p) {
  return smaller_maker(p).make();
}

program program_of(const std::string& label, const wishes& w) {
  std::istringstream parts(label);
  std::string part;
  std::optional<program> found;
  while (std::getline(parts, part, '.')) {
    const auto n = number<std::uint64_t>(part);
    if (!n) {
      found.reset();
      break;
    }
    if (!found) {
      found = generate(*n, w);
      continue;
    }
    auto all = smaller_ones(*found);
    if (*n >= all.size()) {
      throw failure(exit_usage,
                    fmt::format("there is no program {}: {} has {} smaller ones",
                                shortened(label),
                                found->label(),
                                all.size()));
    }
    found = std::move(all[*n]);
  }
  if (!found || label.ends_with('.')) {
    throw failure(exit_usage,
                  fmt::format("'{}' is no program's name; write a seed, or '7.3' for the smaller "
                              "one 3 of seed 7",
                              shortened(label)));
  }
  return std::move(*found);
}

program minimised(program p,
                  std::size_t jobs,
                  const std::function<bool(const program&)>& shows,
                  const std::function<void(const program&)>& taken) {
  // The first of `all` from `i` on that shows it; their number where none does.
  const auto first_of = [&](const std::vector<program>& all, std::size_t i) {
    while (i < all.size()) {
      const std::size_t count = std::min(jobs, all.size() - i);
      std::vector<char> found(count, 0);
      in_parallel(count, jobs, [&](std::size_t k) { found[k] = shows(all[i + k]) ? 1 : 0; });
      const auto at = static_cast<std::size_t>(std::ranges::find(found, 1) - found.begin());
      i += at;
      if (at != count) {
        break;
      }
    }
    return i;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    // Where one was taken, the next round goes on: those before it were tried a moment ago.
    for (std::size_t i = 0;;) {
      auto all = smaller_ones(p);
      i = first_of(all, i);
      if (i >= all.size()) {
        break;
      }
      p = std::move(all[i]);
      smaller = true;
      if (taken) {
        taken(p);
      }
    }
  }
  return p;
}

} // namespace tilesim::tools::fuzz
