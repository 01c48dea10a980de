// Who explores parts for a process that explores.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/part_takers.hpp"

#include "sim/contract/exploration_report.hpp"
#include "sim/contract/whole_bytes.hpp"
#include "sim/explore/knowledge.hpp"
#include "sim/explore/part_messages.hpp"

#include <sys/socket.h>

namespace tilesim::sim::exploring {

bool send_all(int socket, const void* data, std::size_t bytes) {
  return by_parts(
      static_cast<const char*>(data), bytes, [socket](const char* at, std::size_t left) {
        return ::send(socket, at, left, MSG_NOSIGNAL);
      });
}

bool receive_all(int socket, void* data, std::size_t bytes) {
  return by_parts(static_cast<char*>(data), bytes, [socket](char* at, std::size_t left) {
    return ::recv(socket, at, left, 0);
  });
}

message answer_of(const explored_part& d, const kernel_threads::news& n, bool may_buffer) {
  message out = to_message(n);
  out[in_answer::begin_anew] = d.begin_anew;
  out[in_answer::tally] = to_message(d.what);
  out[in_answer::rest] = d.rest;
  out[in_answer::over] = d.over;
  out[in_answer::may_buffer] = may_buffer;
  return out;
}

part_answer read_answer(const message& j) {
  part_answer out;
  if (j.contains(in_answer::failed)) {
    throw memmodel::explore::not_explored{j.at(in_answer::failed).get<std::string>()};
  }
  if (j.at(in_answer::begin_anew).get<bool>()) {
    out.known.shared = j.at(in_knowledge::shared).get<std::vector<std::uint64_t>>();
    out.what.begin_anew = true;
    return out;
  }
  out.known = news_of(j);
  out.what.what = tally_of(j.at(in_answer::tally));
  out.what.rest = j.at(in_answer::rest).get<std::vector<memmodel::explore::part>>();
  out.what.over = j.at(in_answer::over).get<bool>();
  out.may_buffer = j.at(in_answer::may_buffer).get<bool>();
  return out;
}

} // namespace tilesim::sim::exploring
