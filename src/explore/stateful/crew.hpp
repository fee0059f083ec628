// What the processes of one search share besides the states: whether to stop, the work that is handed over, findings
// and figures.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "explore/budget.hpp"
#include "explore/stateful/growing_array.hpp"
#include "explore/stateful/shared_lock.hpp"
#include "explore/stateful/state_store.hpp"
#include "model/finding.hpp"
#include "model/listener.hpp"

namespace heddle {

// Steps of one thread; all but the last have only one outcome.
struct Segment {
  std::uint16_t thread = 0;
  std::uint16_t outcome = 0;
  std::uint32_t steps = 0;
};

struct NotedWay {
  StateNumber from = kNoState;
  std::vector<Segment> way;  // from there
};

struct NotedFinding : NotedWay {
  Finding finding;
};

class Crew {
 public:
  Crew(const Processes& processes, std::uint64_t most_bytes);

  // The first reason to stop stands.
  void stop(Ended reason);
  // Because the program refused to go on, at the end of this way.
  void refuse(StateNumber from, std::span<const Segment> way);
  [[nodiscard]] NotedWay refused() const { return way_at(board().refused); }
  [[nodiscard]] std::optional<Ended> stopped() const;

  // Forks the others; whether this is one of them.
  bool hire(unsigned others);
  // This process has nothing to do: gets a state from those who have. Nothing when nobody has, or the search stops.
  std::optional<StateNumber> wait_for_work();
  // Whether somebody has nothing to do and nothing is on offer.
  [[nodiscard]] bool wanted() const;
  void offer(StateNumber state);
  // At the end, by the process that hired: whether all others ended well.
  bool dismiss();
  [[noreturn]] void leave();

  void note(const Finding& finding, StateNumber from, std::span<const Segment> way);
  [[nodiscard]] std::uint64_t findings() const { return findings_.size(); }
  [[nodiscard]] NotedFinding finding(std::uint64_t number) const;

  void add(const Statistics& statistics);
  [[nodiscard]] Statistics total() const;

  // For a checkpoint: the states that have yet to be expanded, of all processes.
  // By the one that hired: lets all others stop where they are, between two expansions, with their figures added. False
  // if the search stops meanwhile. Afterwards they go on.
  bool pause();
  void go_on();
  // By the others: whether they are to stop, and that they have, with these states.
  [[nodiscard]] bool paused() const;
  void park(std::span<const StateNumber> waiting);
  // By the others, at the end of a search that is not over.
  void leave_behind(std::span<const StateNumber> waiting);
  // What the others have, and what is on offer; each once.
  [[nodiscard]] std::vector<StateNumber> waiting() const;
  // A process left a state half expanded: where the search stands can no longer be written down.
  void spoil() { std::atomic_ref(board().spoilt).store(1); }
  [[nodiscard]] bool spoilt() const { return board().spoilt != 0; }

  // Findings and figures.
  void archive(Archive& archive);

 private:
  static constexpr std::size_t kMessage = 480;
  struct WayAt {
    StateNumber from;
    std::uint32_t segments;
    std::uint64_t first;
  };
  struct Board {
    std::uint32_t lock;
    std::uint32_t stop;    // 1 + the reason
    std::uint32_t hungry;  // processes without work
    std::uint32_t members;
    std::uint32_t pause;
    std::uint32_t parked;  // processes that have stopped for it
    std::uint32_t spoilt;
    std::uint64_t taken;  // of the offers
    WayAt refused;
    Statistics total;
  };
  struct Note {
    FindingKind kind;
    std::uint16_t thread;
    std::uint64_t memory;
    std::uint64_t key;
    WayAt way;
    std::array<char, kMessage> message;
  };

  [[nodiscard]] Board& board() { return board_[0]; }
  [[nodiscard]] const Board& board() const { return board_[0]; }
  [[nodiscard]] bool somebody_died();
  [[nodiscard]] WayAt keep(StateNumber from, std::span<const Segment> way);
  [[nodiscard]] NotedWay way_at(const WayAt& at) const;

  const Processes& processes_;
  GrowingArray<Board> board_;
  GrowingArray<StateNumber> offers_;
  GrowingArray<Note> findings_;
  GrowingArray<Segment> ways_;
  GrowingArray<StateNumber> waiting_;
  std::vector<int> children_;
};

}  // namespace heddle
