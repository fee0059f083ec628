/* What a program under test may say to the checker. Everything works outside `heddle check` too: assertions check,
   assumptions hold or end the program, choices are 0. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* A data choice: every value from 0 to n-1 is explored. n is at most 256. */
int heddle_choose(int n);

/* Only executions in which the condition holds count. */
void heddle_assume_that(int condition);
#define heddle_assume(condition) heddle_assume_that((condition) ? 1 : 0)

/* Like assert, but never compiled out. */
void heddle_assertion_failed(const char *expression, const char *file, int line);
#define heddle_assert(condition) ((condition) ? (void)0 : heddle_assertion_failed(#condition, __FILE__, __LINE__))

/* What happens between the two is one step: no other thread runs, unless this one blocks. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

#ifdef __cplusplus
}
#endif

#endif
