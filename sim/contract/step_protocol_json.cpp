// Writing, reading and the list for the page, all from the members of each message.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/step_protocol_json.hpp"

#include "sim/contract/step_protocol_members.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

namespace tilesim::sim::step::protocol {
namespace {

using nlohmann::json;

// --- Writing

template <class T>
json written_as(const T& x);

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
concept list_like = requires(const T& x) {
  x.begin();
  typename T::value_type;
}
&&!std::is_same_v<T, std::string>;

// Functions of a member's type, or of none: messages have some 300 members, of few types.

[[gnu::noinline]] void put(json& object, const char* name, json&& what) {
  object[name] = std::move(what);
}

template <class Member>
[[gnu::noinline]] void
put_member(json& object, const char* name, bool is_always, const Member& x, const Member& none) {
  bool speaks = true;
  if constexpr (is_optional<Member>::value) {
    speaks = x.has_value();
  } else if constexpr (requires { x.empty(); }) {
    speaks = !x.empty();
  } else if constexpr (std::is_arithmetic_v<Member>) {
    speaks = x != none;
  }
  if (speaks || is_always) {
    put(object, name, written_as(x));
  }
}

template <class T>
json object_of(const T& message) {
  static const T none{};
  json j = json::object();
  std::apply(
      [&](const auto&... f) {
        static_cast<void>(none); // of a message without members
        (put_member(j, f.name, f.is_always, message.*f.member, none.*f.member), ...);
      },
      all_fields<T>());
  return j;
}

template <class T>
json written_as(const T& x) {
  if constexpr (std::is_enum_v<T>) {
    return words<T>::list.at(static_cast<std::size_t>(x));
  } else if constexpr (is_optional<T>::value) {
    return x ? written_as(*x) : json();
  } else if constexpr (std::is_same_v<T, block_name>) {
    return std::visit([](const auto& name) { return json(name); }, x);
  } else if constexpr (list_like<T>) {
    json list = json::array();
    for (auto&& one : x) {
      list.push_back(written_as<typename T::value_type>(one));
    }
    return list;
  } else if constexpr (has_fields<T>) {
    return object_of(x);
  } else {
    return x;
  }
}

// --- Reading

template <class T>
void read_into(T& x, const json& j);

template <class T>
T read(const json& j) {
  T x{};
  read_into(x, j);
  return x;
}

template <class T>
T word_of(const json& j) {
  const std::string word = j.get<std::string>();
  const auto& list = words<T>::list;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (word == list[i]) {
      return static_cast<T>(i);
    }
  }
  throw json::other_error::create(501, "no such word: " + word, &j);
}

/// nullptr: the message is silent of it.
[[gnu::noinline]] const json* member_of(const json& j, const char* name, bool is_always) {
  if (is_always) {
    return &j.at(name);
  }
  const auto it = j.find(name);
  return it == j.end() || it->is_null() ? nullptr : &*it;
}

template <class Member>
[[gnu::noinline]] void take_member(const json& j, const char* name, bool is_always, Member& into) {
  if (const json* const found = member_of(j, name, is_always)) {
    read_into(into, *found);
  }
}

template <class T>
void read_object(T& message, const json& j) {
  std::apply(
      [&](const auto&... f) { (take_member(j, f.name, f.is_always, message.*f.member), ...); },
      all_fields<T>());
}

template <class T>
void read_into(T& x, const json& j) {
  if constexpr (std::is_enum_v<T>) {
    x = word_of<T>(j);
  } else if constexpr (is_optional<T>::value) {
    if (!j.is_null()) {
      x = read<typename T::value_type>(j);
    }
  } else if constexpr (std::is_same_v<T, block_name>) {
    if (j.is_array()) {
      x = j.get<coordinates>();
    } else {
      x = j.get<std::uint64_t>();
    }
  } else if constexpr (std::is_same_v<T, coordinates>) {
    x = j.get<coordinates>();
  } else if constexpr (list_like<T>) {
    for (const json& one : j) {
      x.push_back(read<typename T::value_type>(one));
    }
  } else if constexpr (has_fields<T>) {
    read_object(x, j);
  } else {
    x = j.get<T>();
  }
}

// --- Describing

template <class Message>
std::string title_of() {
  if constexpr (requires { Message::request; }) {
    return std::string("request `") + Message::request + "`";
  } else if constexpr (requires { Message::event; }) {
    return std::string("event `") + Message::event + "`";
  } else {
    return fields<Message>::title;
  }
}

template <class Message>
described described_as(std::string title) {
  described d{.title = std::move(title), .base = {}, .members = {}};
  if constexpr (has_base<Message>) {
    d.base = title_of<typename fields<Message>::base>();
  }
  std::apply(
      [&](const auto&... f) {
        (d.members.push_back({f.name, f.is_always}), ...);
      },
      fields<Message>::own);
  return d;
}

template <class... Messages>
void describe(std::vector<described>& into) {
  (into.push_back(described_as<Messages>(title_of<Messages>())), ...);
}

template <class Request>
void describe_request(std::vector<described>& into) {
  into.push_back(described_as<Request>(title_of<Request>()));
  if constexpr (requires { typename Request::reply; }) {
    if constexpr (!std::is_same_v<typename Request::reply, done>) {
      into.push_back(described_as<typename Request::reply>(std::string("reply to `") +
                                                           Request::request + "`"));
    }
  }
}

template <class... Requests>
void describe_requests(std::vector<described>& into) {
  (describe_request<Requests>(into), ...);
}

} // namespace

