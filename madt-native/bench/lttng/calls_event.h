/*
 * The event of calls_lttng.c, in the form that lttng-ust(3) wants: a header that is read several
 * times.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER madt_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "calls_event.h"

#if !defined(CALLS_EVENT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define CALLS_EVENT_H

#include <lttng/tracepoint.h>
#include <stdint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(madt_bench, leaf,
	LTTNG_UST_TP_ARGS(uint64_t, a, uint64_t, b, uint64_t, c),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, a, a)
		lttng_ust_field_integer(uint64_t, b, b)
		lttng_ust_field_integer(uint64_t, c, c)))
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
