/* Matrices in files of MATLAB 4, as the Modelica Standard Library writes and reads them: one after
 * the other a header of five whole numbers, type, rows, columns, 0 and the length of the name, the
 * name, and the numbers column by column. The decimal digits MOPT of the type are M, 0 of little
 * endian and 1 of big; O, which is 0; P, how numbers are stored; T, 0 of a matrix of numbers
 * (MATLAB 5.3 External Interfaces, Level 1.0 MAT-File Format). */
#include "model/table_file.h"

#include <stdint.h>
#include <string.h>

typedef struct mat_file {
    model_reader *r;
    const unsigned char *at;
    size_t left;
    bool big; /* endian */
} mat_file;

static const unsigned sizes[] = {8, 4, 4, 2, 2, 1};

/* The next `size` bytes as a number of bits. */
static uint64_t read_bits(mat_file *f, unsigned size)
{
    uint64_t bits = 0;
    for (unsigned k = 0; k < size; k++)
        bits |= (uint64_t)f->at[k] << 8 * (f->big ? size - 1 - k : k);
    f->at += size;
    f->left -= size;
    return bits;
}

static double read_number(mat_file *f, unsigned stored)
{
    uint64_t bits = read_bits(f, sizes[stored]);
    uint32_t half = (uint32_t)bits;
    double number;
    float single;
    memcpy(&number, &bits, sizeof number);
    memcpy(&single, &half, sizeof single);
    switch (stored) {
    case 0: return number;
    case 1: return (double)single;
    case 2: return (int32_t)half;
    case 3: return (int16_t)half;
    default: return half;
    }
}

typedef struct mat_header {
    unsigned stored; /* P */
    bool numbers;    /* T is 0 */
    uint32_t rows, width;
    bool imaginary;
    const char *name;
} mat_header;

/* Reads a header and the name; false: there is none. */
static bool read_header(mat_file *f, mat_header *h)
{
    enum { LENGTH = 20, LONGEST_NAME = 1000 };
    if (f->left < LENGTH) return false;
    f->big = false;
    mat_file start = *f;
    uint32_t type = (uint32_t)read_bits(f, 4);
    if (type > 4052) { /* none of little endian */
        *f = start;
        f->big = true;
        type = (uint32_t)read_bits(f, 4);
    }
    h->stored = type / 10 % 10;
    h->numbers = type % 10 == 0;
    h->rows = (uint32_t)read_bits(f, 4);
    h->width = (uint32_t)read_bits(f, 4);
    h->imaginary = read_bits(f, 4) != 0;
    uint32_t length = (uint32_t)read_bits(f, 4);
    bool right = type / 1000 == (f->big ? 1u : 0u) && type / 100 % 10 == 0 && h->stored < 6 &&
                 type % 10 < 3 && length > 0 && length < LONGEST_NAME && length <= f->left;
    if (!right || f->at[length - 1] != '\0') return false;
    h->name = arena_copy(f->r->a, (const char *)f->at, length - 1);
    f->at += length;
    f->left -= length;
    return true;
}

const double *model_read_mat_file(model_reader *r, model_span at, const char *path,
                                  const char *bytes, size_t length, const char *wanted,
                                  size_t *rows, size_t *width)
{
    mat_file f = {.r = r, .at = (const unsigned char *)bytes, .left = length};
    const char *list = "";
    while (f.left > 0) {
        mat_header h;
        bool right = read_header(&f, &h);
        uint64_t count = right ? (uint64_t)h.rows * h.width : 0;
        uint64_t parts = right && h.imaginary ? 2 : 1;
        if (!right || count > MODEL_MOST_ELEMENTS ||
            count * parts * sizes[h.stored] > (uint64_t)f.left) {
            model_error(r, at, "%s is damaged, or no file of MATLAB 4",
                        "store it as version 4, in MATLAB by save(..., '-v4'), or as text", path);
            return NULL;
        }
        bool found = strcmp(h.name, wanted) == 0;
        if (found && (!h.numbers || h.imaginary)) {
            model_error(r, at, "%s in %s is no matrix of real numbers", NULL, wanted, path);
            return NULL;
        }
        if (found) {
            double *value = arena_array(r->a, count, sizeof *value);
            *rows = h.rows;
            *width = h.width;
            for (size_t j = 0; j < h.width; j++)
                for (size_t i = 0; i < h.rows; i++)
                    value[i * h.width + j] = read_number(&f, h.stored);
            return value;
        }
        list = arena_format(r->a, "%s%s%s", list, *list ? ", " : "", h.name);
        f.at += count * parts * sizes[h.stored];
        f.left -= (size_t)(count * parts * sizes[h.stored]);
    }
    model_error(r, at, "%s has no table %s", NULL, path, wanted);
    model_remedy(r, "its tables: %s", *list ? list : "none");
    return NULL;
}
