#include "report/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/text.hpp"

namespace heddle {
namespace {

constexpr std::size_t kAccessesShown = 3;  // of each thread, the last ones

// Paths in the order of the creation tree: main, its first child, that one's children, ...
bool path_less(const std::string& a, const std::string& b) {
  const auto numbers = [](const std::string& path) {
    std::vector<int> parts;
    for (std::size_t at = 0; at < path.size();) {
      std::size_t end = path.find('.', at);
      if (end == std::string::npos) end = path.size();
      parts.push_back(std::atoi(path.substr(at, end - at).c_str()));
      at = end + 1;
    }
    return parts;
  };
  return numbers(a) < numbers(b);
}

std::vector<std::string> threads_of(const ReportedFinding& finding) {
  std::vector<std::string> threads{"0", finding.thread};
  for (const ReportedEvent& event : finding.events) {
    threads.push_back(event.thread);
    if (!event.other.empty()) threads.push_back(event.other);
  }
  for (const Involved& other : finding.involved) threads.push_back(other.thread);
  std::sort(threads.begin(), threads.end(), path_less);
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  return threads;
}

class Teller {
 public:
  Teller(const ReportedFinding& finding, const StoryLimits& limits)
      : finding_(finding), limits_(limits), relevant_(relevant_events(finding)) {
    story_.threads = threads_of(finding);
    lanes_.resize(story_.threads.size(), Lane::Absent);
    lane("0") = Lane::Ready;
    if (const auto all = finding.events.size(); finding.loop > 0 && finding.loop <= all) {
      relevant_[all - finding.loop] = true;
    }
    for (std::size_t i = 0; i < finding.events.size(); ++i) last_event_[finding.events[i].thread] = i;
    for (std::size_t i = 0; i < finding.accesses.size(); ++i) ++accesses_left_[finding.accesses[i].thread];
  }

  Story tell() {
    fold_middle();
    accesses_behind(std::nullopt);
    for (std::size_t i = 0; i < finding_.events.size();) {
      const std::size_t stretch = folded_from(i);
      if (stretch > 0) {
        fold(i, stretch);
      } else {
        operation(i);
      }
      i += std::max<std::size_t>(stretch, 1);
    }
    end();
    story_.decisive = decisive_sentence();
    return std::move(story_);
  }

 private:
  Lane& lane(const std::string& thread) {
    const auto at = std::lower_bound(story_.threads.begin(), story_.threads.end(), thread, path_less);
    return lanes_[static_cast<std::size_t>(at - story_.threads.begin())];
  }

  StoryLine& add(StoryLine::Kind kind, const std::string& thread, std::string text, const Location& location) {
    story_.lines.push_back({.kind = kind,
                            .thread = thread,
                            .event = std::nullopt,
                            .count = 0,
                            .mark = ' ',
                            .text = std::move(text),
                            .location = location,
                            .lanes = lanes_});
    return story_.lines.back();
  }

  // Of too many relevant operations the beginning and, more important, the end are kept.
  void fold_middle() {
    auto left = static_cast<std::size_t>(std::count(relevant_.begin(), relevant_.end(), true));
    if (left <= limits_.most_lines) return;
    const std::size_t head = limits_.most_lines / 3;
    const std::size_t tail = limits_.most_lines - head;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < relevant_.size(); ++i) {
      if (!relevant_[i]) continue;
      const bool decides = mark_of(i) != ' ';
      relevant_[i] = seen < head || left <= tail || decides;
      ++seen;
      --left;
    }
  }

  // How many events from i on are left out; a single one is not worth it.
  [[nodiscard]] std::size_t folded_from(std::size_t i) const {
    std::size_t end = i;
    while (end < relevant_.size() && !relevant_[end] && !access_after(end)) ++end;
    if (end < relevant_.size() && !relevant_[end] && access_after(end)) ++end;
    return end - i > 1 ? end - i : 0;
  }

  [[nodiscard]] bool access_after(std::size_t event) const {
    return std::any_of(finding_.accesses.begin(), finding_.accesses.end(),
                       [&](const ReportedAccess& access) { return access.after == event; });
  }

