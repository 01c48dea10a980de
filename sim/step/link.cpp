// Lines of JSON over a socket.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/link.hpp"

#include "sim/contract/json_lines.hpp"

#include <cstddef>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tilesim::sim::step {

link::link(std::string path)
    : path_(std::move(path)) {
  connect();
}

link::~link() {
  close(socket_);
}

void link::connect_anew() {
  close(socket_);
  buffered_.clear();
  connect();
}

void link::connect() {
  socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // An abstract name: it begins with a zero byte, and ends where its length says.
  path_.copy(address.sun_path + 1, sizeof(address.sun_path) - 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + path_.size());
  if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    _exit(1);
  }
}

void link::send(const nlohmann::json& message) const {
  if (!send_line(socket_, message)) {
    _exit(1);
  }
}

void link::reply(nlohmann::json message) const {
  message["event"] = "reply";
  send(message);
}

std::optional<nlohmann::json> link::receive() {
  return receive_line(socket_, buffered_);
}

} // namespace tilesim::sim::step
