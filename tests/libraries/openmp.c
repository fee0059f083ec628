/* OpenMP on the stock libgomp: a reduction, a critical section, and a barrier between. */
#include <assert.h>
#include <omp.h>

int main(void) {
  int sum = 0, entered = 0;
#pragma omp parallel num_threads(2) shared(entered) reduction(+ : sum)
  {
    sum += omp_get_thread_num() + 1;
#pragma omp critical
    ++entered;
#pragma omp barrier
    assert(entered == 2);
  }
  assert(sum == 3);
  return 0;
}
