/* Words and meanings of the statuses, from the one list in status.def. */
#include <daedal/status.h>

const char *dae_status_word(dae_status status)
{
    switch (status) {
#define X(name, value, word, exit_status, meaning) \
    case DAE_##name:                               \
        return word;
#include <daedal/status.def>
#undef X
    default: return "unknown";
    }
}

const char *dae_status_meaning(dae_status status)
{
    switch (status) {
#define X(name, value, word, exit_status, meaning) \
    case DAE_##name:                               \
        return meaning;
#include <daedal/status.def>
#undef X
    default: return "an unknown status";
    }
}

const char *dae_version(void)
{
    return DAEDAL_VERSION;
}
