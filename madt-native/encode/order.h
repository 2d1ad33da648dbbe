/*
 * The order of the records and the ring events of a process: a record with epoch e comes behind the
 * events with tickets below e and in front of the event with ticket e. A record's header has the
 * low 32 bits of its epoch.
 *
 *   event 6 | record, epoch 7 | record, epoch 7 | event 7 | event 8 | record, epoch 9
 *
 * dev.madt.trace.buffer.EventOrder says the same in Java; NativeRecordEncoderTest compares them.
 */
#ifndef MADT_ENCODE_ORDER_H
#define MADT_ENCODE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Says whether a record goes in front of the event with a ticket; else the event goes first. */
static inline bool record_is_first(int64_t epoch, int64_t ticket)
{
	return epoch <= ticket;
}

/* Returns a record's epoch, all 64 bits: the nearest to that of the record in front of it. */
static inline int64_t record_epoch(int64_t before, uint64_t header)
{
	return before + (int32_t)((uint32_t)header - (uint32_t)before);
}

#endif
