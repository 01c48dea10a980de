// Parts that other machines explore.
//
// A frame is its size, the part's number and a message. A part counts by its number, once, when its
// answer has come: who hands parts on may have had it explored twice.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/cluster.hpp"

#include "sim/contract/exploration_report.hpp"
#include "sim/explore/knowledge.hpp"
#include "sim/explore/part_messages.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace tilesim::sim::exploring {

namespace {

constexpr std::uint64_t no_number = ~std::uint64_t{0};
/// A task explores so long before it gives back the rest.
constexpr double usual_task = 3;
constexpr double hasty_task = 0.5;

[[noreturn]] void ended() {
  throw memmodel::explore::not_explored{"the process that hands parts to the cluster has ended"};
}

} // namespace

cluster::cluster(const std::string& address,
                 memmodel::explore::pass which,
                 const kernel_threads& threads)
    : pass_(which == memmodel::explore::pass::plain ? in_task::pass_plain
                                                    : in_task::pass_buffering) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  if (address.size() >= sizeof to.sun_path) {
    throw memmodel::explore::not_explored{fmt::format("too long a name of a socket: {}", address)};
  }
  std::memcpy(to.sun_path, address.data(), address.size());
  socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int connected =
      socket_ < 0 ? -1 : ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  if (connected != 0) {
    const int error = errno;
    if (socket_ >= 0) {
      close(socket_);
    }
    throw memmodel::explore::not_explored{
        fmt::format("nobody hands parts to the cluster: {}", std::strerror(error))};
  }
  kernel_threads::news known = threads.all_known();
  message told = to_message(known);
  told[in_knowledge::shared] = message::array({known.shared});
  told[in_knowledge::memory] = threads.memory_mark();
  send(no_number, told);
  receive();
  const message hello = message::from_cbor(answer_);
  room_ = hello.at(in_task::room).get<std::uint64_t>();
}

cluster::~cluster() {
  close(socket_);
}

bool cluster::some_free() const noexcept {
  return under_way_.size() < room_;
}

void cluster::send(std::uint64_t number, const message& what) const {
  const std::vector<std::uint8_t> bytes = message::to_cbor(what);
  const std::array<std::uint64_t, 2> head{bytes.size(), number};
  if (!send_all(socket_, head.data(), sizeof head) ||
      !send_all(socket_, bytes.data(), bytes.size())) {
    ended();
  }
}

void cluster::receive() {
  std::array<std::uint64_t, 2> head{};
  if (!receive_all(socket_, head.data(), sizeof head)) {
    ended();
  }
  number_ = head[1];
  answer_.resize(head[0]);
  if (!receive_all(socket_, answer_.data(), answer_.size())) {
    ended();
  }
}

void cluster::give(const memmodel::explore::part& p, bool in_haste) {
  send(given_,
       {{in_task::pass, pass_},
        {in_task::part, p},
        {in_task::seconds, in_haste ? hasty_task : usual_task}});
  under_way_.emplace(given_++, p);
}

bool cluster::some_done() {
  pollfd open{.fd = socket_, .events = POLLIN, .revents = 0};
  constexpr int not_long = 100; // ms: Ctrl-C is looked for
  if (::poll(&open, 1, not_long) <= 0) {
    return false;
  }
  receive();
  return under_way_.contains(number_);
}

part_answer cluster::take() {
  memmodel::explore::part of = std::move(under_way_.extract(number_).mapped());
  part_answer out = read_answer(message::from_cbor(answer_));
  out.of = std::move(of);
  return out;
}

part_task task_of(const std::string& file) {
  try {
    const auto read = [](const std::string& name) {
      std::ifstream in(name, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      return message::from_cbor(bytes);
    };
    const message j = read(file);
    return {.which = j.at(in_task::pass) == in_task::pass_plain
                         ? memmodel::explore::pass::plain
                         : memmodel::explore::pass::buffering,
            .of = j.at(in_task::part).get<memmodel::explore::part>(),
            .seconds = j.at(in_task::seconds).get<double>(),
            .known = read(file + ".known")};
  } catch (const message::exception& e) {
    throw memmodel::explore::not_explored{fmt::format("no part to explore: {}", e.what())};
  }
}

} // namespace tilesim::sim::exploring
