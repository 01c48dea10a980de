// Which requests there are.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/requests.hpp"

#include "sim/contract/step_protocol_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace tilesim::sim::step {

using nlohmann::json;

void refuse(const std::string& why) {
  throw refusal(why);
}

template <class Request, auto method>
json requests::reply_with(const json& request) {
  const auto wanted = protocol::decode<Request>(request);
  if constexpr (std::is_member_pointer_v<decltype(method)>) {
    return protocol::encode((this->*method)(wanted));
  } else { // static
    return protocol::encode(method(wanted));
  }
}

json requests::reply_to(const json& request) {
  const std::string what = request.value("do", "");
  using answering = json (requests::*)(const json& request);
  // No object that exit() destroys: the program's end is answered for, too.
  static constexpr std::array<std::pair<std::string_view, answering>, 20> answers = {{
      {protocol::set::request, &requests::reply_with<protocol::set, &requests::set>},
      {protocol::evaluate::request, &requests::reply_with<protocol::evaluate, &requests::evaluate>},
      {protocol::writer::request, &requests::reply_with<protocol::writer, &requests::writer>},
      {protocol::locals::request, &requests::reply_with<protocol::locals, &requests::locals>},
      {protocol::calls::request, &requests::reply_with<protocol::calls, &requests::frames>},
      {protocol::blocks::request, &requests::reply_with<protocol::blocks, &requests::blocks>},
      {protocol::buffers::request,
       &requests::reply_with<protocol::buffers, &requests::buffer_list>},
      {protocol::switch_to::request,
       &requests::reply_with<protocol::switch_to, &requests::switch_to>},
      {protocol::reads::request, &requests::reply_with<protocol::reads, &requests::reads>},
      {protocol::choose::request, &requests::reply_with<protocol::choose, &requests::choose>},
      {protocol::history::request, &requests::reply_with<protocol::history, &requests::history>},
      {protocol::back::request, &requests::reply_with<protocol::back, &requests::back>},
      {protocol::waiting::request, &requests::reply_with<protocol::waiting, &requests::waiting>},
      {protocol::leads::request, &requests::reply_with<protocol::leads, &requests::led>},
      {protocol::memory::request, &requests::reply_with<protocol::memory, &requests::memory_bytes>},
      {protocol::findings::request, &requests::reply_with<protocol::findings, &requests::findings>},
      {protocol::schedule::request, &requests::reply_with<protocol::schedule, &requests::schedule>},
      {protocol::kernels::request,
       &requests::reply_with<protocol::kernels, &requests::kernels_and_functions>},
      {protocol::check_operation::request,
       &requests::reply_with<protocol::check_operation, &requests::has_operation>},
      {protocol::code_of_line::request,
       &requests::reply_with<protocol::code_of_line, &requests::line>},
  }};
  const auto* const answer =
      std::ranges::find(answers, what, &std::pair<std::string_view, answering>::first);
  if (answer == answers.end()) {
    throw refusal(fmt::format("unknown request '{}'", what));
  }
  return (this->*answer->second)(request);
}

protocol::done requests::set(const protocol::set& request) {
  control_.set(request);
  steering_.set(request.directives);
  chosen_.set(request.choices);
  run_.operations.bound(request.journal_bytes);
  return {};
}

} // namespace tilesim::sim::step
