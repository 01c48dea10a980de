// Products are kept beside each thread, and taken into the sums that are fused.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contraction/fused_sums.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/options.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/contraction/compiled_places.hpp"
#include "sim/core/context.hpp"
#include "sim/core/contractor.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/run_desk.hpp"

#define XXH_INLINE_ALL
#include <array>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unistd.h>
#include <unordered_map>
#include <unwind.h>
#include <utility>
#include <vector>
#include <xxhash.h>

namespace tilesim::sim::contraction {

namespace {

using machine::attributes;
using machine::in;
using machine::opcode;
using machine::out;

/// Bits of a floating-point element whose lowest byte comes first; 0: it is none that fuses.
constexpr unsigned bits_of(element e) {
  switch (e) {
  case element::f16:
  case element::bf16:
    return 16;
  case element::f32:
    return 32;
  case element::f64:
    return 64;
  default:
    return 0;
  }
}

const char* name_of(element e) {
  switch (e) {
  case element::f16:
    return "f16";
  case element::bf16:
    return "bf16";
  case element::f32:
    return "f32";
  default:
    return "f64";
  }
}

std::size_t size_of(const machine::tile_type& type) {
  return std::size_t{bits_of(type.elem) / 8} * type.count;
}

/// Of a tile's bytes, and how it was made of them.
std::uint64_t hash_of(const in& tile, std::uint64_t with) {
  return XXH3_64bits_withSeed(tile.data, size_of(*tile.type), with);
}

std::uint64_t modes_of(const attributes& modes, element e) {
  return (static_cast<std::uint64_t>(modes.round) << 16U) | (static_cast<std::uint64_t>(e) << 8U) |
         (modes.flush_to_zero ? 1U : 0U);
}

struct product {
  std::array<const machine::tile_type*, 2> types{};
  std::array<std::vector<std::byte>, 2> operands;
  std::uint64_t number = 0; ///< the latest has the greatest

  [[nodiscard]] std::size_t bytes() const { return operands[0].size() + operands[1].size(); }
};

/// What a thread has multiplied, by what came of it.
class products {
public:
  void keep(std::uint64_t hash, const in* operands) {
    product& p = known_[hash];
    held_ -= p.bytes();
    for (std::size_t i = 0; i < 2; ++i) {
      const auto* const from = static_cast<const std::byte*>(operands[i].data);
      p.types[i] = operands[i].type;
      p.operands[i].assign(from, from + size_of(*operands[i].type));
    }
    p.number = ++made_;
    held_ += p.bytes();
    order_.emplace_back(p.number, hash);
    while (held_ > most_bytes && order_.size() > 1) {
      forget_oldest();
    }
  }
  [[nodiscard]] const product* find(std::uint64_t hash) const {
    const auto found = known_.find(hash);
    return found == known_.end() ? nullptr : &found->second;
  }

private:
  static constexpr std::size_t most_bytes = std::size_t{256} << 20U; ///< of a thread

  void forget_oldest() {
    const auto [number, hash] = order_.front();
    order_.pop_front();
    const auto found = known_.find(hash);
    if (found != known_.end() && found->second.number == number) { // not made anew since
      held_ -= found->second.bytes();
      known_.erase(found);
    }
  }

  std::unordered_map<std::uint64_t, product> known_;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> order_; ///< numbers and hashes
  std::uint64_t made_ = 0;
  std::size_t held_ = 0;
};

/// Return addresses of the running thread's stack, from the call that returns to `site` on.
std::vector<const void*> stack_from(const void* site) {
  struct walk {
    const void* site;
    std::vector<const void*> found = {};
  } w{site};
  constexpr std::size_t deepest = 64;
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* data) {
        walk& to = *static_cast<walk*>(data);
        const auto* const pc = reinterpret_cast<const void*>(_Unwind_GetIP(frame));
        if (pc == to.site || !to.found.empty()) {
          to.found.push_back(pc);
        }
        return pc == nullptr || to.found.size() >= deepest ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &w);
  return w.found;
}

class fused_sums final : public watcher, public contractor {
public:
  /// Without a table: by the rule.
  fused_sums(std::optional<sum_table> table, bool tells)
      : tells_(tells) {
    if (table) {
      places_.emplace(std::move(*table));
    }
  }

  [[nodiscard]] wanted_events wants() const override { return nothing; }
  void thread_ends(const sim_thread& t) override { threads_.erase(&t); }
  void run_ends(run_end /*how*/, int /*status*/) override {
    if (tells_ && left_ != 0) {
      std::fflush(nullptr);
      print_error("tilesim: note: {} sum{} {} not fused that may be: {}, first at {}\n",
                  left_,
                  left_ == 1 ? "" : "s",
                  left_ == 1 ? "was" : "were",
                  left_why_,
                  place(left_at_));
    }
  }

  void multiplied(const sim_thread& t,
                  const attributes& modes,
                  const out& result,
                  const in* operands) override {
    const element e = result.type->elem;
    if (bits_of(e) != 0 && may_fuse(t)) {
      threads_[&t].multiplied.keep(hash_of({result.type, result.data}, modes_of(modes, e)),
                                   operands);
    }
  }

