// Standard I/O from two threads: counts returned by printf, a locked stream, a memory stream for each thread.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int lines;

static void *report(void *arg) {
    const char *name = arg;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert(stream);
    assert(fprintf(stream, "%s:%03d", name, 7) == (int)strlen(name) + 4);
    atomic_fetch_add(&lines, 1);
    assert(fputs(" done", stream) >= 0 && putc('.', stream) == '.');
    assert(fclose(stream) == 0);
    assert(size == strlen(name) + 10);
    assert(strncmp(text, name, strlen(name)) == 0 && strcmp(text + strlen(name), ":007 done.") == 0);

    char word[16];
    int number = 0;
    assert(sscanf(text, "%15[a-z]:%d", word, &number) == 2);
    assert(strcmp(word, name) == 0 && number == 7);
    flockfile(stdout);
    assert(printf("%s\n", text) == (int)size + 1);
    assert(putchar('\n') == '\n');
    funlockfile(stdout);
    free(text);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    assert(atomic_load(&lines) == 0);
    assert(pthread_create(&first, NULL, report, "alpha") == 0);
    assert(pthread_create(&second, NULL, report, "beta") == 0);
    assert(pthread_join(first, NULL) == 0);
    assert(pthread_join(second, NULL) == 0);
    assert(atomic_load(&lines) == 2);
    assert(puts("end") >= 0 && fflush(stdout) == 0);
    return 0;
}
