// The engine of check mode: as the direct one, and every access goes to the race detector first.
// With choices it is the weak one: a strong read of a kernel's may be given an older write, of
// those that the detector's clocks leave to it. Memory itself holds the newest; only for the
// instruction of a raw read does an older value lie there meanwhile.
//
// It knows who is who: blocks of launches, copies, the host. The detector knows numbers only; what
// it finds becomes a finding here, one for each pair of places in the source.
//
// One file in spite of its length: each member is a verb of the interface, and all share what an
// access is made of.
//
// SPDX-License-Identifier: Apache-2.0

#include "sim/engines/detect_engine.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/detect/detector.hpp"
#include "sim/engines/agents.hpp"
#include "sim/engines/phases.hpp"
#include "sim/engines/race_report.hpp"
#include "sim/engines/strong_reads.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/memory/orders.hpp"
#include "sim/naming/address_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

using detect::memory_order;

struct known_to_be_done final : done_before {
  detect::knowledge what;
};

class detect_engine final : public memory_engine {
public:
  detect_engine(context& c, std::unique_ptr<read_choices> choices)
      : context_(c)
      , direct_(make_direct_engine())
      , races_(c, detector_)
      , agents_(c, detector_, races_)
      , reads_(c, detector_, races_, std::move(choices)) {
    if (c.opts.races) {
      detector_.on_race = [this](const detect::race& r) { races_.report(r); };
      detector_.passes_over = [this](const detect::race& r) { return races_.let_pass(r); };
    }
  }

  void begin(launch_state& l) override {
    l.first_agent = begin_agents(
        l, l.kind == kernel_kind::tile ? detect::task_kind::tile : detect::task_kind::simt, false);
  }

  // To the detector an asynchronous copy is an agent of its own, of which a thread has one: what it
  // has done is known to who has waited for it.  [CUDA C++: memcpy_async]
  void copy_begins(sim_thread& t) override {
    settle();
    const detect::agent_id thread = agents::of(t);
    launch_state& l = *t.launch;
    if (l.first_copier == 0) {
      l.first_copier = begin_agents(l, detect::task_kind::simt, true);
    }
    t.copies = true;
    detector_.learn(agents::of(t), detector_.done_by(thread));
  }
  void copy_ends(sim_thread& t, phase_name awaits) override {
    settle();
    phases_.await(awaits, detector_.done_by(agents::of(t)));
    t.copies = false;
  }
  void copies_awaited(sim_thread& t, phase_name end) override {
    const detect::knowledge done = phases_.awaited_up_to(end);
    if (!done.empty()) {
      settle();
      detector_.learn(agents::of(t), done);
    }
  }
  void copies_handed_on(sim_thread& /*t*/, phase_name end, phase_name to) override {
    const detect::knowledge done = phases_.awaited_up_to(end);
    if (!done.empty()) {
      phases_.await(to, done);
    }
  }

  void phase_ended(sim_thread& t, std::uintptr_t barrier) override {
    phases_.ended(t, barrier, detector_.next() - 1);
  }
  std::optional<phase_end> unordered_phase_end(sim_thread& t, std::uintptr_t barrier) override {
    return phases_.unordered_end(t, agents::of(t), barrier, detector_);
  }

  void
  raw(const accessor& who, const plain_access& a, access_kind kind, bool /*same_call*/) override {
    settle();
    const bool strong = a.order != memory_order::weak;
    if (strong && kind == access_kind::read && choose_object(who, a)) {
      access_bytes(who, a, true, false);
      lend(a);
      note_stale(*who.thread); // it would sleep until memory changes, which holds the newest
      return;
    }
    access_bytes(who, a, kind != access_kind::write, kind != access_kind::read);
    if (strong && kind != access_kind::read) {
      overwrote(a, reinterpret_cast<const void*>(a.address)); // the program is about to
    }
  }

  void
  fence(const accessor& who, const void* site, memory_order order, memmodel::scope scope) override {
    settle();
    detector_.fence(agents_.of(who), order, scope, site);
  }

  void barrier(const meeting& m) override {
    settle();
    met_.clear();
    for (const sim_thread* t : m.threads) {
      met_.push_back(agents::of(*t));
    }
    detector_.meet(met_,
                   m.grid   ? detect::meeting_of::grid
                   : m.all  ? detect::meeting_of::block
                   : m.warp ? detect::meeting_of::warp
                            : detect::meeting_of::some);
  }

