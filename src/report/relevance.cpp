// Which events have to do with a finding: see story.hpp.
#include <algorithm>
#include <map>
#include <set>

#include "report/story.hpp"

namespace heddle {
namespace {

constexpr std::size_t kLastLooks = 2;     // of the failing thread
constexpr std::size_t kAroundAccess = 4;  // events of a thread before its access to the memory in question
constexpr std::size_t kShortStory = 8;    // not worth folding

bool about_threads(const ReportedEvent& event) { return event.kind.starts_with("Thread"); }

using Objects = std::set<std::string>;

// Objects that several threads used.
Objects shared_objects(const ReportedFinding& finding) {
  std::map<std::string, std::set<std::string>> users;
  for (const ReportedEvent& event : finding.events) {
    if (!event.object.empty() && !about_threads(event)) users[event.object].insert(event.thread);
  }
  Objects shared;
  for (const auto& [object, threads] : users) {
    if (threads.size() > 1) shared.insert(object);
  }
  return shared;
}

Objects objects_in_question(const ReportedFinding& finding) {
  Objects objects;
  const auto add = [&](const std::string& object) {
    if (!object.empty()) objects.insert(object);
  };
  if (finding.decisive) {
    add(finding.events[finding.decisive->first].object);
    if (finding.decisive->second) add(finding.events[*finding.decisive->second].object);
    if (finding.decisive->blocked) add(finding.decisive->blocked->object);
  }
  for (const Involved& other : finding.involved) {
    if (other.joins.empty()) add(other.object);
  }
  if (finding.kind == text(FindingKind::Deadlock) || !finding.accesses.empty()) return objects;
  std::size_t looks = 0;
  for (std::size_t i = finding.events.size(); i-- > 0 && looks < kLastLooks;) {
    const ReportedEvent& event = finding.events[i];
    if (event.thread != finding.thread || about_threads(event) || event.object.empty()) continue;
    add(event.object);
    ++looks;
  }
  return objects;
}

void mark_before_accesses(const ReportedFinding& finding, std::vector<bool>& relevant) {
  const auto mark_back = [&](const std::string& thread, std::size_t from) {
    std::size_t marked = 0;
    for (std::size_t i = std::min(from + 1, finding.events.size()); i-- > 0 && marked < kAroundAccess;) {
      if (finding.events[i].thread != thread || about_threads(finding.events[i])) continue;
      relevant[i] = true;
      ++marked;
    }
  };
  mark_back(finding.thread, finding.events.size());
  for (const ReportedAccess& access : finding.accesses) {
    if (access.after) mark_back(access.thread, *access.after);
  }
}

}  // namespace

std::vector<bool> relevant_events(const ReportedFinding& finding) {
  std::vector<bool> relevant(finding.events.size(), false);
  if (finding.events.size() <= kShortStory) {
    relevant.assign(relevant.size(), true);
    return relevant;
  }
  Objects objects = objects_in_question(finding);
  if (objects.empty() && finding.accesses.empty()) objects = shared_objects(finding);
  for (std::size_t i = 0; i < finding.events.size(); ++i) {
    const ReportedEvent& event = finding.events[i];
    const bool chosen = event.kind == "Choose" && event.several;
    relevant[i] = chosen || (objects.contains(event.object) && !about_threads(event));
  }
  if (!finding.accesses.empty()) mark_before_accesses(finding, relevant);
  if (finding.decisive) {
    relevant[finding.decisive->first] = true;
    if (finding.decisive->second) relevant[*finding.decisive->second] = true;
  }
  return relevant;
}

}  // namespace heddle
