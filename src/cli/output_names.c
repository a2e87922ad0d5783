#include "cli/run_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40, MOST_FILES = 6 };

/* Identifies a file by its device and number. A file that does not exist yet is identified by those
 * of its folder, and by its name there. */
typedef struct identity {
    const char *what, *path; /* for messages: "--out"; NULL where it has no name */
    bool known;              /* it is a regular file, or will be created */
    dev_t device;
    ino_t number;
    char *name; /* owned; NULL: the file exists */
} identity;

typedef struct file_list {
    identity item[MOST_FILES];
    int count;
} file_list;

/* The path of `target` as seen from a link at `path`; frees `path`. NULL: memory is exhausted. */
static char *follow(char *path, const char *target)
{
    const char *slash = strrchr(path, '/');
    size_t folder = *target != '/' && slash ? (size_t)(slash - path) + 1 : 0;
    char *joined = malloc(folder + strlen(target) + 1);
    if (joined) {
        memcpy(joined, path, folder);
        strcpy(joined + folder, target);
    }
    free(path);
    return joined;
}

/* The place where a file that does not exist would be created; links are followed. */
static char *place_of(const char *given)
{
    char target[4096], *path = strdup(given);
    for (int i = 0; path && i < MOST_LINKS; i++) {
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0) break;
        target[length] = '\0';
        path = follow(path, target);
    }
    return path;
}

static void take_status(identity *f, const struct stat *s, bool known)
{
    f->known = known;
    f->device = s->st_dev;
    f->number = s->st_ino;
}

/* Identifies a file. A path that cannot be opened is reported later, by the code that opens it. */
static void identify(identity *f)
{
    struct stat s;
    if (stat(f->path, &s) == 0) {
        take_status(f, &s, S_ISREG(s.st_mode));
        return;
    }
    char *path = errno == ENOENT ? place_of(f->path) : NULL;
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash && slash[1]) f->name = strdup(slash + 1);
    if (path && !slash) f->name = strdup(path);
    if (slash) slash[1] = '\0';
    if (f->name && stat(slash ? path : ".", &s) == 0) take_status(f, &s, true);
    free(path);
}

static void add_path(file_list *l, const char *what, const char *path)
{
    if (!path) return;
    identity *f = &l->item[l->count++];
    *f = (identity){.what = what, .path = path};
    identify(f);
}

static void add_stream(file_list *l, const char *what, int descriptor)
{
    struct stat s;
    if (fstat(descriptor, &s) != 0) return;
    identity *f = &l->item[l->count++];
    *f = (identity){.what = what};
    take_status(f, &s, S_ISREG(s.st_mode));
}

static bool is_same(const identity *a, const identity *b)
{
    if (!a->known || !b->known || a->device != b->device || a->number != b->number) return false;
    return a->name && b->name ? strcmp(a->name, b->name) == 0 : !a->name && !b->name;
}

static int refuse(const identity *f, const identity *other)
{
    fprintf(stderr, "daedal: %s", f->what);
    if (f->path) fprintf(stderr, " \"%s\"", f->path);
    fprintf(stderr, " is the file of %s", other->what);
    if (other->path) fprintf(stderr, " \"%s\"", other->path);
    fprintf(stderr, ", which it would overwrite\n");
    return 2;
}

/* Compares the files; the first one is read, the others are written. */
static int compare(const file_list *l)
{
    for (int i = 1; i < l->count; i++)
        for (int j = 0; j < i; j++)
            if (is_same(&l->item[i], &l->item[j])) return refuse(&l->item[i], &l->item[j]);
    return 0;
}

int output_names_check(const arguments *given)
{
    file_list l = {.count = 0};
    if (strcmp(given->operand, "-") == 0)
        add_stream(&l, "the model on standard input", STDIN_FILENO);
    else
        add_path(&l, "the model", given->operand);
    if (!given->out || given->json) add_stream(&l, "standard output", STDOUT_FILENO);
    add_path(&l, "--out", given->out);
    add_path(&l, "--stats", given->stats_file);
    add_path(&l, "--events", given->events_file);
    add_path(&l, "--plot", given->plot);
    int code = compare(&l);
    for (int i = 0; i < l.count; i++) free(l.item[i].name);
    return code;
}
