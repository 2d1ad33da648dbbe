/* The calls of calls.c, of a function that comes to a trigger. */
#include "measured.h"

#define COMES_TO(x) MADT_EVENT(leaf, x, x >> 3, 7)

#include "calls.c"
