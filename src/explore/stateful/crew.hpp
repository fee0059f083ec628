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
  std::vector<int> children_;
};

}  // namespace heddle
