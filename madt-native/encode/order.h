/*
 * The order of the runs and the ring events of a process: a run with epoch e comes behind the
 * events with tickets below e and in front of the event with ticket e. A run's header has the low
 * 32 bits of its epoch.
 *
 *   event 6 | run, epoch 7 | run, epoch 7 | event 7 | event 8 | run, epoch 9
 *
 * dev.madt.trace.buffer.EventOrder says the same in Java; NativeRunEncoderTest compares them.
 */
#ifndef MADT_ENCODE_ORDER_H
#define MADT_ENCODE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Says whether a run goes in front of the event with a ticket; else the event goes first. */
static inline bool run_is_first(int64_t epoch, int64_t ticket)
{
	return epoch <= ticket;
}

/* Returns a run's epoch, all 64 bits: the nearest to that of the run in front of it. */
static inline int64_t run_epoch(int64_t before, uint64_t header)
{
	return before + (int32_t)((uint32_t)header - (uint32_t)before);
}

#endif
