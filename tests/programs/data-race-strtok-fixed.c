/* strtok_r leaves it to the caller to remember its place in the text. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *second_word(void *text)
{
    char *place;
    strtok_r(text, " ", &place);
    return strtok_r(NULL, " ", &place);
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
