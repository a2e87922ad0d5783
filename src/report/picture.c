#include "report/picture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct ending {
    const char *ending, *terminal;
} endings[] = {{".svg", "svg dynamic font 'sans,12'"},
               {".png", "pngcairo font 'sans,11'"},
               {".pdf", "pdfcairo font 'sans,11'"}};

static const struct ending *find_ending(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i].ending);
        if (length > n && strcmp(path + length - n, endings[i].ending) == 0) return &endings[i];
    }
    return NULL;
}

static bool gnuplot_is_there(void)
{
    const char *path = getenv("PATH");
    char candidate[4096];
    while (path && *path) {
        int n = (int)strcspn(path, ":");
        snprintf(candidate, sizeof candidate, "%.*s/gnuplot", n, path);
        if (access(candidate, X_OK) == 0) return true;
        path += n + (path[n] == ':');
    }
    return false;
}

const char *picture_obstacle(const char *path)
{
    if (!find_ending(path)) return "a picture's name ends in .svg, .png or .pdf";
    if (!gnuplot_is_there())
        return "pictures need gnuplot, which is not installed (Debian: apt-get install "
               "gnuplot-nox)";
    return NULL;
}

/* The path of a file in the temporary folder. */
static const char *path_of(const picture *p, const char *name, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s/%s", p->folder, name);
    return buffer;
}

/* Checks that the picture can be written later, without changing an existing file. */
static bool can_write(picture *p)
{
    p->made_path = access(p->path, F_OK) != 0;
    int file = open(p->path, O_WRONLY | O_CREAT, 0666);
    if (file < 0) p->made_path = false;
    return file >= 0 && close(file) == 0;
}

static const char *temporary_place(void)
{
    const char *place = getenv("TMPDIR");
    return place && *place ? place : "/tmp";
}

int picture_begin(picture *p, const char *path, const char **where)
{
    *p = (picture){.path = path, .terminal = find_ending(path)->terminal};
    *where = path;
    if (!can_write(p)) return -1;
    *where = temporary_place();
    snprintf(p->folder, sizeof p->folder, "%s/daedal-XXXXXX", *where);
    if (mkdtemp(p->folder)) return 0;
    p->folder[0] = '\0';
    return -1;
}

FILE *picture_file(const picture *p, const char *name)
{
    char path[1300];
    return fopen(path_of(p, name, path, sizeof path), "w");
}

int picture_text(const picture *p, const char *name, const char *content)
{
    FILE *file = picture_file(p, name);
    if (!file) return -1;
    for (; *content; content++) putc(strchr("\n\r\t", *content) ? ' ' : *content, file);
    return fclose(file);
}

void picture_head(const picture *p, FILE *script, double width, double height)
{
    /* M. Okabe & K. Ito's colours, which most people can tell apart; then the same ones dashed */
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#56b4e9", "#e69f00", "#000000", "#8c510a"};
    if (strncmp(p->terminal, "pdf", 3) == 0)
        fprintf(script, "set terminal %s size %.2fin,%.2fin\n", p->terminal, width / 100,
                height / 100);
    else
        fprintf(script, "set terminal %s size %.0f,%.0f background rgb 'white'\n", p->terminal,
                width, height);
    for (int k = 0; k < 24; k++)
        fprintf(script, "set linetype %d lc rgb '%s' lw 1.6 dt %d\n", k + 1, colours[k % 8],
                k / 8 + 1);
    fputs("set linetype cycle 24\nset encoding utf8\nset datafile separator '\\t'\n"
          "set style data lines\nset grid lt 1 lw 0.5 lc rgb '#cccccc'\n"
          "set border lc rgb '#444444'\nset format y '%.10g'\nset output 'picture'\n",
          script);
}

/* Starts gnuplot in the temporary folder, without the user's own settings, with the script on its
 * standard input. */
static pid_t start_gnuplot(const picture *p, FILE **script)
{
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(ends[0], STDIN_FILENO);
        if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
        if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (chdir(p->folder) == 0) execlp("gnuplot", "gnuplot", "-d", (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    *script = child > 0 ? fdopen(ends[1], "w") : NULL;
    if (!*script) close(ends[1]);
    return child;
}

/* Copies the picture to its place, so that a full disk is noticed here and not in gnuplot. */
static int copy_picture(picture *p)
{
    char path[1300], part[16384];
    size_t got, all = 0;
    FILE *from = fopen(path_of(p, "picture", path, sizeof path), "rb");
    FILE *to = from ? fopen(p->path, "wb") : NULL;
    int failed = !to;
    while (!failed && (got = fread(part, 1, sizeof part, from)) > 0) {
        failed = fwrite(part, 1, got, to) != got;
        all += got;
    }
    if (from) fclose(from);
    if (to && fclose(to) != 0) failed = 1;
    if (!failed && all == 0) errno = 0;
    return failed || all == 0 ? -1 : 0;
}

int picture_draw(picture *p, void (*write_script)(const void *self, FILE *script), const void *self)
{
    FILE *script = NULL;
    int outcome = -1, failed = 1;
    pid_t child = start_gnuplot(p, &script);
    if (script) {
        write_script(self, script);
        fputs("set output\n", script);
        fclose(script);
    }
    if (child > 0 && waitpid(child, &outcome, 0) == child)
        failed = !WIFEXITED(outcome) || WEXITSTATUS(outcome) != 0;
    errno = 0;
    if (!failed) failed = copy_picture(p);
    if (!failed) p->made_path = false; /* the file stays */
    return failed ? -1 : 0;
}

void picture_end(picture *p)
{
    char path[1300];
    int reason = errno;
    DIR *folder = p->folder[0] ? opendir(p->folder) : NULL;
    for (const struct dirent *file; folder && (file = readdir(folder)) != NULL;)
        if (file->d_name[0] != '.') unlink(path_of(p, file->d_name, path, sizeof path));
    if (folder) closedir(folder);
    if (p->folder[0]) rmdir(p->folder);
    if (p->made_path) unlink(p->path);
    p->folder[0] = '\0';
    p->made_path = false;
    errno = reason;
}
