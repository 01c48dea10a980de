// Small random programs, and their text as PTX litmus tests.
//
// Nothing here knows the memory model's library, so that brute_force.cpp can share the programs and
// nothing else with it. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tilesim::random_programs {

enum class kind : std::uint8_t { load, store, add, exchange, compare_and_swap, red, fence, guard };
enum class order : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc };
enum class scope : std::uint8_t { cta, cluster, gpu, sys };

/// One instruction. Locations are two bytes wide; an access takes both or one of them.
struct instruction {
  random_programs::kind kind = kind::load;
  random_programs::order order = order::weak;
  random_programs::scope scope = scope::sys; ///< of a weak access: none
  unsigned location = 0;
  unsigned offset = 0;
  unsigned size = 2;
  unsigned dst = 0; ///< the register of a result: each has its own
  bool from_register = false;
  unsigned source =
      0; ///< store, exchange: the register or the constant to write; guard: the register
  unsigned operand =
      0; ///< add, red: the summand. compare-and-swap: the new value. guard: the value
  unsigned compare = 0; ///< compare-and-swap
};

struct thread {
  unsigned gpu = 0;
  unsigned cluster = 0;
  unsigned cta = 0;
  std::vector<instruction> code;
};

struct program {
  unsigned locations = 1;
  std::vector<thread> threads;
  std::vector<unsigned> registers; ///< by thread: how many
};

struct shape {
  unsigned threads = 3;
  unsigned locations = 2;
  unsigned instructions = 3; ///< of a thread, at most
  bool mixed_sizes = false;
  bool guards = true;
};

/// A number below n, the same on every machine.
[[nodiscard]] inline unsigned below(std::mt19937& random, unsigned n) {
  return static_cast<unsigned>(random() % n);
}

[[nodiscard]] program random_program(std::mt19937& random, const shape& s);

/// The program as a PTX litmus test.
[[nodiscard]] std::string text_of(const program& p);

/// Whether an instruction gives a register a value.
[[nodiscard]] bool has_result(const instruction& i);

/// The orders that an instruction may have, from weak to strong: each adds to the one before, but
/// for release and acquire, which stand side by side.
[[nodiscard]] std::vector<order> orders_of(kind k);

/// Whether b is at least as strong as a.
[[nodiscard]] bool at_least(order b, order a);

} // namespace tilesim::random_programs
