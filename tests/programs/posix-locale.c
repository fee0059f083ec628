// A thread picks its own locale while the others keep the global one, which is "C" when the program starts.
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int steps;

static void *own_locale(void *arg) {
    locale_t mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    assert(mine);
    assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    assert(uselocale(mine) == LC_GLOBAL_LOCALE);
    atomic_fetch_add(&steps, 1);
    assert(uselocale((locale_t)0) == mine);
    assert(uselocale(LC_GLOBAL_LOCALE) == mine);
    freelocale(mine);
    return arg;
}

static void *global_locale(void *arg) {
    char text[16];
    atomic_fetch_add(&steps, 1);
    assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    assert(snprintf(text, sizeof text, "%.1f", 2.5) == 3 && strcmp(text, "2.5") == 0);
    return arg;
}

int main(void) {
    pthread_t first, second;
    assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
    assert(pthread_create(&first, NULL, own_locale, NULL) == 0);
    assert(pthread_create(&second, NULL, global_locale, NULL) == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    assert(atomic_load(&steps) == 2);
    if (setlocale(LC_CTYPE, "C.UTF-8")) // not installed everywhere
        assert(strcmp(setlocale(LC_CTYPE, NULL), "C") != 0);
    return 0;
}
