// <mma.h>: products of matrices by the lanes of a warp.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef TILESIM_MMA_H
#define TILESIM_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/warp_matrices.hpp>

#include <tilesim/detail/letters_end.h>

#endif
