/* A thread starts a child process with fork(), which leaves the one process that is explored. */
#include <pthread.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void *run_helper(void *status)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child < 0 || waitpid(child, status, 0) != child)
        *(int *)status = -1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int status = 0;
    pthread_create(&thread, NULL, run_helper, &status);
    pthread_join(thread, NULL);
    return status == 0 ? 0 : 1;
}