template <class Message>
json encode(const Message& message) {
  json j = object_of(message);
  if constexpr (requires { Message::request; }) {
    j["do"] = Message::request;
  } else if constexpr (requires { Message::event; }) {
    j["event"] = Message::event;
  }
  return j;
}

template <class Message>
Message decode(const json& message) {
  return read<Message>(message);
}

std::vector<described> described_protocol() {
  std::vector<described> all;
  describe<stop, checkpoint, resumed, failed, refusal>(all);
  describe_requests<go,
                    set,
                    evaluate,
                    writer,
                    locals,
                    calls,
                    blocks,
                    buffers,
                    switch_to,
                    reads,
                    choose,
                    history,
                    back,
                    waiting,
                    leads,
                    memory,
                    findings,
                    schedule,
                    kernels,
                    check_operation,
                    code_of_line,
                    places,
                    resume>(all);
  describe<source_frame,
           value,
           named_value,
           thread,
           waited_cell,
           live_thread,
           launch,
           buffer,
           variable,
           finding,
           lead,
           access,
           operand,
           operation,
           past_operation,
           next_operation,
           frame_key,
           watched_place,
           breakpoint,
           watch,
           directive,
           choice,
           offered_write,
           offered_read,
           change,
           trouble,
           reached,
           hit>(all);
  return all;
}

const char* word(stop_reason reason) {
  return words<stop_reason>::list.at(static_cast<std::size_t>(reason));
}

std::vector<std::string> words_of(const std::string& enumeration) {
  const auto as_list = [](const auto& words) {
    return std::vector<std::string>(words.begin(), words.end());
  };
  return enumeration == "stop_reason" ? as_list(words<stop_reason>::list)
         : enumeration == "way"       ? as_list(words<way>::list)
         : enumeration == "led_by"    ? as_list(words<led_by>::list)
                                      : as_list(words<back_by>::list);
}

#define TILESIM_MESSAGE(type)                                                                      \
  template json encode(const type&);                                                               \
  template type decode(const json&);
TILESIM_MESSAGE(value)
TILESIM_MESSAGE(finding)
TILESIM_MESSAGE(stop)
TILESIM_MESSAGE(checkpoint)
TILESIM_MESSAGE(resumed)
TILESIM_MESSAGE(failed)
TILESIM_MESSAGE(refusal)
TILESIM_MESSAGE(done)
TILESIM_MESSAGE(go)
TILESIM_MESSAGE(set)
TILESIM_MESSAGE(evaluate)
TILESIM_MESSAGE(evaluated)
TILESIM_MESSAGE(writer)
TILESIM_MESSAGE(written)
TILESIM_MESSAGE(locals)
TILESIM_MESSAGE(local_list)
TILESIM_MESSAGE(calls)
TILESIM_MESSAGE(frame_list)
TILESIM_MESSAGE(blocks)
TILESIM_MESSAGE(block_list)
TILESIM_MESSAGE(buffers)
TILESIM_MESSAGE(buffer_list)
TILESIM_MESSAGE(switch_to)
TILESIM_MESSAGE(switched)
TILESIM_MESSAGE(reads)
TILESIM_MESSAGE(read_list)
TILESIM_MESSAGE(choose)
TILESIM_MESSAGE(chosen)
TILESIM_MESSAGE(history)
TILESIM_MESSAGE(past)
TILESIM_MESSAGE(back)
TILESIM_MESSAGE(place_back)
TILESIM_MESSAGE(waiting)
TILESIM_MESSAGE(wait_list)
TILESIM_MESSAGE(leads)
TILESIM_MESSAGE(lead_list)
TILESIM_MESSAGE(memory)
TILESIM_MESSAGE(memory_piece)
TILESIM_MESSAGE(findings)
TILESIM_MESSAGE(finding_list)
TILESIM_MESSAGE(schedule)
TILESIM_MESSAGE(schedule_now)
TILESIM_MESSAGE(kernels)
TILESIM_MESSAGE(names)
TILESIM_MESSAGE(check_operation)
TILESIM_MESSAGE(code_of_line)
TILESIM_MESSAGE(line_known)
TILESIM_MESSAGE(places)
TILESIM_MESSAGE(place_list)
TILESIM_MESSAGE(resume)
#undef TILESIM_MESSAGE

} // namespace tilesim::sim::step::protocol
