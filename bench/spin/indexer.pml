/* The indexer of the partial-order papers: N threads with four messages each, a hash table of 128 entries; one step for
   each compare-and-swap. */
#ifndef N
#define N 4
#endif
byte table[128];

active [N] proctype thread() {
  byte m = 1;
  byte w = 12 + _pid;
  byte h = ((12 + _pid) * 7) % 128;
end:
  do
  :: d_step {
       m <= 4 ->
       if
       :: table[h] == 0 ->
          table[h] = w;
          m++;
          if
          :: m <= 4 -> w = m * 11 + _pid + 1; h = (w * 7) % 128
          :: else -> w = 0; h = 0
          fi
       :: else -> h = (h + 1) % 128
       fi
     }
  od
}
