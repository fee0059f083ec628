#include "cli/finding_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "report/text.hpp"

namespace heddle {
namespace {

using nlohmann::json;

std::vector<LoadedModule> modules_of(const std::vector<json>& messages) {
  std::vector<LoadedModule> modules;
  for (const json& message : messages) {
    if (message["type"] != "modules") continue;
    for (const json& module : message["modules"]) {
      modules.push_back({module["file"], module["begin"], module["end"], module["offset"]});
    }
  }
  return modules;
}

// What kind of thing a blocked operation waits at.
std::string noun(const std::string& kind) {
  if (kind.starts_with("Mutex")) return "mutex";
  if (kind.starts_with("Rw")) return "rwlock";
  if (kind.starts_with("Sem")) return "semaphore";
  if (kind.starts_with("Cond")) return "condition variable";
  if (kind.starts_with("Barrier")) return "barrier";
  if (kind.starts_with("Futex")) return "futex";
  if (kind.starts_with("Once")) return "initialisation of";
  return "";
}

bool shows_value(const std::string& kind) {
  return kind == "Load" || kind == "Store" || kind == "Rmw" || kind == "Cas" || kind == "CasFail";
}

// As compilers number them; seq_cst, the usual, is not worth a word.
std::string order_name(std::size_t order) {
  constexpr std::array names{"relaxed", "consume", "acquire", "release", "acq_rel"};
  return order < names.size() ? names[order] : "";
}

std::string waits_text(const json& message, const Involved& waiting) {
  const std::string kind = message["kind"];
  if (message.value("ready", false)) {
    const std::string& what = waiting.joins.empty() ? waiting.object : thread_name(waiting.joins);
    return fmt::format("next: {}{}", message["waits"].get<std::string>(), what.empty() ? "" : " " + what);
  }
  if (message.value("spins", false)) {
    if (!waiting.joins.empty()) return "waits in a loop for the end of " + thread_name(waiting.joins);
    const std::string what = waiting.object.empty() ? "something" : waiting.object;
    return fmt::format("waits in a loop for {} to change", what);
  }
  if (kind == "Unknown") return "runs on without a visible operation";
  if (kind == "ChannelRead") return "waits for something to read from a pipe or eventfd";
  if (kind == "Poll" || kind == "ChannelLook") return "waits for descriptors";
  if (kind == "SignalWait") return "waits for a signal";
  std::string text;
  if (!waiting.joins.empty()) {
    text = "waits for the end of " + thread_name(waiting.joins);
  } else if (noun(kind).empty()) {
    return fmt::format("is at a {}", message["waits"].get<std::string>());
  } else {
    const bool numbered = waiting.object.starts_with(noun(kind));
    text = fmt::format("waits for {}{}", numbered ? "" : noun(kind) + " ", waiting.object);
  }
  for (std::size_t i = 0; i < waiting.holders.size(); ++i) {
    text += (i > 0 ? ", " : ", held by ") + thread_name(waiting.holders[i].thread);
  }
  return text;
}

// The address at which a lock was taken may lie in a header of the library. The event of it has a whole stack.
void locate_holders(Involved& waiting, std::span<const ReportedEvent> before) {
  for (Holder& holder : waiting.holders) {
    if (holder.location.known()) continue;
    const auto taken = std::find_if(before.rbegin(), before.rend(), [&](const ReportedEvent& event) {
      return event.thread == holder.thread && event.object == waiting.object;
    });
    if (taken != before.rend()) holder.location = taken->location;
  }
}

void locate_holders(ReportedFinding& finding) {
  const std::span<ReportedEvent> events(finding.events);
  for (Involved& waiting : finding.involved) locate_holders(waiting, events);
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (Involved& waiting : events[i].blocks) locate_holders(waiting, events.first(i + 1));
  }
}

}  // namespace

FindingReader::FindingReader(const std::vector<json>& messages) : symbolizer_(modules_of(messages)) {}

std::vector<Frame> FindingReader::stack(const json& addresses) {
  std::vector<Frame> frames;
  for (const json& address : addresses) {
    for (const Frame& frame : symbolizer_.frames(address.get<std::uint64_t>())) {
      if (frame.module.find("libheddle_") == std::string::npos) frames.push_back(frame);
    }
  }
  return frames;
}

Location FindingReader::locate(const json& addresses) { return location_of(stack(addresses)); }

// What has no name of its own (it lies on the heap or a stack) is numbered: "mutex 1", "memory 2".
std::string FindingReader::object_name(const json& object, const std::string& kind) {
  const auto address = object.get<std::uint64_t>();
  if (address == 0) return "";
  if (const std::string variable = symbolizer_.variable(address); !variable.empty()) return variable;
  const auto [name, fresh] = numbered_.try_emplace(address);
  if (fresh) {
    const std::string what = noun(kind).empty() || kind.starts_with("Once") ? "memory" : noun(kind);
    name->second = fmt::format("{} {}", what, ++last_number_[what]);
  }
  return name->second;
}

