// State and prefix in one 64-bit word need no order beside atomicity: relaxed will do. Racy: the word is written by a
// plain store.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void scan(const int* in, long long* word, int* out) {
  const auto i = ct::iota<ints<8>>();
  const int me = block();
  const auto local = ct::partial_sum(ct::load(in + me * 8 + i), 0_ic);
  long long before = 0;
  if (me > 0) {
    long long seen = 0;
    while (seen == 0) {
      seen = ct::atomic_load<relaxed, in_device>(word + me - 1); // @look
    }
    before = seen - 1;
  }
  const long long mine = 1 + before + static_cast<int>(ct::reduce_max(local, 0_ic)); // never 0: 0 says not yet
#ifdef RACY
  ct::store(word + me, mine); // race: data-race with @look
#else
  ct::atomic_store<relaxed, in_device>(word + me, mine);
#endif
  ct::store(out + me * 8 + i, local + static_cast<int>(before));
}

int main() {
  scan<<<4, 1>>>(copied(counting(32)), zeros<long long>(4), zeros(32));
  return finish();
}