  std::shared_ptr<const done_before>
  arrives(sim_thread& t, const std::shared_ptr<const done_before>& others) override {
    settle();
    auto all = std::make_shared<known_to_be_done>();
    all->what = detector_.done_by(agents::of(t));
    if (others != nullptr) {
      all->what = all->what.joined(static_cast<const known_to_be_done&>(*others).what);
    }
    return all;
  }
  void comes_behind(sim_thread& t, const done_before& others) override {
    settle();
    detector_.learn(agents::of(t), static_cast<const known_to_be_done&>(others).what);
  }

  void load(const accessor& who, const plain_access& a, void* out) override {
    settle();
    fence_before(who, a);
    const bool stale = choose_object(who, a);
    direct_->load(who, a, out);
    access_object(who, a, true, false);
    if (stale) {
      std::memcpy(out, &chosen_.front().value, a.bytes);
      note_stale(*who.thread);
    }
  }
  bool store(const accessor& who, const plain_access& a, const void* value) override {
    settle();
    fence_before(who, a);
    std::uint64_t before = 0;
    if (a.bytes <= sizeof before) {
      std::memcpy(&before, reinterpret_cast<const void*>(a.address), a.bytes);
    }
    const bool changed = direct_->store(who, a, value);
    access_object(who, a, false, true);
    overwrote(a, &before);
    return changed;
  }
  bool
  update(const accessor& who, const plain_access& a, const object_change& f, void* old) override {
    settle();
    fence_before(who, a);
    const bool changed = direct_->update(who, a, f, old);
    access_object(who, a, true, true);
    overwrote(a, old);
    return changed;
  }
  // One that fails writes nothing.  [PTX: atomic operations that result in a write]
  bool compare_exchange(const accessor& who,
                        const plain_access& a,
                        void* expected,
                        const void* desired) override {
    settle();
    fence_before(who, a);
    const bool equal = direct_->compare_exchange(who, a, expected, desired);
    access_object(who, a, true, equal);
    if (equal) {
      overwrote(a, expected); // which it held
    }
    return equal;
  }

  void copy(const accessor& who,
            const void* site,
            const byte_place& to,
            const byte_place& from,
            std::size_t bytes) override {
    settle();
    const auto begin_of = [](const byte_place& p) {
      return reinterpret_cast<std::uintptr_t>(p.at);
    };
    if (from.shared) {
      access_bytes(who, {.site = site, .address = begin_of(from), .bytes = bytes}, true, false);
    }
    if (to.shared) {
      access_bytes(who, {.site = site, .address = begin_of(to), .bytes = bytes}, false, true);
    }
    direct_->copy(who, site, to, from, bytes);
  }
  void fill(const accessor& who,
            const void* site,
            const byte_place& to,
            unsigned char value,
            std::size_t bytes) override {
    settle();
    const auto begin = reinterpret_cast<std::uintptr_t>(to.at);
    access_bytes(who, {.site = site, .address = begin, .bytes = bytes}, false, true);
    direct_->fill(who, site, to, value, bytes);
  }

  // To the detector such work writes all of the memory.
  void lifetime(const accessor& who,
                const void* site,
                std::uintptr_t begin,
                std::size_t bytes) override {
    const char* const by = who.by;
    const detect::agent_id agent =
        who.thread != nullptr
            ? agents_.of(who)
            : agents_.of({.at = who.at, .by = who.at->lane == 0 ? nullptr : who.by});
    for (std::size_t done = 0; done < bytes; done += longest_piece) {
      const std::uintptr_t piece = begin + done;
      races_.is_lifetime(detector_.next(), by); // first: a race is reported while it is performed
      detector_.perform({.agent = agent,
                         .site = site,
                         .kind = access_kind::write,
                         .bytes = static_cast<std::uint32_t>(std::min(longest_piece, bytes - done)),
                         .count = 1,
                         .addresses = &piece,
                         .known = races_.is_known(site)});
    }
  }

  void freed(std::uintptr_t begin, std::size_t bytes) override {
    detector_.forget(begin, bytes);
    phases_.forget(begin, bytes);
  }

  [[nodiscard]] std::uint64_t judged() const noexcept override { return judged_; }

  [[nodiscard]] std::string statistics() const override {
    const detect::detector::usage u = detector_.used();
    return fmt::format("race detector: {} elements in {} operations; {} bytes of shadow memory for "
                       "{} bytes that were accessed, {} bytes of tables, {} bytes for strong "
                       "accesses and concurrent readers",
                       u.accesses,
                       u.operations,
                       u.shadow,
                       u.covered,
                       u.tables,
                       u.overflow);
  }

