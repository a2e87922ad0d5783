/* That one of the author's functions asked to stop. All that calls them for one solver shares a
 * request: none of them is called again before it is withdrawn, whatever the caller makes of the
 * status. */
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

/* The first one counts. */
static inline void stop_ask(stop_request *s, const char *callback, int code)
{
    if (!s->callback) *s = (stop_request){callback, code};
}

#endif
