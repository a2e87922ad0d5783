#include "mechanical/system.h"
START_TEST(nothing)
{
}
END_TEST
UNIT_MAIN("x", 1, nothing)
