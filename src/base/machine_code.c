#include "base/machine_code.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

bool machine_code_begin(machine_code *code, size_t size)
{
    *code = (machine_code){0};
    int zeros = open("/dev/zero", O_RDWR | O_CLOEXEC); /* POSIX has no other private memory */
    if (zeros < 0) return false;
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, zeros, 0);
    close(zeros);
    if (bytes == MAP_FAILED) return false;
    *code = (machine_code){bytes, size};
    return true;
}

bool machine_code_finish(machine_code *code)
{
    if (mprotect(code->bytes, code->size, PROT_READ | PROT_EXEC) == 0) return true;
    machine_code_free(code);
    return false;
}

void machine_code_free(machine_code *code)
{
    if (code->bytes) munmap(code->bytes, code->size);
    *code = (machine_code){0};
}