  [[nodiscard]] bool takes_boxes() const noexcept override { return true; }

  [[nodiscard]] bool takes_tokens() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t join(const machine::ordered_after& all) override {
    detect::tokens_of(all, tokens_);
    return detector_.join(tokens_);
  }

  void load(sim_thread& t, const tile_access& a, void* out) override {
    const bool stale = choose_elements(t, a);
    follow(t, a, access_kind::read, stale);
    direct_->load(t, a, out);
    if (stale) {
      for (const chosen_write& c : chosen_) {
        std::memcpy(static_cast<std::byte*>(out) + (c.element * a.bytes), &c.value, a.bytes);
      }
      note_stale(t);
    }
  }
  void store(sim_thread& t, const tile_access& a, const void* values) override {
    races_.stores(values, a.bytes);
    follow(t, a, access_kind::write);
    races_.stores(nullptr, 0);
    if (keeps_writes() && a.how.order != machine::memory_order::weak) {
      store_one_by_one(t, a, values);
      return;
    }
    direct_->store(t, a, values);
  }
  bool update(sim_thread& t,
              const tile_access& a,
              ops::rmw_function f,
              const void* arguments,
              void* old) override {
    follow(t, a, access_kind::read_write);
    const bool changed = direct_->update(t, a, f, arguments, old);
    overwrote(a, old);
    return changed;
  }
  // One that fails writes as well: what it read.  [memory operations: atomic_compare_exchange]
  bool compare_exchange(sim_thread& t,
                        const tile_access& a,
                        const void* expected,
                        const void* desired,
                        void* old) override {
    follow(t, a, access_kind::read_write);
    const bool changed = direct_->compare_exchange(t, a, expected, desired, old);
    overwrote(a, old);
    return changed;
  }

  [[nodiscard]] std::string stale_reads() const override { return reads_.made(); }
  [[nodiscard]] std::vector<stale_read> explained_stale_reads(std::size_t most) const override {
    return reads_.explained(most);
  }
  [[nodiscard]] std::optional<std::string> unfollowed(bool over) const override {
    return reads_.unfollowed(over);
  }
  [[nodiscard]] std::uint64_t performed() const override {
    return keeps_writes() ? detector_.next() - 1 : 0;
  }
  [[nodiscard]] bool lets_choose() const noexcept override { return reads_.lets_choose(); }
  void choose(const std::vector<chosen_read>& all) override { reads_.choose(all); }
  [[nodiscard]] std::vector<offered_read> offers(sim_thread& t, const coming_read& r) override {
    settle();
    return reads_.offers(t, r);
  }
  [[nodiscard]] std::vector<offered_read> were_offered(const sim_thread& t,
                                                       std::uint64_t operation) const override {
    return reads_.were_offered(t, operation);
  }

protected:
  void put_back() override {
    holds_ = false;
    std::memcpy(reinterpret_cast<void*>(lent_.address), &lent_.newest, lent_.bytes);
  }

private:
  /// One for each thread of a launch, or for its asynchronous copies.
  detect::agent_id begin_agents(const launch_state& l, detect::task_kind kind, bool copies) {
    const detect::agent_id first =
        detector_.begin_task(l.order, l.blocks, l.threads_per_block, kind);
    races_.task_begins({.kernel = l.kernel.name,
                        .by = {},
                        .grid = l.config.grid,
                        .block = l.config.block,
                        .launch = l.id,
                        .launch_site = l.site,
                        .lane = l.order.lane,
                        .threads = kind == detect::task_kind::simt,
                        .copies = copies});
    return first;
  }

  // --- Older writes, which strong reads are given.

  struct chosen_write {
    std::size_t element = 0;
    std::uint64_t value = 0;
  };
  /// A place that holds an older value for one instruction.
  struct lent_bytes {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::uint64_t newest = 0;
  };

  [[nodiscard]] bool keeps_writes() const { return reads_.keeps_writes(); }

  /// A strong read of one element by a thread, which waits for these.
  void choose(sim_thread& t,
              const machine::ordered_after* after,
              std::size_t element,
              std::uintptr_t address,
              std::uint32_t bytes) {
    if (const auto given = reads_.choose(t, after, element, address, bytes)) {
      sources_[element] = given->name;
      chosen_.push_back({element, given->value});
    }
  }

