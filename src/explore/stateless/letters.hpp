// The letters that words in wakeup trees are made of. A letter is a thread with an outcome and what it does. Few of
// them are different, while trees may have millions of nodes: each letter is kept once, and nodes have its number.
#pragma once

#include <cstdint>
#include <vector>

#include "base/archive.hpp"
#include "model/execution.hpp"

namespace heddle {

struct Letter {
  Event event;  // one of those that were this letter; values and places in the source may be others next time
  bool known;   // if not, only thread and outcome are: it has never been performed
  Execution::Place place;
};

class Letters {
 public:
  using Number = std::uint32_t;

  [[nodiscard]] Number number(const Event& event, bool known, Execution::Place place);
  [[nodiscard]] const Letter& operator[](Number number) const noexcept { return letters_[number]; }

  void archive(Archive& archive);

 private:
  static constexpr Number kNone = ~Number{0};
  [[nodiscard]] std::size_t slot_of(const Event& event, bool known) const noexcept;
  void grow();

  std::vector<Letter> letters_;
  std::vector<Number> table_;  // open addressing, a power of two
};

}  // namespace heddle
