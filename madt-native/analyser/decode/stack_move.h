/* By how much an instruction moves rsp. */
#ifndef MADT_STACK_MOVE_H
#define MADT_STACK_MOVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns whether the instruction has one of the forms that compilers write: push, pop, and sub,
 * add or lea of rsp and a constant. `by` is what it adds to rsp. What else moves rsp is none of
 * them.
 */
bool stack_moves(const uint8_t *bytes, unsigned length, int64_t *by);

#endif