  /// Of a tile's strong load: leaves in `sources_` and `chosen_` what its elements are given.
  bool choose_elements(sim_thread& t, const tile_access& a) {
    if (a.how.order == machine::memory_order::weak || !reads_.chooses()) {
      return false;
    }
    sources_.assign(a.count, detect::newest_write);
    chosen_.clear();
    for (std::size_t i = 0; i < a.count; ++i) {
      if (a.mask == nullptr || a.mask[i] != 0) {
        choose(t, a.how.after, i, a.addresses[i], a.bytes);
      }
    }
    return !chosen_.empty();
  }

  /// Of another object, which is read as a whole.
  bool choose_object(const accessor& who, const plain_access& a) {
    if (who.thread == nullptr || a.bytes > sizeof(std::uint64_t) || strong_piece(a) != a.bytes ||
        !reads_.chooses()) {
      return false;
    }
    sources_.assign(1, detect::newest_write);
    chosen_.clear();
    choose(*who.thread, nullptr, 0, a.address, static_cast<std::uint32_t>(a.bytes));
    object_source_ = chosen_.empty() ? nullptr : sources_.data();
    return !chosen_.empty();
  }

  /// How the thread goes on is not decided by what memory holds.
  static void note_stale(sim_thread& t) { t.spin.drew(); }

  /// The program's own instruction reads an older value: it lies there until the next access.
  void lend(const plain_access& a) {
    lent_ = {.address = a.address, .bytes = a.bytes};
    std::memcpy(&lent_.newest, reinterpret_cast<const void*>(a.address), a.bytes);
    std::memcpy(reinterpret_cast<void*>(a.address), &chosen_.front().value, a.bytes);
    holds_ = true;
  }

  /// The last operation has overwritten what a place held.
  void overwrote(const plain_access& a, const void* before) {
    if (!keeps_writes() || a.order == memory_order::weak || a.bytes > sizeof(std::uint64_t) ||
        strong_piece(a) != a.bytes) {
      return;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, before, a.bytes);
    detector_.overwrote(0, a.address, static_cast<std::uint32_t>(a.bytes), value);
  }
  void overwrote(const tile_access& a, const void* old) {
    for (std::size_t i = 0; keeps_writes() && i < a.count; ++i) {
      if (a.mask == nullptr || a.mask[i] != 0) {
        std::uint64_t value = 0;
        std::memcpy(&value, static_cast<const std::byte*>(old) + (i * a.bytes), a.bytes);
        detector_.overwrote(static_cast<std::uint32_t>(i), a.addresses[i], a.bytes, value);
      }
    }
  }

  /// So that what each element overwrites is seen, another element's value too.
  void store_one_by_one(sim_thread& t, const tile_access& a, const void* values) {
    tile_access one = a;
    one.count = 1;
    one.mask = nullptr;
    one.contiguous = true;
    for (std::size_t i = 0; i < a.count; ++i) {
      if (a.mask != nullptr && a.mask[i] == 0) {
        continue;
      }
      one.addresses = a.addresses + i;
      std::uint64_t before = 0;
      std::memcpy(&before, reinterpret_cast<const void*>(a.addresses[i]), a.bytes);
      direct_->store(t, one, static_cast<const std::byte*>(values) + (i * a.bytes));
      detector_.overwrote(static_cast<std::uint32_t>(i), a.addresses[i], a.bytes, before);
    }
  }

  /// Copies may be larger than an operation of the detector's.
  static constexpr std::size_t longest_piece = std::size_t{1} << 30;

  // --- Accesses that are no tile operations.

  static access_kind kind_of(bool reads, bool writes) {
    return !writes ? access_kind::read : !reads ? access_kind::write : access_kind::read_write;
  }

  /// A sequentially consistent access is a fence, and then the access.  [libcu++: lowering of
  /// orders]
  void fence_before(const accessor& who, const plain_access& a) {
    if (a.order == memory_order::sc) {
      fence(who, a.site, memory_order::sc, a.scope);
    }
  }

  /// An atomic access that turned out to be that.
  void access_object(const accessor& who, plain_access a, bool reads, bool writes) {
    a.order = performed_order(a.order, reads, writes);
    access_pieces(who, a, reads, writes, strong_piece(a));
  }

  /// Strong accesses larger than eight bytes, and odd ones, are several: the size of each, the
  /// largest that lies on its own boundaries.
  static std::size_t strong_piece(const plain_access& a) {
    return std::size_t{1} << std::min(std::countr_zero(a.address | a.bytes), 3);
  }

