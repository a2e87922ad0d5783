/* A picture that gnuplot draws.
 *
 * Data and texts are collected as files of a temporary folder; at the end gnuplot reads a script
 * there, and the picture is copied to its place. Each text is the whole of a small file that
 * gnuplot reads as a string: what an author wrote is data, never script. */
#ifndef REPORT_PICTURE_H
#define REPORT_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct picture {
    const char *path;     /* borrowed */
    const char *terminal; /* gnuplot's word for the kind of picture */
    bool made_path;       /* the picture's file did not exist before */
    char folder[1024];    /* of temporary files; "" before it is made */
} picture;

/* Whether a picture can be made: NULL, or a sentence with the remedy (no gnuplot; an ending that is
 * not .svg, .png or .pdf). */
const char *picture_obstacle(const char *path);

/* Begin a picture without an obstacle. What its file holds stays until the end. 0; -1 with errno,
 * and in `where` what cannot be written. To be ended in any case. */
int picture_begin(picture *p, const char *path, const char **where);

/* A new file of the temporary folder. NULL with errno. */
FILE *picture_file(const picture *p, const char *name);

/* A text as such a file. 0, or -1 with errno. */
int picture_text(const picture *p, const char *name, const char *content);

/* The page in pixels (hundredths of an inch of a .pdf), colours and lines: the head of a script. */
void picture_head(const picture *p, FILE *script, double width, double height);

/* Run gnuplot on the script that is written, and copy what it draws to its place. 0; -1 where
 * gnuplot fails (errno 0) or the picture cannot be written (errno). */
int picture_draw(picture *p, void (*write_script)(const void *self, FILE *script),
                 const void *self);

/* Remove what is temporary, and a picture that was not drawn. */
void picture_end(picture *p);

#endif
