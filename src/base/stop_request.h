/* A record that one of the author's functions asked to stop. Everything that calls these functions
 * for one solver shares one record. Once it is set, no function is called until it is cleared, even
 * where a caller ignores the status. */
#ifndef BASE_STOP_REQUEST_H
#define BASE_STOP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct stop_request {
    const char *callback; /* the name of the function; NULL: none asked */
    int code;             /* what it returned */
} stop_request;

static inline bool stop_is_asked(const stop_request *s)
{
    return s->callback != NULL;
}

/* The first request is kept. */
static inline void stop_ask(stop_request *s, const char *callback, int code)
{
    if (!s->callback) *s = (stop_request){callback, code};
}

#endif