  answer adds(const sim_thread& t,
              opcode op,
              const attributes& modes,
              const out& result,
              const in* operands,
              in* of_fma) override {
    const element e = result.type->elem;
    if (bits_of(e) == 0 || !may_fuse(t)) {
      return answer::apart;
    }
    thread_state& mine = threads_[&t];
    const std::uint64_t with = modes_of(modes, e);
    const std::array<std::uint64_t, 2> hashes{hash_of(operands[0], with),
                                              hash_of(operands[1], with)};
    const std::uint64_t whole =
        XXH3_64bits_withSeed(hashes.data(), sizeof(hashes), op == opcode::subf ? 1 : 0);
    bool of_left = false; // if it is a product
    if (places_) {
      const auto said = said_of(t, e);
      if (!said) { // merged with an equal one: as that
        const auto before = mine.added.find(whole);
        if (before == mine.added.end() || !before->second) {
          return answer::apart;
        }
      } else if (said->is != compiled_sum::how::fused) {
        mine.added[whole] = false;
        if (said->is == compiled_sum::how::open) {
          leave(t.site, knows_lines_ ? "several stand there" : "the program has no lines (-g0)");
          return answer::open;
        }
        return answer::apart;
      } else {
        of_left = said->of_two;
      }
    }
    if (mine.added.size() >= most_added) {
      mine.added.clear(); // a merged sum stands near its twin
    }
    const bool fused = take_product(mine, op, hashes, of_left || !places_, operands, of_fma);
    mine.added[whole] = fused;
    if (!fused && places_) {
      leave(t.site, "no tile operation has computed the product");
      return answer::open;
    }
    return fused ? answer::fused : answer::apart;
  }

private:
  static constexpr std::size_t most_added = std::size_t{1} << 20U;

  struct thread_state {
    products multiplied;
    std::unordered_map<std::uint64_t, bool> added; ///< sums, by operands: whether they were fused
    std::vector<std::byte> negated;
  };

  /// A sum that may be fused, and is not.
  void leave(const void* site, const char* why) {
    if (left_++ == 0) {
      left_at_ = site;
      left_why_ = why;
    }
  }

  [[nodiscard]] bool may_fuse(const sim_thread& t) {
    if (!places_) {
      return true;
    }
    const auto [known, is_new] = fusing_.try_emplace(t.launch->kernel.name);
    if (is_new) {
      known->second = places_->fuses(known->first);
    }
    return known->second;
  }

  /// What the table says of the sum that the thread is about to compute; nothing: it has no such.
  std::optional<compiled_sum> said_of(const sim_thread& t, element e) {
    const std::string_view kernel = t.launch->kernel.name;
    const auto [known, is_new] = sites_.try_emplace({std::string(kernel), t.site, e});
    if (is_new) {
      const auto frames = resolve(t.site);
      knows_lines_ = knows_lines_ || !frames.empty();
      known->second = places_->at(kernel, name_of(e), frames);
    }
    if (!knows_lines_) {
      return compiled_sum{.is = compiled_sum::how::open};
    }
    const auto& sums = known->second;
    if (sums.empty()) {
      return {};
    }
    if (auto all = one_of(sums)) {
      return all;
    }
    // Functions that have not been inlined here: their callers tell.
    std::vector<source_frame> frames;
    for (const void* const pc : stack_from(t.site)) {
      const auto more = resolve(pc);
      frames.insert(frames.end(), more.begin(), more.end());
    }
    if (auto closer = one_of(places_->at(kernel, name_of(e), frames))) {
      return closer;
    }
    compiled_sum unknown = *sums.front();
    unknown.is = compiled_sum::how::open;
    return unknown;
  }

  /// Makes the operands of an fma: of the left operand's product, or else of the right one's.
  /// [docs/hardware.md: contraction] `left_first`: whatever came later, since both are products.
  static bool take_product(thread_state& mine,
                           opcode op,
                           const std::array<std::uint64_t, 2>& hashes,
                           bool left_first,
                           const in* operands,
                           in* of_fma) {
    const product* const left = mine.multiplied.find(hashes[0]);
    const product* const right = op == opcode::addf ? mine.multiplied.find(hashes[1]) : nullptr;
    const bool takes_left =
        left != nullptr && (right == nullptr || left_first || left->number >= right->number);
    const product* const p = takes_left ? left : right;
    if (p == nullptr) {
      return false;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      of_fma[i] = {p->types[i], p->operands[i].data()};
    }
    of_fma[2] = operands[takes_left ? 1 : 0];
    if (op == opcode::subf) {
      const std::size_t size = bits_of(of_fma[2].type->elem) / 8;
      const auto* const from = static_cast<const std::byte*>(of_fma[2].data);
      mine.negated.assign(from, from + size_of(*of_fma[2].type));
      for (std::size_t i = size - 1; i < mine.negated.size(); i += size) {
        mine.negated[i] ^= std::byte{0x80};
      }
      of_fma[2].data = mine.negated.data();
    }
    return true;
  }

  const bool tells_;
  bool knows_lines_ = false;
  std::uint64_t left_ = 0; ///< sums that may be fused, and were not
  const void* left_at_ = nullptr;
  const char* left_why_ = "";
  std::optional<compiled_places> places_;
  std::map<std::string, bool> fusing_; ///< kernels
  std::map<std::tuple<std::string, const void*, element>, std::vector<const compiled_sum*>> sites_;
  std::unordered_map<const sim_thread*, thread_state> threads_;
};

} // namespace

void attach(context& c) {
  std::optional<sum_table> table;
  if (c.opts.contract != contract_by_rule) {
    std::ifstream from(c.opts.contract, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(from), {}};
    try {
      table = sums_from_text(text);
    } catch (const bad_sum_table& e) {
      std::fflush(nullptr);
      print_error("tilesim: error: {}: {}; make the table anew: 'tilesim gpu sums'\n",
                  c.opts.contract,
                  e.what());
      _exit(exit_usage);
    }
  }
  auto made = std::make_unique<fused_sums>(std::move(table), !c.opts.quiet);
  c.exec->desk().contracts = made.get();
  c.exec->attach(std::move(made));
}

} // namespace tilesim::sim::contraction
