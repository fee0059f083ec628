// Which objects a thread may still touch from each line of a program: what persistent sets are made of
// (model/static_table.hpp, docs/adr/0007-static-reduction.md).
//
// For an instruction, that is what it touches itself and what every instruction does that control flow leads to: in its
// function, in those called from there, in threads created there, and, since the function will return, behind every
// call of it (whichever of them it was is not asked). Pointers are followed by points_to.hpp. Memory that only one
// thread can have a pointer to is nobody else's business.
//
// Lines stand for the instructions on them: a running program can say on which line a thread is about to do something,
// because it was compiled without optimisation by the same compiler. A line with several has all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/static_table.hpp"

namespace heddle::symbolic {

struct LineAccesses {
  std::string file;  // in full
  unsigned line = 0;
  StaticLocation location;
};

struct StaticAnalysis {
  std::vector<StaticAccess> accesses;  // the first is the one to everything
  std::vector<LineAccesses> lines;
};

// Of bitcode files. Nothing if Heddle was built without LLVM, or with `error` set if they cannot be analysed.
[[nodiscard]] std::optional<StaticAnalysis> analyse_accesses(const std::vector<std::string>& bitcode,
                                                             std::string& error);

}  // namespace heddle::symbolic
