// The programs of the Cartesian paper (its appendix), as toy programs with the granularity that its table was computed
// with: one operation is one transition; `begins`/`continues` make several operations one; choose(1) is a local step.
// All threads run from the beginning. Temporary values are cleared within the step that used them: the paper's states
// do not have them.
#pragma once

#include <cstdint>
#include <vector>

#include "program/toy/toy_code.hpp"

namespace heddle::papers {

// Two threads update what a shared pointer points to (figure 11): p = .., 100 iterations, the loop's exit (local),
// *p += k with the assertion. A finished thread runs on in a local loop, which the paper counts.
[[nodiscard]] toy::ToyCode shared_pointer();
// Two threads fill an array each at its own indices (figure 10); one transition for each atomic block.
[[nodiscard]] toy::ToyCode shared_array();
// Robots in an arena of 12 x 12 (figure 1): A[x,y] = false | move | assertion and A[x,y] = true.
struct Position {
  int x;
  int y;
};
[[nodiscard]] toy::ToyCode robots(const std::vector<Position>& starts);
// 26 blocks and 32 inodes; lock, read inode, lock, read busy, write busy, write inode, unlock, unlock.
[[nodiscard]] toy::ToyCode file_system(std::uint32_t threads);
// A hash table of 128 entries; four messages for each thread (figure 12), one transition for each cas, which reads and
// writes also where it fails.
[[nodiscard]] toy::ToyCode indexer(std::uint32_t threads);
// Lock left | think (local) | lock right | unlock both.
[[nodiscard]] toy::ToyCode philosophers(std::uint32_t count);

}  // namespace heddle::papers
