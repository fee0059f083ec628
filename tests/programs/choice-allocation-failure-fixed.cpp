// Each allocation may fail; when the second one does, the first is given back.
#include <cstdlib>

extern "C" bool __VERIFIER_nondet_bool(void);

__attribute__((noinline)) static char *allocate(int size) {
    if (__VERIFIER_nondet_bool())
        return nullptr;
    return static_cast<char *>(std::malloc(size));
}

static void clear(volatile char *buffer) {
    buffer[0] = '\0';
}

static bool make_buffers(char **input, char **output) {
    *input = allocate(16);
    if (!*input)
        return false;
    *output = allocate(16);
    if (!*output) {
        std::free(*input);
        return false;
    }
    clear(*input);
    clear(*output);
    return true;
}

int main() {
    char *input, *output;
    if (make_buffers(&input, &output)) {
        std::free(input);
        std::free(output);
    }
    return 0;
}
