// cuda::tiles, complete: one header for each page of the reference.
//
// Written from the documentation. Users include "cuda_tile.h".
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/letters_begin.h>

#if __cplusplus < 202002L
#  error "cuda_tile.h needs C++20 or later"
#endif

#include <tilesim/annotations.hpp>
#include <tilesim/arithmetic.hpp>
#include <tilesim/assume.hpp>
#include <tilesim/atomic.hpp>
#include <tilesim/constants.hpp>
#include <tilesim/extents.hpp>
#include <tilesim/flags.hpp>
#include <tilesim/general.hpp>
#include <tilesim/hints.hpp>
#include <tilesim/integer_range.hpp>
#include <tilesim/layouts.hpp>
#include <tilesim/math.hpp>
#include <tilesim/matrix.hpp>
#include <tilesim/memory.hpp>
#include <tilesim/memory_order.hpp>
#include <tilesim/offsets.hpp>
#include <tilesim/pointer_arithmetic.hpp>
#include <tilesim/reductions.hpp>
#include <tilesim/scalar.hpp>
#include <tilesim/tensor_span.hpp>
#include <tilesim/thread_scope.hpp>
#include <tilesim/tile.hpp>
#include <tilesim/tile_ops.hpp>
#include <tilesim/views.hpp>

#include <tilesim/detail/letters_end.h>
