// Which threads can run: kept up to date as operations are announced and chosen. Operations that can neither block nor
// vary in their outcomes are settled when announced; only the others are looked at again at each state.
#pragma once

#include "base/thread_set.hpp"
#include "program/native/fibre.hpp"

namespace heddle::native {

// The pending operation of a fibre has just been announced.
void announced(const Fibre& fibre) noexcept;
// The pending operation of a fibre has been chosen.
void chosen(const Fibre& fibre) noexcept;
// Forgets all threads, for a restart.
void forget_threads() noexcept;
// Brings the outcomes of all threads up to date and returns the enabled ones.
const ThreadSet& refresh_enabled();

}  // namespace heddle::native
