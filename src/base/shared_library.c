#include "base/shared_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void *shared_library_open(const char *path, text *why)
{
    text here = {0};
    bool found = !strchr(path, '/') && access(path, R_OK) == 0;
    text_format(&here, "%s%s", found ? "./" : "", path);
    void *library = dlopen(text_string(&here), RTLD_NOW | RTLD_LOCAL);
    const char *reason = library ? NULL : dlerror();
    if (!library) text_add(why, reason ? reason : "it is none");
    text_free(&here);
    return library;
}

shared_function shared_library_find(void *library, const char *name)
{
    void *address = dlsym(library, name);
    shared_function function;
    memcpy(&function, &address, sizeof function); /* ISO C has no such cast */
    return address ? function : NULL;
}

/* The sections of a file with the symbols that it defines for others, and their names (System V
 * ABI, chapter 4). */
typedef struct symbols {
    const ElfW(Sym) * symbol;
    size_t count, length; /* length: of the names together */
    const char *names;
} symbols;

static bool is_within(size_t size, uint64_t offset, uint64_t length)
{
    return offset <= size && length <= size - offset;
}

/* False: the file is none that this machine could load. */
static bool find_symbols(const char *file, size_t size, symbols *found)
{
    const ElfW(Ehdr) *head = (const void *)file;
    if (size < sizeof *head || memcmp(file, ELFMAG, SELFMAG) != 0) return false;
    if (!is_within(size, head->e_shoff, head->e_shnum * sizeof(ElfW(Shdr)))) return false;
    const ElfW(Shdr) *section = (const void *)(file + head->e_shoff);
    for (unsigned k = 0; k < head->e_shnum; k++) {
        const ElfW(Shdr) *s = &section[k];
        if (s->sh_type != SHT_DYNSYM || s->sh_link >= head->e_shnum) continue;
        const ElfW(Shdr) *names = &section[s->sh_link];
        if (!is_within(size, s->sh_offset, s->sh_size)) return false;
        if (!is_within(size, names->sh_offset, names->sh_size)) return false;
        *found = (symbols){.symbol = (const void *)(file + s->sh_offset),
                           .count = s->sh_size / sizeof(ElfW(Sym)),
                           .length = names->sh_size,
                           .names = file + names->sh_offset};
        return true;
    }
    return false;
}

static void compare(const symbols *s, const char *name, size_t *best, char *nearest)
{
    for (size_t k = 0; k < s->count; k++) {
        const ElfW(Sym) *symbol = &s->symbol[k];
        bool function = (symbol->st_info & 0xf) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
        if (!function || symbol->st_name >= s->length) continue;
        const char *word = s->names + symbol->st_name;
        size_t length = strnlen(word, s->length - symbol->st_name);
        if (length >= SHARED_LIBRARY_NAME || !text_is_nearer(name, word, length, best)) continue;
        memcpy(nearest, word, length);
        nearest[length] = '\0';
    }
}

void shared_library_nearest(const char *path, const char *name, size_t *best, char *nearest)
{
    struct stat about;
    int file = open(path, O_RDONLY);
    symbols s;
    if (file < 0) return;
    size_t size = fstat(file, &about) == 0 && about.st_size > 0 ? (size_t)about.st_size : 0;
    void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED) return;
    if (find_symbols(bytes, size, &s)) compare(&s, name, best, nearest);
    munmap(bytes, size);
}
