/* What <heddle/heddle.hpp>, <heddle/gtest.hpp> and <heddle/catch2.hpp> ask of Heddle's runtime, which `heddle c++` links
   with the program. Weak: in a program built without it these are null, and the caller says so. */
#ifndef HEDDLE_DETAIL_UNIT_CHECK_H
#define HEDDLE_DETAIL_UNIT_CHECK_H

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_unit_request {
  const char *name;             /* checks of the same name are told apart by their number */
  const char *const *options;   /* of `heddle check`, up to a null */
  const char *const *arguments; /* with which a fresh process of this program comes here; null: those of this process */
  void (*function)(void *context);
  void *context;
};

struct heddle_unit_finding {
  const char *kind;
  const char *message;
  const char *file;
  const char *function;
  const char *schedule;
  int line;
};

struct heddle_unit_result {
  const char *verdict; /* as in result files, or "error" */
  const char *reason;
  const char *coverage;
  const char *report;      /* what `heddle check` prints */
  const char *result_file; /* kept for `heddle replay`; empty if there is nothing to replay */
  unsigned long executions;
  unsigned long events;
  double seconds;
  const struct heddle_unit_finding *findings;
  unsigned long finding_count;
};

/* Explores a function in a fresh process of this program, and hands the result over before it returns. In that process,
   does not return. */
void heddle_unit_check(const struct heddle_unit_request *request,
                       void (*answer)(void *to, const struct heddle_unit_result *result), void *to)
    __attribute__((weak));

/* Another test begins: its checks are counted from the start. */
void heddle_unit_begins(void) __attribute__((weak));

/* An assertion of a test framework failed. A finding if that happens in an exploration; otherwise the framework's affair. */
void heddle_unit_failed(const char *message) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
