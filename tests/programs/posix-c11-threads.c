// C11 threads: results of thrd_join and thrd_exit, plain and recursive mutexes, call_once.
#include <assert.h>
#include <threads.h>

static mtx_t plain, nested;
static once_flag flag = ONCE_FLAG_INIT;
static int total, initialised;

static void initialise(void) { initialised++; }

static int adder(void *arg) {
    int amount = *(int *)arg;
    call_once(&flag, initialise);
    assert(initialised == 1);
    assert(mtx_lock(&plain) == thrd_success);
    total += amount;
    assert(mtx_unlock(&plain) == thrd_success);
    if (amount > 1)
        thrd_exit(amount * 10);
    return amount;
}

static int visitor(void *arg) {
    *(thrd_t *)arg = thrd_current();
    assert(mtx_trylock(&plain) == thrd_busy);
    assert(mtx_trylock(&nested) == thrd_busy);
    return 0;
}

int main(void) {
    thrd_t first, second, self;
    int one = 1, two = 2, result = -1;
    assert(total == 0 && initialised == 0);
    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    assert(mtx_init(&nested, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_lock(&plain) == thrd_success);
    assert(mtx_lock(&nested) == thrd_success);
    assert(mtx_trylock(&nested) == thrd_success);
    assert(mtx_unlock(&nested) == thrd_success);
    assert(thrd_create(&first, visitor, &self) == thrd_success);
    assert(thrd_join(first, &result) == thrd_success && result == 0);
    assert(!thrd_equal(self, thrd_current()));
    assert(mtx_unlock(&nested) == thrd_success);
    assert(mtx_unlock(&plain) == thrd_success);

    assert(thrd_create(&first, adder, &one) == thrd_success);
    assert(thrd_create(&second, adder, &two) == thrd_success);
    thrd_yield();
    assert(thrd_join(first, &result) == thrd_success && result == 1);
    assert(thrd_join(second, &result) == thrd_success && result == 20);
    assert(total == 3);
    mtx_destroy(&plain);
    mtx_destroy(&nested);
    return 0;
}
