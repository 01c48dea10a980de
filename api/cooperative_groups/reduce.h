// <cooperative_groups/reduce.h>: one value of all that the threads of a group bring along.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef _CG_REDUCE_H
#define _CG_REDUCE_H

#include <cooperative_groups.h>

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/group_reductions.hpp>

#include <tilesim/detail/letters_end.h>

#endif
