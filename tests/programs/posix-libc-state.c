// The C library starts fresh with the program: rand, getopt, environment, stream orientation, errno.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static atomic_int visits;

static void *visitor(void *arg) {
    atomic_fetch_add(&visits, 1);
    return arg;
}

int main(void) {
    pthread_t first, second;
    assert(errno == 0);
    assert(fwide(stdout, 0) == 0);
    assert(!ferror(stdout) && !feof(stdin));
    assert(optind == 1);
    assert(getenv("SPOOL_DIRECTORY") == NULL);
    int drawn = rand(), next = rand();
    double real = drand48();

    assert(pthread_create(&first, NULL, visitor, NULL) == 0);
    assert(pthread_create(&second, NULL, visitor, NULL) == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(atomic_load(&visits) == 2);

    srand(1); // what a program that never calls srand starts with
    assert(rand() == drawn && rand() == next);
    assert(real >= 0.0 && real < 1.0);
    char *arguments[] = {"spooler", "-v", "file", NULL};
    assert(getopt(3, arguments, "v") == 'v' && optind == 2);
    assert(setenv("SPOOL_DIRECTORY", "/var/spool", 1) == 0);
    assert(strcmp(getenv("SPOOL_DIRECTORY"), "/var/spool") == 0);
    assert(fwide(stdout, -1) < 0);
    errno = ENOTTY;
    return 0;
}
