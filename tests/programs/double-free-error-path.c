/* A request that finds the printer busy is rejected, which frees its text; the common end of
   both paths frees the text again. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct request {
    char *text;
};

static atomic_flag printer = ATOMIC_FLAG_INIT;

static void reject(struct request *request)
{
    free(request->text); // BUG
}

static void finish(struct request *request)
{
    free(request->text); // BUG
    free(request);
}

static void *print(void *argument)
{
    struct request *request = argument;
    if (atomic_flag_test_and_set(&printer))
        reject(request);
    else
        atomic_flag_clear(&printer);
    finish(request);
    return NULL;
}

static struct request *new_request(const char *text)
{
    struct request *request = malloc(sizeof *request);
    request->text = strdup(text);
    return request;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, print, new_request("page 1"));
    print(new_request("page 2"));
    pthread_join(other, NULL);
    return 0;
}
