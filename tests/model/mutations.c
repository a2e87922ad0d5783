/* Damaged texts: models of the corpus with tokens or bytes deleted, doubled and exchanged. Whatever
 * the text, the reader returns soon, with equations or with a message. */
#include "reading.h"

#include <ctype.h>
#include <dirent.h>
#include <stdint.h>
#include <time.h>

static uint64_t state = 0x2545F4914F6CDD1Du; /* the same variants in every run */

static uint64_t draw(uint64_t below)
{
    state ^= state << 13; /* Marsaglia, J. Stat. Softw. 8 (2003) */
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

/* A piece of text [begin, end). */
typedef struct piece {
    size_t begin, end;
} piece;

/* A word, a number, a sign or a line at a random place. */
static piece draw_piece(const char *bytes, size_t length)
{
    size_t begin = (size_t)draw(length), end = begin + 1;
    switch (draw(4)) {
    case 0: break; /* a byte */
    case 1:
        while (begin > 0 && bytes[begin - 1] != '\n') begin--;
        while (end < length && bytes[end - 1] != '\n') end++;
        break;
    default:
        while (begin > 0 && isalnum((unsigned char)bytes[begin - 1])) begin--;
        while (end < length && isalnum((unsigned char)bytes[end])) end++;
    }
    return (piece){begin, end};
}

static size_t append(char *to, size_t at, const char *bytes, piece p)
{
    memcpy(to + at, bytes + p.begin, p.end - p.begin);
    return at + p.end - p.begin;
}

/* A variant with one change; returns its length. `to` has room for three texts. */
static size_t mutate(char *to, const char *bytes, size_t length)
{
    static const char *const strange[] = {"end",
                                          "if",
                                          "(",
                                          ")",
                                          "[",
                                          "{",
                                          "'",
                                          "\"",
                                          ";",
                                          "=",
                                          "der(",
                                          "/*",
                                          "for i in 1:3 loop",
                                          "\xC3",
                                          "0",
                                          "x[1]",
                                          "when",
                                          "end if;",
                                          "-",
                                          "function",
                                          "time",
                                          "1e999",
                                          ":"};
    piece a = draw_piece(bytes, length), b = draw_piece(bytes, length);
    size_t n = append(to, 0, bytes, (piece){0, a.begin});
    switch (draw(5)) {
    case 0: break; /* deleted */
    case 1: n = append(to, n, bytes, a), n = append(to, n, bytes, a); break;
    case 2: n = append(to, n, bytes, b); break; /* replaced by another */
    case 3: {
        const char *s = strange[draw(sizeof strange / sizeof *strange)];
        n = append(to, n, s, (piece){0, strlen(s)});
        n = append(to, n, bytes, a);
        break;
    }
    default: /* cut off */ return draw(4) ? append(to, n, bytes, a) : n;
    }
    return append(to, n, bytes, (piece){a.end, length});
}

static void read_variants(const char *path, int count)
{
    size_t length;
    char *bytes = file_bytes(path, &length);
    ck_assert_ptr_nonnull(bytes);
    char *variant = malloc(24 * length + 256), *next = malloc(24 * length + 256);
    for (int i = 0; i < count; i++) {
        size_t n = mutate(variant, bytes, length);
        for (uint64_t more = draw(3); more > 0 && n > 0 && n < 4 * length; more--) {
            n = mutate(next, variant, n);
            char *other = variant;
            variant = next;
            next = other;
        }
        char *exact = malloc(n ? n : 1); /* so that a sanitizer sees reading beyond the end */
        memcpy(exact, variant, n);
        reading r;
        clock_t begin = clock();
        read_bytes(&r, "variant.mo", exact, n, 0, NULL);
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        ck_assert_msg(seconds < 2, "%s: %g s for:\n%.*s", path, seconds, (int)n, exact);
        bool fine = r.status == DAE_OK ? r.system != NULL
                                       : r.status == DAE_MODEL_ERROR && r.m.sentence.length > 0;
        ck_assert_msg(fine, "%s: status %d for:\n%.*s", path, r.status, (int)n, exact);
        bool clean = is_clean(message_string(&r.m)) && is_clean(text_string(&r.m.notes));
        for (size_t k = 0; r.system && k < r.system->unknown.count; k++)
            clean = clean && is_clean(r.system->unknown.item[k].name);
        for (size_t k = 0; r.system && k < r.system->equation.count; k++)
            clean = clean && is_clean(r.system->equation.item[k].text);
        ck_assert_msg(clean, "%s: not UTF-8 for:\n%.*s", path, (int)n, exact);
        close_reading(&r);
        free(exact);
    }
    free(variant);
    free(next);
    free(bytes);
}

static int variants(void)
{
    const char *given = getenv("VARIANTS"); /* of each file, for a longer search */
    return given ? atoi(given) : 100;
}

START_TEST(all_end_well)
{
    static const char *const folder[] = {"corpus", "corpus/base", "model"};
    int files = 0;
    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
        DIR *d = opendir(folder[i]);
        ck_assert_ptr_nonnull(d);
        for (struct dirent *entry = readdir(d); entry; entry = readdir(d)) {
            const char *ending = strrchr(entry->d_name, '.');
            if (!ending || (strcmp(ending, ".mo") != 0 && strcmp(ending, ".bmo") != 0)) continue;
            char path[512];
            snprintf(path, sizeof path, "%s/%s", folder[i], entry->d_name);
            state = 0x2545F4914F6CDD1Du + (uint64_t)entry->d_name[0] * 1000003u +
                    strlen(entry->d_name);
            read_variants(path, variants());
            files++;
        }
        closedir(d);
    }
    ck_assert_int_gt(files, 200);
}
END_TEST

int UNIT_ENTRY(void)
{
    const TTest *const tests[] = {all_end_well};
    return unit_main("model/mutations", 600, 1, tests);
}
