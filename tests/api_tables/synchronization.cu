// SPDX-License-Identifier: Apache-2.0
// Barriers, latches, semaphores, pipelines and copies: which members and functions there are, and what they give.
#include "table.hpp"

#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/semaphore>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
using device_barrier = cuda::barrier<cuda::thread_scope_device>;
using system_barrier = cuda::barrier<cuda::thread_scope_system>;
using block_latch = cuda::latch<cuda::thread_scope_block>;
using block_semaphore = cuda::counting_semaphore<cuda::thread_scope_block>;
using block_binary = cuda::binary_semaphore<cuda::thread_scope_block>;
using block_pipeline = cuda::pipeline<cuda::thread_scope_block>;
using thread_pipeline = cuda::pipeline<cuda::thread_scope_thread>;
using state = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
SHORT_NAME(block_barrier, "barrier<block>")
SHORT_NAME(device_barrier, "barrier<device>")
SHORT_NAME(system_barrier, "barrier<system>")
SHORT_NAME(block_latch, "latch<block>")
SHORT_NAME(block_semaphore, "semaphore<block>")
SHORT_NAME(block_pipeline, "pipeline<block>")
SHORT_NAME(thread_pipeline, "pipeline<thread>")
SHORT_NAME(cuda::aligned_size_t<16>, "aligned_size_t<16>")
SHORT_NAME(cuda::async_contract_fulfillment, "fulfillment")
SHORT_NAME(cuda::pipeline_role, "role")

struct ill_formed {};
SHORT_NAME(ill_formed, "-")

