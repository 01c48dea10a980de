// <cooperative_groups.h>: groups of threads that meet and give one another values.
//
// Which expressions there are, and their types, is held against NVIDIA's compiler by
// tests/api_tables/cooperative_groups.cu.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include <cuda_runtime.h>

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/groups.hpp>

#include <tilesim/detail/letters_end.h>

#endif
