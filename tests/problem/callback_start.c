#include "base/unit.h"
START_TEST(nothing)
{
}
END_TEST
UNIT_MAIN("x", 20, nothing)
