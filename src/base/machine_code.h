/* Memory for machine code that a program makes for itself. It is writable while the code is made
 * and executable afterwards, never both. */
#ifndef BASE_MACHINE_CODE_H
#define BASE_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct machine_code {
    unsigned char *bytes; /* NULL: there is none */
    size_t size;
} machine_code;

/* At least `size` writable bytes; false: the system has none. */
bool machine_code_begin(machine_code *code, size_t size);

/* Make it executable; false, and it is freed: the system does not allow that. */
bool machine_code_finish(machine_code *code);

void machine_code_free(machine_code *code);

#endif
