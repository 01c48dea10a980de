// What threads are to write.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/wishes.hpp"

#include "memmodel/explore/wanted_memory.hpp"

#include <algorithm>
#include <tuple>

namespace tilesim::memmodel::explore {

namespace {

constexpr std::size_t most_divisions = 256;
constexpr std::uint64_t longest_row = 1U << 16U;

} // namespace

wishes::wishes(const wanted_memory& wanted, threads& program)
    : wanted_(wanted)
    , program_(program)
    , places_(program.places()) {}

std::optional<std::uint64_t> wishes::at(const byte_range& bytes) const {
  const place_key key = key_of(bytes);
  if (open_.contains(key)) {
    return {};
  }
  const auto derived = derived_.find(key);
  return derived != derived_.end() ? derived->second : wanted_.at(bytes);
}

bool wishes::is_last(const byte_range& bytes, std::uint64_t value) const {
  return open_.contains(key_of(bytes)) && wanted_.at(bytes) == value;
}

bool wishes::is_hopeless(const byte_range& bytes, std::uint64_t value) const {
  const auto found = allowed_.find(key_of(bytes));
  return found != allowed_.end() && !found->second->contains(value);
}

bool wishes::learn(std::span<const interleaving::access> made) {
  const std::size_t open = open_.size();
  const std::map<place_key, std::uint64_t> derived = derived_;
  find_open(made);
  find_sources(made);
  find_rows(made);
  return open_.size() != open || derived_ != derived;
}

// A place that is written several times may hold something else meanwhile.
void wishes::find_open(std::span<const interleaving::access> made) {
  std::set<place_key> written;
  for (const auto& a : made) {
    if (a.writes && !written.insert(key_of(a.bytes)).second) {
      open_.insert(key_of(a.bytes));
    }
  }
}

// The last thing that the thread has read of just the value that it writes is where that came from.
void wishes::find_sources(std::span<const interleaving::access> made) {
  copied_from_.clear();
  derived_.clear();
  std::set<place_key> written;
  std::map<std::tuple<thread_id, std::uint32_t, std::uint64_t>, std::size_t> reads;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto& a = made[i];
    if (a.kind == step_kind::load && written.contains(key_of(a.bytes))) {
      reads[{a.by, a.bytes.size, a.read}] = i;
    }
    if (a.kind == step_kind::store) {
      if (const auto r = reads.find({a.by, a.bytes.size, a.wrote}); r != reads.end()) {
        copied_from_[i] = r->second;
      }
    }
    if (a.writes) {
      written.insert(key_of(a.bytes));
    }
  }
  std::set<place_key> several; // things are to be read there
  for (auto c = copied_from_.rbegin(); c != copied_from_.rend(); ++c) { // copies of copies: earlier
    const byte_range& from = made[c->second].bytes;
    const auto wish = at(made[c->first].bytes);
    if (wish && !wanted_.at(from)) {
      const auto [it, is_new] = derived_.try_emplace(key_of(from), *wish);
      if (!is_new && it->second != *wish) {
        several.insert(key_of(from));
      }
    }
  }
  for (const place_key& k : several) {
    derived_.erase(k);
  }
}

// --- Rows.

bool wishes::some_rows() const noexcept {
  return std::ranges::any_of(families_, [](const row_family& f) { return f.rows.size() > 1; });
}

// An update that adds n, and n stores that follow it at once.
void wishes::find_rows(std::span<const interleaving::access> made) {
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto& u = made[i];
    const std::uint64_t n = u.wrote - u.read;
    if (u.kind != step_kind::update || !u.writes || n == 0 || n > longest_row) {
      continue;
    }
    std::vector<std::size_t> stores;
    for (std::size_t j = i + 1; j < made.size() && !made[j].chosen; ++j) {
      if (made[j].kind == step_kind::store && wanted_.at(made[j].bytes)) {
        stores.push_back(j);
      }
    }
    if (stores.size() == n) {
      std::ranges::sort(stores, {}, [&](std::size_t s) { return made[s].bytes.address; });
      add_row(u, stores, made);
    }
  }
}

