// <cooperative_groups/memcpy_async.h>: copies by the threads of a group.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef _CG_ASYNC_H
#define _CG_ASYNC_H

#include <cooperative_groups.h>

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/group_copies.hpp>

#include <tilesim/detail/letters_end.h>

#endif
