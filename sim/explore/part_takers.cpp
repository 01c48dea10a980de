// Who explores parts for a process that explores.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/part_takers.hpp"

#include "sim/contract/whole_bytes.hpp"
#include "sim/explore/knowledge.hpp"

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
  out["begin_anew"] = d.begin_anew;
  out["tally"] = to_message(d.what);
  out["rest"] = d.rest;
  out["over"] = d.over;
  out["may_buffer"] = may_buffer;
  return out;
}

part_answer read_answer(const message& j) {
  part_answer out;
  if (j.contains("failed")) {
    throw memmodel::explore::not_explored{j.at("failed").get<std::string>()};
  }
  if (j.at("begin_anew").get<bool>()) {
    out.known.shared = j.at("shared").get<std::vector<std::uint64_t>>();
    out.what.begin_anew = true;
    return out;
  }
  out.known = news_of(j);
  out.what.what = tally_of(j.at("tally"));
  out.what.rest = j.at("rest").get<std::vector<memmodel::explore::part>>();
  out.what.over = j.at("over").get<bool>();
  out.may_buffer = j.at("may_buffer").get<bool>();
  return out;
}

} // namespace tilesim::sim::exploring