  void access_bytes(const accessor& who, const plain_access& a, bool reads, bool writes) {
    access_pieces(who, a, reads, writes, a.order == memory_order::weak ? a.bytes : strong_piece(a));
  }

  // Each is made where it is used: to copy what has just been put together piece by piece takes
  // longer than most of what follows.
  void access_pieces(
      const accessor& who, const plain_access& a, bool reads, bool writes, std::size_t piece) {
    const std::uintptr_t end = a.address + a.bytes;
    for (std::uintptr_t at = a.address; at < end; at += piece) {
      access_piece(who, a, at, piece, reads, writes);
    }
  }

  void access_piece(const accessor& who,
                    const plain_access& a,
                    const std::uintptr_t begin,
                    std::size_t bytes,
                    bool reads,
                    bool writes) {
    count_judged(who.thread != nullptr ? 1 : 0);
    detect::operation o{.agent = agents_.of(who),
                        .site = a.site,
                        .order = a.order,
                        .scope = a.scope,
                        .count = 1,
                        .addresses = &begin,
                        .known = races_.is_known(a.site),
                        .by_reference = a.by_reference,
                        .is_volatile = a.is_volatile};
    if (a.order != memory_order::weak) {
      o.kind = kind_of(reads, writes);
      o.bytes = static_cast<std::uint32_t>(bytes);
      o.sources = std::exchange(object_source_, nullptr);
      detector_.perform(o);
      return;
    }
    for (const bool write : {false, true}) {
      if (!(write ? writes : reads)) {
        continue;
      }
      o.kind = write ? access_kind::write : access_kind::read;
      for (std::size_t done = 0; done < bytes; done += longest_piece) {
        const std::uintptr_t at = begin + done;
        o.addresses = &at;
        if (who.other_thread) {
          races_.is_of_other_thread(
              detector_.next()); // first: races are told while it is performed
        }
        o.bytes = static_cast<std::uint32_t>(std::min(longest_piece, bytes - done));
        detector_.perform(o);
      }
    }
  }

  void count_judged(std::uint64_t elements) {
    judged_ += elements;
    context_.counts->judged = judged_;
  }

  void follow(sim_thread& t, const tile_access& a, access_kind kind, bool sources = false) {
    count_judged(a.count);
    detect::operation o{.agent = agents::of(t),
                        .site = a.site,
                        .kind = kind,
                        .order = model_order(a.how.order),
                        .scope = model_scope(a.how.scope),
                        .bytes = a.bytes,
                        .count = a.count,
                        .addresses = a.addresses,
                        .mask = a.mask,
                        .consecutive = a.contiguous,
                        .known = races_.is_known(a.site)};
    if (a.box != nullptr) {
      rows_.clear();
      for_each_run(*a.box, a.bytes, [&](std::size_t first, std::uintptr_t at, std::size_t count) {
        rows_.push_back({at, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)});
      });
      const bool whole = rows_.size() == 1 && rows_.front().count == a.count;
      o.consecutive = whole;
      if (whole) {
        o.addresses = &rows_.front().address;
      } else {
        o.rows = rows_;
      }
    }
    o.sources = sources ? sources_.data() : nullptr;
    if (a.how.after == nullptr) {
      detector_.perform(o);
      return;
    }
    o.by_tokens = true;
    detect::tokens_of(*a.how.after, tokens_);
    o.after = tokens_;
    t.token = detector_.record(detector_.perform(o)).waited;
  }

  context& context_;
  std::unique_ptr<memory_engine> direct_;
  std::vector<detect::agent_id> met_; ///< at a barrier
  std::vector<detect::token> tokens_; ///< that an operation waits for
  std::vector<detect::row> rows_;     ///< of the box that is being accessed
  detect::detector detector_;
  race_report races_;
  phases phases_;
  std::uint64_t judged_ = 0; ///< elements that kernels accessed
  agents agents_;
  strong_reads reads_;
  std::vector<detect::write_name> sources_;           ///< of the strong read under way, by element
  std::vector<chosen_write> chosen_;                  ///< the older ones among them
  const detect::write_name* object_source_ = nullptr; ///< of an object that is no tile's
  lent_bytes lent_;
};

} // namespace

std::unique_ptr<memory_engine> make_detect_engine(context& c,
                                                  std::unique_ptr<read_choices> choices) {
  return std::make_unique<detect_engine>(c, std::move(choices));
}

} // namespace tilesim::sim
