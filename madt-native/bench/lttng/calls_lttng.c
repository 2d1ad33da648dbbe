/*
 * The calls of calls.c, of a function that comes to an event of LTTng-UST. Built by the benchmark
 * where there is liblttng-ust.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "calls_event.h"
#include "measured.h"

#define COMES_TO(x) lttng_ust_tracepoint(madt_bench, leaf, x, x >> 3, 7)

#include "calls.c"