  void fold(std::size_t first, std::size_t count) {
    std::vector<std::string> threads;
    for (std::size_t i = first; i < first + count; ++i) {
      follow(i);
      const std::string name = thread_name(finding_.events[i].thread);
      if (std::find(threads.begin(), threads.end(), name) == threads.end()) threads.push_back(name);
    }
    std::string who;
    for (const std::string& name : threads) who += (who.empty() ? "" : ", ") + name;
    StoryLine& line = add(StoryLine::Kind::Fold, "", fmt::format("... {} operations of {}", count, who), {});
    line.event = first;
    line.count = count;
    accesses_behind(first + count - 1);
  }

  void operation(std::size_t i) {
    const ReportedEvent& event = finding_.events[i];
    follow(i);
    StoryLine line{.kind = StoryLine::Kind::Operation,
                   .thread = event.thread,
                   .event = i,
                   .count = 0,
                   .mark = mark_of(i),
                   .text = operation_text(event),
                   .location = event.location,
                   .lanes = lanes_};
    if (repeats(line)) {
      StoryLine& last = story_.lines.back();
      if (last.kind == StoryLine::Kind::Repeat) {
        ++last.count;
        last.text = fmt::format("... the same {} times more", last.count);
      } else {
        line.kind = StoryLine::Kind::Repeat;
        line.count = 1;
        repeated_ = line.text;
        line.text = "... the same once more";
        story_.lines.push_back(line);
      }
    } else {
      story_.lines.push_back(line);
    }
    for (const Involved& held : event.blocks) {
      lane(held.thread) = Lane::Waiting;
      // That main waits for its threads is no news, and who waits in the end is said there.
      if (held.joins.empty() && !waits_in_the_end(held.thread, i)) {
        add(StoryLine::Kind::Held, held.thread, short_wait(held), held.location);
      }
    }
    accesses_behind(i);
  }

  [[nodiscard]] bool repeats(const StoryLine& line) const {
    if (story_.lines.empty() || line.mark != ' ') return false;
    const StoryLine& last = story_.lines.back();
    if (last.thread != line.thread || last.location.line != line.location.line) return false;
    if (last.kind == StoryLine::Kind::Repeat) return repeated_ == line.text;
    return last.kind == StoryLine::Kind::Operation && last.text == line.text;
  }

  static std::string short_wait(const Involved& waiting) {
    if (!waiting.joins.empty()) return "waits for " + thread_name(waiting.joins);
    if (waiting.object.empty()) return waiting.text;
    std::string text = "waits for " + waiting.object;
    for (std::size_t i = 0; i < waiting.holders.size(); ++i) {
      text += (i == 0 ? " (" : ", ") + thread_name(waiting.holders[i].thread);
    }
    return text + (waiting.holders.empty() ? "" : ")");
  }

  [[nodiscard]] bool waits_in_the_end(const std::string& thread, std::size_t since) const {
    return finding_.kind == text(FindingKind::Deadlock) && at_end(thread) &&
           (!last_event_.contains(thread) || last_event_.at(thread) <= since);
  }

  // Takes note of an event in the lanes.
  void follow(std::size_t i) {
    const ReportedEvent& event = finding_.events[i];
    lane(event.thread) = last_event_[event.thread] == i && !at_end(event.thread) ? Lane::Absent : Lane::Ready;
    if (event.kind == "ThreadCreate") lane(event.other) = Lane::Ready;
    for (const Involved& held : event.blocks) lane(held.thread) = Lane::Waiting;
    for (const std::string& thread : event.unblocks) lane(thread) = Lane::Ready;
  }

  // Whether a thread is still there when the story ends.
  [[nodiscard]] bool at_end(const std::string& thread) const {
    return thread == finding_.thread || thread == "0" ||
           std::any_of(finding_.involved.begin(), finding_.involved.end(),
                       [&](const Involved& other) { return other.thread == thread; });
  }

