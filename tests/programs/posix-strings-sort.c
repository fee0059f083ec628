// Two threads sort, search and split at the same time; the comparison lets the other one run inside qsort.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int longest;

static int by_text(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    if (strlen(x) == 5)
        atomic_fetch_add(&longest, 0); // a scheduling point in the middle of the sort
    return strcmp(x, y);
}

static void *split_and_sort(void *arg) {
    char *copy = strdup(arg), *rest = NULL, *word[3];
    int n = 0;
    for (char *w = strtok_r(copy, ", ", &rest); w; w = strtok_r(NULL, ", ", &rest))
        word[n++] = w;
    assert(n == 3);
    qsort(word, 3, sizeof word[0], by_text);
    const char *key = "fig";
    assert(bsearch(&key, word, 3, sizeof word[0], by_text) == &word[1]);
    char line[64], moved[64];
    assert(snprintf(line, sizeof line, "%s|%s|%s", word[0], word[1], word[2]) == (int)strlen(arg) - 2);
    memcpy(moved, line, sizeof moved);
    memmove(moved + 1, moved, strlen(line) + 1);
    moved[0] = '>';
    free(copy);
    return strdup(moved);
}

int main(void) {
    pthread_t first, second;
    void *a, *b;
    assert(atomic_load(&longest) == 0);
    assert(pthread_create(&first, NULL, split_and_sort, "grape, fig, date") == 0);
    assert(pthread_create(&second, NULL, split_and_sort, "plum, apple, fig") == 0);
    assert(pthread_join(first, &a) == 0);
    assert(pthread_join(second, &b) == 0);
    assert(strcmp(a, ">date|fig|grape") == 0);
    assert(strcmp(b, ">apple|fig|plum") == 0);
    free(a);
    free(b);
    return 0;
}