// Rows are of a template, so that `requires` asks.
#define ROW(...)                                                                                                       \
    {                                                                                                                  \
        auto ask = [](B &b, L &l, S &s, P &p, TP &tp, G &g, ST *state, int *to, const int *from, void *bytes,          \
                      cuda::aligned_size_t<16> size, cuda::std::chrono::nanoseconds time) {                            \
            (void)b, (void)l, (void)s, (void)p, (void)tp, (void)g, (void)state, (void)to, (void)from, (void)bytes,     \
                (void)size, (void)time;                                                                                \
            if constexpr (requires { __VA_ARGS__; })                                                                   \
                return std::type_identity<decltype(__VA_ARGS__)>{};                                                    \
            else                                                                                                       \
                return std::type_identity<ill_formed>{};                                                               \
        };                                                                                                             \
        using asked = std::invoke_result_t<decltype(ask), B &, L &, S &, P &, TP &, G &, ST *, int *, const int *,     \
                                           void *, cuda::aligned_size_t<16>, cuda::std::chrono::nanoseconds>;          \
        std::printf("%s : ", #__VA_ARGS__);                                                                            \
        table::name<typename asked::type>();                                                                           \
        std::printf("\n");                                                                                             \
    }

template <class B> void of_barrier(const char *name) {
    using L = block_latch;
    using S = block_semaphore;
    using P = block_pipeline;
    using TP = thread_pipeline;
    using G = cg::thread_block;
    using ST = state;
    std::printf("# %s\n", name);
    ROW(B(4))
    ROW(b.arrive_and_wait())
    ROW(b.arrive_and_drop())
    ROW(b.wait(b.arrive()))
    ROW(b.wait(b.arrive(2)))
    ROW(b.wait_parity(true))
    ROW(b.try_wait_for(b.arrive(), time))
    ROW(b.try_wait_parity_for(false, time))
    ROW(b.arrive("x"))
    ROW(B::max())
    ROW(std::is_default_constructible_v<B>)
    ROW(B(b))
    ROW(b = b)
}

// One function in spite of its length: the table.
template <class B, class L, class S, class P, class TP, class G, class ST> void rows() {
    std::printf("# init, latches, semaphores\n");
    ROW(init(&b, 4))
    ROW(L(4))
    ROW(l.count_down())
    ROW(l.count_down(2))
    ROW(l.try_wait())
    ROW(l.wait())
    ROW(l.arrive_and_wait())
    ROW(l.arrive_and_wait(2))
    ROW(L::max())
    ROW(L(l))
    ROW(l.arrive())
    ROW(S(4))
    ROW(S())
    ROW(s.release())
    ROW(s.release(2))
    ROW(s.acquire())
    ROW(s.try_acquire())
    ROW(s.try_acquire_for(time))
    ROW(S::max())
    ROW(S(s))
    ROW(s.release("x"))
    std::printf("# pipelines\n");
    ROW(p.producer_acquire())
    ROW(p.producer_commit())
    ROW(p.consumer_wait())
    ROW(p.consumer_wait_for(time))
    ROW(p.consumer_release())
    ROW(p.quit())
    ROW(P(p))
    ROW(P())
    ROW(tp.producer_acquire())
    ROW(tp.producer_commit())
    ROW(tp.consumer_wait())
    ROW(tp.consumer_wait_for(time))
    ROW(tp.consumer_release())
    ROW(tp.quit())
    ROW(cuda::make_pipeline())
    ROW(cuda::make_pipeline(g, state))
    ROW(cuda::make_pipeline(g, state, std::size_t(32)))
    ROW(cuda::make_pipeline(g, state, cuda::pipeline_role::producer))
    ROW(cuda::pipeline_consumer_wait_prior<1>(tp))
    ROW(cuda::pipeline_producer_commit(tp, b))
    std::printf("# copies\n");
    ROW(cuda::memcpy_async(to, from, 4, b))
    ROW(cuda::memcpy_async(bytes, from, 4, b))
    ROW(cuda::memcpy_async(to, from, size, b))
    ROW(cuda::memcpy_async(g, to, from, 4, b))
    ROW(cuda::memcpy_async(g, bytes, from, size, b))
    ROW(cuda::memcpy_async(to, from, 4, p))
    ROW(cuda::memcpy_async(to, from, size, tp))
    ROW(cuda::memcpy_async(g, to, from, 4, p))
    ROW(size.value)
    ROW(size.align)
    ROW(std::size_t(size))
    ROW(cuda::aligned_size_t<16>(32))
}

/// What a barrier calls when a phase ends, as large as a T.
template <class T> struct completion {
    T kept;
    void operator()() const {}
};
struct nothing_kept {
    void operator()() const {}
};

// Structures of the program's own, and offsets in shared memory, are made of these.
template <cuda::thread_scope Scope> void sizes(const char *name) {
    std::printf("# sizes %s\n", name);
    FACT_VALUE(sizeof(cuda::barrier<Scope>));
    FACT_VALUE(alignof(cuda::barrier<Scope>));
    FACT_VALUE(sizeof(cuda::barrier<Scope, nothing_kept>));
    FACT_VALUE(sizeof(cuda::barrier<Scope, completion<int>>));
    FACT_VALUE(sizeof(cuda::barrier<Scope, completion<int *>>));
    FACT_VALUE(sizeof(cuda::latch<Scope>));
    FACT_VALUE(sizeof(cuda::binary_semaphore<Scope>));
    FACT_VALUE((sizeof(cuda::counting_semaphore<Scope, 2>)));
    FACT_VALUE(sizeof(cuda::counting_semaphore<Scope>));
    FACT_VALUE((sizeof(cuda::pipeline_shared_state<Scope, 1>)));
    FACT_VALUE((sizeof(cuda::pipeline_shared_state<Scope, 2>)));
    FACT_VALUE((sizeof(cuda::pipeline_shared_state<Scope, 5>)));
    FACT_VALUE((alignof(cuda::pipeline_shared_state<Scope, 2>)));
    FACT_VALUE(sizeof(cuda::pipeline<Scope>));
    FACT_VALUE(alignof(cuda::pipeline<Scope>));
}

int main() {
    of_barrier<block_barrier>("cuda::barrier of block scope");
    of_barrier<device_barrier>("of device scope");
    of_barrier<system_barrier>("of system scope");
    of_barrier<cuda::std::barrier<>>("cuda::std::barrier");
    rows<block_barrier, block_latch, block_semaphore, block_pipeline, thread_pipeline, cg::thread_block, state>();
    FACT_VALUE(block_barrier::max());
    FACT_VALUE(device_barrier::max());
    FACT_VALUE(system_barrier::max());
    FACT_VALUE(block_latch::max());
    FACT_VALUE(block_semaphore::max());
    FACT_VALUE(block_binary::max());
    FACT_VALUE(cuda::std::latch::max());
    FACT_VALUE(cuda::std::binary_semaphore::max());
    FACT((std::is_same_v<block_barrier::arrival_token, std::uint64_t>));
    FACT((std::is_same_v<cuda::binary_semaphore<cuda::thread_scope_device>,
                         cuda::counting_semaphore<cuda::thread_scope_device, 1>>));
    FACT((std::is_convertible_v<int, cuda::aligned_size_t<4>>));
    FACT((std::is_convertible_v<int, block_latch>));
    FACT((std::is_convertible_v<int, block_semaphore>));
    FACT((std::is_convertible_v<int, block_barrier>));
    FACT((std::is_nothrow_move_constructible_v<block_pipeline>));
    FACT((std::is_copy_constructible_v<thread_pipeline>));
    FACT((std::is_move_assignable_v<thread_pipeline>));
    FACT((std::is_move_assignable_v<block_pipeline>));
    FACT(noexcept(std::declval<block_latch &>().try_wait()));
    FACT(noexcept(std::declval<block_semaphore &>().try_acquire()));
    FACT_VALUE((cuda::counting_semaphore<cuda::thread_scope_block, 5>::max()));
    FACT((std::is_same_v<cuda::counting_semaphore<cuda::thread_scope_block>,
                         cuda::counting_semaphore<cuda::thread_scope_block, 2147483647>>));
    sizes<cuda::thread_scope_thread>("of thread scope");
    sizes<cuda::thread_scope_block>("of block scope");
    sizes<cuda::thread_scope_device>("of device scope");
    sizes<cuda::thread_scope_system>("of system scope");
    FACT_VALUE(sizeof(cuda::std::binary_semaphore));
    FACT_VALUE(sizeof(cuda::std::counting_semaphore<>));
    FACT_VALUE(sizeof(cuda::std::latch));
    FACT_VALUE(sizeof(cuda::std::barrier<>));
    FACT_VALUE(sizeof(cuda::std::barrier<completion<char[1]>>));
}
