/* A job is allocated with the size of the structure. */
#include <pthread.h>
#include <stdlib.h>

struct job {
    long id;
    long priority;
};

static void *pool_allocate(size_t size)
{
    void *block = malloc(size);
    if (block == NULL)
        abort();
    return block;
}

static void *(*allocate)(size_t) = pool_allocate;

static void *make_job(void *id)
{
    struct job *job = allocate(sizeof *job);
    job->id = *(long *)id;
    job->priority = 5;
    return job;
}

int main(void)
{
    pthread_t maker;
    long id = 1;
    void *job;
    pthread_create(&maker, NULL, make_job, &id);
    pthread_join(maker, &job);
    free(job);
    return 0;
}