Involved FindingReader::involved(const json& message) {
  Involved other;
  other.thread = message["thread"];
  other.stack = stack(message["stack"]);
  other.location = location_of(other.stack);
  if (!message.contains("waits")) {
    other.text = "earlier " + message["did"].get<std::string>() + " of this memory";
    return other;
  }
  other.joins = message.value("other", "");
  other.object = other.joins.empty() ? object_name(message["object"], message["kind"]) : "";
  for (const json& holder : message.value("held_by", json::array())) {
    other.holders.push_back({holder["thread"], locate(json::array({holder["site"]}))});
  }
  other.text = waits_text(message, other);
  return other;
}

ReportedEvent FindingReader::event(const json& message) {
  ReportedEvent event;
  event.thread = message["thread"];
  event.kind = message["kind"];
  event.text = message["text"];
  event.object = object_name(message["object"], event.kind);
  event.address = message["object"];
  event.size = message["size"];
  event.value = message["value"];
  event.before = message["before"];
  event.has_value = shows_value(event.kind) && !message.value("plain", false);
  if (event.has_value && message.contains("after")) event.after = message["after"].get<std::uint64_t>();
  if (event.has_value) event.order = order_name(message["order"]);
  event.outcome = message["outcome"];
  event.several = message.value("several", false);
  event.other = message.value("other", "");
  event.wakes = message.value("wakes", std::vector<std::string>{});
  event.follows = message.value("follows", std::vector<std::size_t>{});
  for (const json& blocked : message.value("blocks", json::array())) event.blocks.push_back(involved(blocked));
  event.unblocks = message.value("unblocks", std::vector<std::string>{});
  event.cancelled = message.value("cancelled", false);
  event.also = message.value("also", "");
  event.location = locate(message["stack"]);
  return event;
}

ReportedFinding FindingReader::smaller(const json& message, const ReportedFinding& original) {
  ReportedFinding finding = read(message);
  if (message.value("unrepeated", false)) return finding;
  const json& minimised = message["minimised"];
  const auto size = [](const json& s) { return Minimisation::Size{s["preemptions"], s["steps"]}; };
  finding.minimised = Minimisation{.before = size(minimised["before"]),
                                   .after = size(minimised["after"]),
                                   .fewest_preemptions = minimised["fewest_preemptions"],
                                   .smallest = minimised["smallest"],
                                   .original = original.schedule};
  return finding;
}

Decisive FindingReader::decisive(const json& message, const ReportedFinding& finding) {
  Decisive decisive;
  decisive.first = message["first"];
  decisive.schedule = message["schedule"];
  if (message.contains("outcome")) decisive.outcome = message["outcome"].get<std::uint32_t>();
  if (!message.contains("second")) return decisive;
  const json& second = message["second"];
  if (second["at"].get<std::size_t>() < finding.events.size()) {
    decisive.second = second["at"].get<std::size_t>();
    return decisive;
  }
  decisive.blocked_text = second["text"];
  for (const Involved& other : finding.involved) {
    if (other.thread == second["thread"]) decisive.blocked = other;
  }
  if (decisive.blocked) return decisive;
  // Somebody else failed before the thread came to it.
  Involved still_to_come;
  still_to_come.thread = second["thread"];
  still_to_come.object = object_name(second["object"], second["kind"]);
  still_to_come.location = locate(json::array({second["site"]}));
  decisive.blocked = still_to_come;
  return decisive;
}

ReportedFinding FindingReader::read(const json& message) {
  ReportedFinding finding;
  finding.kind = message["kind"];
  finding.message = message["message"];
  finding.thread = message.value("thread", "0");
  finding.schedule = message.value("schedule", "");
  finding.output = message.value("output", "");
  finding.loop = message.value("loop", std::uint64_t{0});
  if (message.contains("stack")) finding.stack = stack(message["stack"]);
  finding.location = location_of(finding.stack);
  if (message.contains("memory") && finding.kind == text(FindingKind::DataRace)) {
    const std::string name = symbolizer_.variable(message["memory"].get<std::uint64_t>());
    if (!name.empty()) finding.message += " (" + name + ")";
  }
  for (const json& other : message.value("involved", json::array())) finding.involved.push_back(involved(other));
  // A failure inside a library that no code of the program has called (exit destroys a global object): the finding is
  // where the other thread was.
  for (const Involved& other : finding.involved) {
    if (!finding.location.known()) finding.location = other.location;
  }
  for (const json& raw : message.value("events", json::array())) finding.events.push_back(event(raw));
  for (const json& access : message.value("accesses", json::array())) {
    finding.accesses.push_back({access["thread"], access["did"], {}, locate(access["stack"])});
    if (access.contains("after")) finding.accesses.back().after = access["after"].get<std::size_t>();
  }
  locate_holders(finding);
  // Whoever is blocked has no failing call: the finding is where the first of them waits, main's join last. (If nobody
  // is, an exit handler waits, and all threads have ended.)
  if (finding.kind == text(FindingKind::Deadlock) && !finding.involved.empty()) {
    finding.stack.clear();
    finding.location = {};
    for (const bool joins : {false, true}) {
      for (const Involved& other : finding.involved) {
        if (!finding.location.known() && other.joins.empty() != joins) finding.location = other.location;
      }
    }
  }
  return finding;
}

}  // namespace heddle
