// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: which members and functions there are, and what they give.
#include "table.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

using tile32 = cg::thread_block_tile<32, cg::thread_block>;
using counter = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
using nested = cg::thread_block_tile<4, tile32>;
using part = cg::thread_block_tile<4, cg::coalesced_group>;
SHORT_NAME(cg::thread_group, "group")
SHORT_NAME(cg::thread_block, "block")
SHORT_NAME(cg::thread_block::arrival_token, "token")
SHORT_NAME(cg::grid_group, "grid")
SHORT_NAME(cg::coalesced_group, "coalesced")
SHORT_NAME(cg::thread_block_tile<1>, "tile<1>")
SHORT_NAME(nested, "tile<4 of a tile<32>>")
SHORT_NAME(part, "tile<4 of coalesced>")
#define OF_BLOCK(n)                                                                                                    \
    using tile_of_block_##n = cg::thread_block_tile<n, cg::thread_block>;                                              \
    SHORT_NAME(tile_of_block_##n, "tile<" #n " of a block>")
OF_BLOCK(1)
OF_BLOCK(16)
OF_BLOCK(256)
using of_several_64 = cg::thread_block_tile<64, cg::thread_block_tile<128, cg::thread_block>>;
using of_several_16 = cg::thread_block_tile<16, cg::thread_block_tile<128, cg::thread_block>>;
SHORT_NAME(of_several_64, "tile<64 of a tile<128>>")
SHORT_NAME(of_several_16, "tile<16 of a tile<128>>")

struct ill_formed {};
SHORT_NAME(ill_formed, "-")

// Rows are of a template, so that `requires` asks.
#define ROW(...)                                                                                                       \
    {                                                                                                                  \
        auto ask = [](G &g, T &tile, C &c, GR &grid, TG &any, int *p, unsigned u, float f, long long ll, double d,     \
                      short s) {                                                                                       \
            (void)g, (void)tile, (void)c, (void)grid, (void)any, (void)p, (void)u, (void)f, (void)ll, (void)d,         \
                (void)s;                                                                                               \
            if constexpr (requires { __VA_ARGS__; })                                                                   \
                return std::type_identity<decltype(__VA_ARGS__)>{};                                                    \
            else                                                                                                       \
                return std::type_identity<ill_formed>{};                                                               \
        };                                                                                                             \
        using asked =                                                                                                  \
            std::invoke_result_t<decltype(ask), G &, T &, C &, GR &, TG &, int *, unsigned, float, long long, double,  \
                                 short>;                                                                               \
        std::printf("%s : ", #__VA_ARGS__);                                                                            \
        table::name<typename asked::type>();                                                                           \
        std::printf("\n");                                                                                             \
    }

// One function in spite of its length: the table.
template <class G, class T, class C, class GR, class TG> void rows() {
    ROW(g.sync())
    ROW(g.thread_rank())
    ROW(g.size())
    ROW(g.num_threads())
    ROW(g.group_index())
    ROW(g.thread_index())
    ROW(g.dim_threads())
    ROW(g.group_dim())
    ROW(g.barrier_arrive())
    ROW(g.barrier_wait(g.barrier_arrive()))
    ROW(tile.sync())
    ROW(tile.thread_rank())
    ROW(tile.size())
    ROW(tile.num_threads())
    ROW(tile.meta_group_rank())
    ROW(tile.meta_group_size())
    ROW(tile.shfl(u, 0))
    ROW(tile.shfl(f, 0))
    ROW(tile.shfl_up(d, 1))
    ROW(tile.shfl_down(ll, 1))
    ROW(tile.shfl_xor(s, 1))
    ROW(tile.any(1))
    ROW(tile.all(1))
    ROW(tile.ballot(1))
    ROW(tile.match_any(u))
    ROW(tile.match_all(u, *p))
    ROW(c.sync())
    ROW(c.thread_rank())
    ROW(c.size())
    ROW(c.num_threads())
    ROW(c.meta_group_rank())
    ROW(c.meta_group_size())
    ROW(c.shfl(u, 0))
    ROW(c.shfl_xor(u, 0))
    ROW(c.shfl_up(d, 1))
    ROW(c.shfl_down(ll, 1))
    ROW(c.any(1))
    ROW(c.all(1))
    ROW(c.ballot(1))
    ROW(c.match_any(u))
    ROW(c.match_all(u, *p))
    ROW(grid.sync())
    ROW(grid.is_valid())
    ROW(grid.thread_rank())
    ROW(grid.size())
    ROW(grid.num_threads())
    ROW(grid.group_dim())
    ROW(grid.dim_blocks())
    ROW(grid.num_blocks())
    ROW(grid.block_rank())
    ROW(grid.block_index())
    ROW(grid.dim_threads())
    ROW(grid.thread_index())
    ROW(grid.barrier_arrive())
    ROW(grid.group_index())
    ROW(any.sync())
    ROW(any.size())
    ROW(any.num_threads())
    ROW(any.thread_rank())
    ROW(any.get_type())
    ROW(any.shfl(u, 0))
    ROW(cg::tiled_partition(g, 4))
    ROW(cg::tiled_partition<16>(g))
    ROW(cg::tiled_partition<4>(tile))
    ROW(cg::tiled_partition(tile, 4))
    ROW(cg::tiled_partition(c, 4))
    ROW(cg::tiled_partition<4>(c))
    ROW(cg::binary_partition(tile, true))
    ROW(cg::labeled_partition(tile, u))
    ROW(cg::binary_partition(c, true))
    ROW(cg::labeled_partition(c, u))
    ROW(cg::sync(g))
    ROW(cg::sync(tile))
    ROW(cg::sync(any))
    ROW(cg::thread_rank(g))
    ROW(cg::group_size(g))
    ROW(cg::invoke_one(g, [] {}))
    ROW(cg::invoke_one_broadcast(tile, [] { return 1; }))
    ROW(cg::reduce(tile, u, cg::plus<unsigned>()))
    ROW(cg::reduce(tile, f, cg::greater<float>()))
    ROW(cg::reduce(c, d, cg::less<double>()))
    ROW(cg::reduce(c, u, cg::bit_and<unsigned>()))
    ROW(cg::reduce(tile, u, cg::bit_xor<unsigned>()))
    ROW(cg::reduce(tile, u, cg::bit_or<unsigned>()))
    ROW(cg::reduce(tile, s, cg::plus<short>()))
    ROW(cg::reduce(g, u, cg::plus<unsigned>()))
    ROW(cg::reduce(tile, u, cg::plus<int>()))
    ROW(cg::inclusive_scan(tile, u))
    ROW(cg::inclusive_scan(tile, u, cg::plus<unsigned>()))
    ROW(cg::exclusive_scan(tile, f))
    ROW(cg::inclusive_scan_update(tile, std::declval<counter &>(), u))
    ROW(cg::exclusive_scan_update(tile, std::declval<counter &>(), u, cg::less<unsigned>()))
    ROW(cg::exclusive_scan_update(c, std::declval<cuda::atomic<int> &>(), int(), cg::bit_xor<int>()))
    ROW(cg::exclusive_scan(c, u, cg::greater<unsigned>()))
    ROW(cg::this_grid())
    ROW(cg::this_thread_block())
    ROW(cg::this_thread())
    ROW(cg::tiled_partition<1>(cg::this_thread_block()))
    ROW(cg::coalesced_threads())
    // Of several warps.
    using big = cg::thread_block_tile<std::is_void_v<T> ? 64 : 128, cg::thread_block>;
    ROW(std::declval<big>().sync())
    ROW(std::declval<big>().thread_rank())
    ROW(std::declval<big>().size())
    ROW(std::declval<big>().num_threads())
    ROW(std::declval<big>().meta_group_rank())
    ROW(std::declval<big>().meta_group_size())
    ROW(std::declval<big>().shfl(f, 3))
    ROW(std::declval<big>().shfl_up(u, 3U))
    ROW(std::declval<big>().shfl_down(u, 3U))
    ROW(std::declval<big>().shfl_xor(u, 3U))
    ROW(std::declval<big>().any(1))
    ROW(std::declval<big>().all(1))
    ROW(std::declval<big>().ballot(1))
    ROW(std::declval<big>().match_any(1))
    ROW(cg::reduce(std::declval<big>(), u, cg::plus<unsigned>()))
    ROW(cg::inclusive_scan(std::declval<big>(), f, cg::plus<float>()))
    ROW(cg::exclusive_scan(std::declval<big>(), u))
    ROW(cg::invoke_one_broadcast(std::declval<big>(), [] { return 1; }))
    ROW(cg::tiled_partition<64>(std::declval<big>()))
    ROW(cg::tiled_partition<16>(std::declval<big>()))
    ROW(cg::tiled_partition<256>(g))
}

int main() {
    rows<cg::thread_block, tile32, cg::coalesced_group, cg::grid_group, cg::thread_group>();
    table::section("conversions");
    FACT(std::is_convertible_v<cg::thread_block, cg::thread_group>);
    FACT(std::is_convertible_v<tile32, cg::thread_group>);
    FACT(std::is_convertible_v<tile32, cg::thread_block_tile<32>>);
    FACT(std::is_convertible_v<cg::coalesced_group, cg::thread_group>);
    FACT(std::is_convertible_v<cg::grid_group, cg::thread_group>);
    FACT(std::is_convertible_v<tile32, cg::coalesced_group>);
    FACT(std::is_default_constructible_v<cg::thread_block>);
    FACT(std::is_default_constructible_v<cg::coalesced_group>);
    FACT(std::is_default_constructible_v<cg::grid_group>);
    FACT(std::is_default_constructible_v<cg::thread_block_tile<8>>);
    FACT(sizeof(cg::block_tile_memory<256>) == 8);
    FACT(std::is_convertible_v<cg::thread_block_tile<128>, cg::thread_group>);
    FACT(std::is_convertible_v<cg::thread_block_tile<128, cg::thread_block>, cg::thread_block_tile<128>>);
}