void wishes::add_row(const interleaving::access& update,
                     std::span<const std::size_t> stores,
                     std::span<const interleaving::access> made) {
  const byte_range first = made[stores.front()].bytes;
  row r;
  for (std::size_t i = 0; i < stores.size(); ++i) {
    const auto& s = made[stores[i]];
    const auto from = copied_from_.find(stores[i]);
    if (s.bytes != byte_range{first.address + i * first.size, first.size} ||
        from == copied_from_.end()) {
      return;
    }
    r.sources.push_back(key_of(made[from->second].bytes));
    r.values.insert(s.wrote);
  }
  const std::uint64_t array = first.address - update.read * first.size;
  const place& at = places_[update.by];
  auto f = std::ranges::find_if(families_, [&](const row_family& other) {
    return other.taken == update.bytes && other.array == array && other.size == first.size;
  });
  if (f == families_.end()) {
    f = families_.insert(f,
                         {.taken = update.bytes, .array = array, .size = first.size, .rows = {}});
  }
  row& known = f->rows[{at.gpu, at.cluster, at.cta}];
  known.values.merge(r.values);
  if (known.sources.size() < r.sources.size()) {
    known.sources = std::move(r.sources);
  }
}

void wishes::divide(const row_family& f,
                    std::span<const std::uint64_t> all,
                    std::vector<part>& so_far) {
  const std::size_t begin = so_far.empty() ? 0 : so_far.back().end;
  if (begin == all.size()) {
    divisions_->push_back(so_far);
    return;
  }
  std::vector<part> next;
  for (const auto& [name, r] : f.rows) {
    if (std::ranges::any_of(so_far, [&r = r](const part& p) { return p.of == &r; })) {
      continue;
    }
    std::size_t end = begin;
    while (end < all.size() && end - begin < r.sources.size() && r.values.contains(all[end])) {
      ++end;
    }
    next.push_back({&r, begin, end});
  }
  std::ranges::stable_sort(next, {}, [](const part& p) { return ~p.end; }); // the longest first
  for (part p : next) {
    for (; p.end > p.begin && divisions_->size() < most_divisions; --p.end) {
      so_far.push_back(p);
      divide(f, all, so_far);
      so_far.pop_back();
    }
  }
}

void wishes::find_divisions() {
  divisions_.emplace();
  for (const row_family& f : families_) {
    const auto end = wanted_.at(f.taken);
    const std::uint64_t begin = program_.initial(f.taken);
    if (f.rows.size() < 2 || !end || *end <= begin || *end - begin > longest_row) {
      continue;
    }
    whole_.clear();
    for (std::uint64_t i = begin; i < *end; ++i) {
      const auto value = wanted_.at({f.array + i * f.size, f.size});
      if (!value) {
        return;
      }
      whole_.push_back(*value);
    }
    divided_ = &f;
    std::vector<part> none;
    divide(f, whole_, none);
    return; // of one array
  }
}

bool wishes::divide_anew() {
  if (!divisions_) {
    find_divisions();
  }
  if (next_division_ == divisions_->size()) {
    return false;
  }
  allowed_.clear();
  allowed_sets_.clear();
  const std::vector<part>& parts = (*divisions_)[next_division_++];
  allowed_sets_.reserve(parts.size() + 1);
  const auto& nothing = allowed_sets_.emplace_back();
  for (const row_family& f : families_) { // whoever has no part of it takes no place
    for (const auto& [name, r] : f.rows) {
      for (const place_key& from : r.sources) {
        if (divided_ == &f) {
          allowed_[from] = &nothing;
          derived_.erase(from);
        }
      }
    }
  }
  for (const part& p : parts) {
    auto& values = allowed_sets_.emplace_back(whole_.begin() + static_cast<std::ptrdiff_t>(p.begin),
                                              whole_.begin() + static_cast<std::ptrdiff_t>(p.end));
    for (std::size_t i = 0; i < p.of->sources.size(); ++i) {
      const place_key& from = p.of->sources[i];
      allowed_[from] = &values;
      if (i < p.end - p.begin) {
        derived_[from] = whole_[p.begin + i];
      }
    }
  }
  return true;
}

} // namespace tilesim::memmodel::explore
