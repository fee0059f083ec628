/* Dining philosophers as in tests/papers/cartesian_programs.cpp: lock left, think, lock right, unlock both; for ever. */
#ifndef N
#define N 5
#endif
bool fork[N];

active [N] proctype philosopher() {
  do
  :: atomic { !fork[_pid] -> fork[_pid] = true };
     skip;
     atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = true };
     atomic { fork[_pid] = false; fork[(_pid + 1) % N] = false }
  od
}