  void accesses_behind(std::optional<std::size_t> event) {
    for (const ReportedAccess& access : finding_.accesses) {
      if (access.after != event || accesses_left_[access.thread]-- > kAccessesShown) continue;
      const bool fails = access.thread == finding_.thread && (event ? *event + 1 : 0) >= finding_.events.size();
      if (fails && access.location.line == finding_.location.line) continue;
      add(StoryLine::Kind::Access, access.thread, access.text + " of the memory", access.location);
    }
  }

  void end() {
    if (finding_.kind == text(FindingKind::Deadlock) && !finding_.involved.empty()) {
      for (const Involved& other : finding_.involved) {
        lane(other.thread) = Lane::Waiting;
        StoryLine& line = add(StoryLine::Kind::Waits, other.thread, short_wait(other), other.location);
        const bool decides =
            finding_.decisive && finding_.decisive->blocked && finding_.decisive->blocked->thread == other.thread;
        if (decides) line.mark = 'B';
      }
    } else {
      if (finding_.decisive && finding_.decisive->blocked) {
        const Involved& late = *finding_.decisive->blocked;
        add(StoryLine::Kind::Waits, late.thread, "still to come: " + late_text(), late.location).mark = 'B';
      }
      // Inside a library that nobody has called it has no place, though the finding has one.
      const bool placed = finding_.stack.empty() || location_of(finding_.stack).known();
      add(StoryLine::Kind::Failure, finding_.thread, finding_.kind, placed ? finding_.location : Location{});
    }
  }

  [[nodiscard]] char mark_of(std::size_t i) const {
    if (finding_.loop > 0 && i + finding_.loop == finding_.events.size()) return 'O';
    if (!finding_.decisive) return ' ';
    if (finding_.decisive->first == i) return 'A';
    return finding_.decisive->second == i ? 'B' : ' ';
  }

  // The operation that should have come first, if it did not happen at all.
  [[nodiscard]] std::string late_text() const {
    const Decisive& decisive = *finding_.decisive;
    return decisive.blocked_text + (decisive.blocked->object.empty() ? "" : " " + decisive.blocked->object);
  }

  [[nodiscard]] std::string decisive_sentence() const {
    if (!finding_.decisive) return "";
    const Decisive& decisive = *finding_.decisive;
    const ReportedEvent& first = finding_.events[decisive.first];
    if (decisive.outcome) {
      return fmt::format(
          "A decides: had {}'s `{}` gone another way (outcome {} instead of {}), there would have been no failure.",
          thread_name(first.thread), first.text, *decisive.outcome, first.outcome);
    }
    std::string second;
    std::string who;
    if (decisive.second) {
      second = operation_text(finding_.events[*decisive.second]);
      who = thread_name(finding_.events[*decisive.second].thread);
    } else if (decisive.blocked) {
      second = late_text();
      who = thread_name(decisive.blocked->thread);
    } else {
      return "";
    }
    return fmt::format(
        "The order of A and B decides: had {}'s `{}` (B) come before {}'s `{}` (A), there would have been no failure.",
        who, second, thread_name(first.thread), operation_text(first));
  }

  const ReportedFinding& finding_;
  const StoryLimits& limits_;
  std::vector<bool> relevant_;
  Story story_;
  std::vector<Lane> lanes_;
  std::map<std::string, std::size_t> last_event_;
  std::map<std::string, std::size_t> accesses_left_;
  std::string repeated_;
};

}  // namespace

Story tell_story(const ReportedFinding& finding, const StoryLimits& limits) { return Teller(finding, limits).tell(); }

std::vector<const Involved*> find_cycle(const ReportedFinding& finding) {
  const auto waiting = [&](const std::string& thread) -> const Involved* {
    for (const Involved& other : finding.involved) {
      if (other.thread == thread) return &other;
    }
    return nullptr;
  };
  for (const Involved& start : finding.involved) {
    std::vector<const Involved*> way;
    const Involved* at = &start;
    while (at != nullptr && std::find(way.begin(), way.end(), at) == way.end()) {
      way.push_back(at);
      const std::string next = !at->joins.empty() ? at->joins : at->holders.empty() ? "" : at->holders.front().thread;
      at = waiting(next);
    }
    if (at == &start) return way;
  }
  return {};
}

}  // namespace heddle
