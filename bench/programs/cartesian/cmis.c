/* The paper's CMIS (figure 9): a merge sort of N numbers in descending order, that runs the left half on a thread of its own and sorts C
   numbers and fewer by insertion. The paper's threads wait in a loop for a request, in a way that is not published; these are created
   and joined. All accesses are steps, those of other threads' parts of the array are never in conflict. */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int array[N], draft[N];

struct part {
    int first, last;
};

static void insert_sort(int p, int r)
{
    for (int j = p + 1; j <= r; ++j) {
        int key = array[j], i = j - 1;
        while (i >= p && array[i] > key) {
            array[i + 1] = array[i];
            --i;
        }
        array[i + 1] = key;
    }
}

static void merge(int p, int q, int r)
{
    for (int i = p; i <= r; ++i)
        draft[i] = array[i];
    int i = p, j = q + 1, k = p;
    while (i <= q && j <= r)
        array[k++] = draft[i] <= draft[j] ? draft[i++] : draft[j++];
    while (i <= q)
        array[k++] = draft[i++];
}

static void *sort(void *argument)
{
    int p = ((struct part *)argument)->first, r = ((struct part *)argument)->last;
    if (r - p + 1 <= C) {
        insert_sort(p, r);
    } else {
        int q = (p + r) / 2;
        struct part left = {p, q}, right = {q + 1, r};
        pthread_t child;
        pthread_create(&child, NULL, sort, &left);
        sort(&right);
        pthread_join(child, NULL);
        merge(p, q, r);
    }
    for (int i = p; i < r; ++i)
        assert(array[i] <= array[i + 1]);
    return NULL;
}

int main(void)
{
    struct part all = {0, N - 1};
    heddle_atomic_begin();
    for (int i = 0; i < N; ++i)
        array[i] = N - i;
    heddle_atomic_end();
    sort(&all);
    return 0;
}
