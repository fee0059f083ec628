/* strtok remembers its place in the text in one variable for all threads. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *second_word(void *text)
{
    strtok(text, " ");
    return strtok(NULL, " ");
}

int main(void)
{
    char ours[] = "one two", theirs[] = "three four";
    pthread_t thread;
    void *word;
    pthread_create(&thread, NULL, second_word, theirs);
    assert(strcmp(second_word(ours), "two") == 0);
    pthread_join(thread, &word);
    assert(strcmp(word, "four") == 0);
    return 0;
}
