/* The parts of the gate; gate.c has the way in and out. */
#ifndef MADT_GATE_H
#define MADT_GATE_H

#include "shim.h"

#define KERNEL_SET 8 /* bytes of the kernel's signal set */

/* Where the six arguments of a system call are (System V ABI, A.2.1). */
extern const int gate_argument[6];

void gate_open(struct pending *pending);
void gate_open_all(struct pending *pending);
void gate_close(struct pending *pending);
void gate_record(const struct pending *pending, long result);

void gate_strip_set(struct pending *pending, greg_t *registers, int argument, unsigned at);
void gate_strip_pselect(struct pending *pending, greg_t *registers);
long gate_mask_change(ucontext_t *context, const struct pending *pending);

void gate_exec_prepare(struct pending *pending, greg_t *registers);
void gate_exec_failed(void);

void gate_map_follow(const struct pending *pending, long result);

#endif
