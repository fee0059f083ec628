/* Peterson's lock for N processes as in tests/papers/never_ending_programs.cpp: every access to a shared variable is one
   step, and what follows it in the process itself belongs to that step. Who waits looks at the others one by one, and
   begins again at the first when one of them is in the way. */
#ifndef N
#define N 3
#endif
#define OTHER(i) (i == _pid -> i + 1 : i)   /* the first process from i on that is another one */
#define NEXT                                                    \
  k = OTHER((k + 1));                                           \
  if                                                            \
  :: k < N -> goto look                                         \
  :: k == N && l + 1 < N -> l++; k = 0; goto enter              \
  :: k == N && l + 1 == N -> k = 0; goto critical               \
  fi

byte level[N];
byte victim[N];  /* by level; 0: nobody, else process + 1 */
byte inside;

active [N] proctype contender() {
  byte l = 1;
  byte k;
enter:
  level[_pid] = l;
  d_step { victim[l] = _pid + 1; k = OTHER(0) }
look:
  if
  :: atomic { level[k] < l -> NEXT }
  :: level[k] >= l
  fi;
  if
  :: atomic { victim[l] != _pid + 1 -> NEXT }
  :: atomic { victim[l] == _pid + 1 -> k = OTHER(0); goto look }
  fi;
critical:
  inside = _pid + 1;
  assert(inside == _pid + 1);
  d_step { level[_pid] = 0; l = 1 };
  goto enter
}
