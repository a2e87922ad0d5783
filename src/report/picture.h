/* A picture drawn by gnuplot.
 *
 * Data and texts are collected as files of a temporary folder. At the end gnuplot reads a script
 * there, and the picture is copied to its place. Each text is the whole content of a small file,
 * which gnuplot reads as a string: what an author wrote is data, never script. */
#ifndef REPORT_PICTURE_H
#define REPORT_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct picture {
    const char *path;     /* borrowed */
    const char *terminal; /* gnuplot's name for the kind of picture */
    bool made_path;       /* the picture's file did not exist before */
    char folder[1024];    /* folder of temporary files; "" before it is made */
} picture;

/* Why a picture cannot be made: a sentence with the remedy (no gnuplot; an extension other than
 * .svg, .png or .pdf). NULL: it can. */
const char *picture_obstacle(const char *path);

/* Begins a picture without an obstacle. An existing file keeps its content until the end. 0; -1
 * with errno, and `where` names what cannot be written. picture_end() must be called in any case.
 */
int picture_begin(picture *p, const char *path, const char **where);

/* Creates a file in the temporary folder. NULL with errno. */
FILE *picture_file(const picture *p, const char *name);

/* Writes a text as such a file. 0, or -1 with errno. */
int picture_text(const picture *p, const char *name, const char *content);

/* Writes the head of a script: the page in pixels (hundredths of an inch in a .pdf), colours and
 * lines. */
void picture_head(const picture *p, FILE *script, double width, double height);

/* Runs gnuplot on the script that write_script() writes, and copies the picture to its place. 0; -1
 * where gnuplot fails (errno 0) or the picture cannot be written (errno). */
int picture_draw(picture *p, void (*write_script)(const void *self, FILE *script),
                 const void *self);

/* Removes temporary files, and the file of a picture that was not drawn. */
void picture_end(picture *p);

#endif
