// Executions a second of exploration, beside the reference enumerator's, on litmus shapes.
//
//   explore_bench            a row a shape: executions a second, and how many times the
//   enumerator's
//
// Built by `ninja -C build/release explore_bench`. SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <string>

namespace {

using namespace tilesim::memmodel;

constexpr const char* store_buffering = R"(PTX SB
{ x=0; y=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
 st.relaxed.gpu x, 1  | st.relaxed.gpu y, 1  ;
 ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;
exists (P0:r0 == 0 /\ P1:r0 == 0)
)";
constexpr const char* message_passing = R"(PTX MP
{ x=0; y=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
 st.weak x, 1         | ld.acquire.gpu r0, y ;
 st.release.gpu y, 1  | ld.weak r1, x        ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
)";
constexpr const char* independent_reads = R"(PTX IRIW
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0      | P2@cta 2,gpu 0       | P3@cta 3,gpu 0       ;
 st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 | ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;
                     |                     | ld.relaxed.gpu r1, y | ld.relaxed.gpu r1, x ;
exists (P2:r0 == 1)
)";

std::string fetch_adds(unsigned n) {
  std::string text = "PTX add\n{ x=0; }\n";
  std::string row;
  for (unsigned p = 0; p < n; ++p) {
    text += fmt::format("{} P{}@cta {},gpu 0", p == 0 ? "" : " |", p, p);
    row += p == 0 ? " atom.relaxed.gpu.add r0, x, 1" : " | atom.relaxed.gpu.add r0, x, 1";
  }
  return text + " ;\n" + row + " ;\nexists (x == 0)\n";
}

/// This process's own: the machine may have other work.
double processor_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

/// Executions a second of processor time: f is called again and again and gives how many it found.
template <class F>
double rate(F f) {
  const double begin = processor_seconds();
  std::uint64_t found = 0;
  double seconds = 0;
  do {
    found += f();
    seconds = processor_seconds() - begin;
  } while (seconds < 0.3);
  return static_cast<double>(found) / seconds;
}

void row(const std::string& name, const std::string& text, bool beside_enumerator) {
  const litmus::test t = litmus::read_test(text);
  const double explored = rate([&] {
    explore::litmus_threads program(t, 1);
    explore::explorer all(program, {});
    all.run([](const explore::found_execution&) { return true; });
    return all.counted().executions;
  });
  const double enumerated =
      beside_enumerator ? rate([&] { return litmus::enumerate(t, ptx()).executions; }) : 0;
  fmt::print("{:<24} {:>10.0f} executions/s{}\n",
             name,
             explored,
             beside_enumerator
                 ? fmt::format(", {:.1f} times the enumerator's", explored / enumerated)
                 : "");
}

/// Drawn executions a second, of which many are the same.
void sampled_row(const std::string& name, const std::string& text) {
  const litmus::test t = litmus::read_test(text);
  explore::litmus_threads program(t, 1);
  explore::explorer all(program, {});
  std::uint64_t seed = 0;
  const auto nothing = [](const explore::found_execution&) { return true; };
  const double drawn = rate([&] {
    for (int i = 0; i < 1000; ++i) {
      all.sample(seed++, nothing, nothing);
    }
    return std::uint64_t{1000};
  });
  fmt::print("{:<24} {:>10.0f} drawn executions/s\n", name, drawn);
}

} // namespace

int main() {
  row("store buffering", store_buffering, true);
  row("message passing", message_passing, true);
  row("independent reads", independent_reads, true);
  row("4 fetch_adds", fetch_adds(4), true);
  row("8 fetch_adds", fetch_adds(8), false);
  sampled_row("store buffering", store_buffering);
  sampled_row("independent reads", independent_reads);
  sampled_row("8 fetch_adds", fetch_adds(8));
}
