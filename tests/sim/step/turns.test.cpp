// The stepper's record of turns: as replay strings have them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/turn_recorder.hpp"

#include <support/catch.hpp>

namespace tilesim::sim::step {
namespace {

/// Blocks of one launch, before operations of one kind.
struct blocks {
  blocks() {
    launch.id = 1;
    launch.kernel.name = "k";
    launch.config.grid = {4, 1, 1};
    launch.config.block = {1, 1, 1};
    launch.blocks = 4;
    for (unsigned i = 0; i < 4; ++i) {
      sim_thread& t = threads[i];
      t.launch = &launch;
      t.number = i;
      t.block = {i, 0, 0};
    }
  }

  /// Block `i` makes an operation.
  void makes(unsigned i, step_kind kind = step_kind::memory) {
    comes(i, kind);
    recorder.take_turn(threads[i], false);
    recorder.begins(threads[i], kind);
  }
  /// It comes to one, and does not begin it yet.
  void comes(unsigned i, step_kind kind = step_kind::memory) {
    threads[i].next_kind = kind;
    recorder.comes(threads[i]);
    recorder.take_turn(threads[i], true);
  }

  launch_state launch;
  sim_thread threads[4];
  turn_recorder recorder;
};

TEST_CASE("step turns: who runs to its end has a turn without an end") {
  blocks b;
  b.makes(0);
  b.makes(0);
  b.makes(1);
  CHECK(b.recorder.turns() == "0,1");
}

TEST_CASE("step turns: who is made to wait has one up to where it stood") {
  blocks b;
  b.makes(0);
  b.makes(0);
  b.comes(0);
  b.makes(1);
  b.recorder.take_turn(b.threads[0], false);
  b.recorder.begins(b.threads[0], step_kind::memory);
  CHECK(b.recorder.turns() == "0@2,1,0");
}

TEST_CASE("step turns: raw accesses and computation count apart") {
  blocks b;
  b.makes(2);
  b.makes(2, step_kind::raw);
  b.comes(2, step_kind::raw);
  b.makes(3);
  b.makes(3, step_kind::compute);
  b.comes(3, step_kind::compute);
  b.makes(0);
  CHECK(b.recorder.turns() == "2@1+1,3:2,0");
}

TEST_CASE("step turns: who only stood there has had none") {
  blocks b;
  b.makes(0);
  b.comes(0);
  b.makes(1);
  b.comes(1);
  b.recorder.take_turn(b.threads[0], false); // where it stands another one is chosen
  b.recorder.take_turn(b.threads[1], false);
  b.recorder.begins(b.threads[1], step_kind::memory);
  CHECK(b.recorder.turns() == "0@1,1");
}

TEST_CASE("step turns: threads are known from their first operation on") {
  blocks b;
  CHECK_FALSE(b.recorder.knows(2));
  b.threads[2].next_kind = step_kind::memory;
  CHECK(b.recorder.comes(b.threads[2]));
  CHECK_FALSE(b.recorder.comes(b.threads[2]));
  CHECK(b.recorder.knows(2));
  CHECK_FALSE(b.recorder.knows(1)); // has a lower number, and has come to none yet
  CHECK(b.recorder[2].name == "tile block (2,0,0) of k");
}

} // namespace
} // namespace tilesim::sim::step
