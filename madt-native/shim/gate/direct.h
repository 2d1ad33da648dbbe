/* System calls that are made without the gate: what direct.S and the files around it share. */
#ifndef MADT_DIRECT_H
#define MADT_DIRECT_H

#include "base/base.h"

/* What is to be done with a call, by its number; and what direct_look says of the call at hand. */
enum direct_way {
	DIRECT_NOT = 0,      /* it goes to the gate */
	DIRECT_PLAIN = 1,    /* made, and nothing else */
	DIRECT_POINTERS = 2, /* its memory is recorded, where anything is */
	DIRECT_ASK = 3,      /* its arguments decide */
	DIRECT_LENGTHS = 4,  /* as DIRECT_POINTERS, and the kernel overwrites a length */
	DIRECT_TIMED = 5,   /* any of these, and how long it takes is recorded, or what it hands over */
	DIRECT_LIMITED = 6, /* any of these, and it may wait with a time limit: see wait_limit.c */
	DIRECT_LIMITED_4 = 7, /* so if its fourth argument is not 0; else DIRECT_POINTERS */
	DIRECT_TOLD = 2,      /* of the call at hand: made, and direct_tell behind it */
	DIRECT_ANSWERED = 3   /* of the call at hand: it is over */
};

/* In the order in which direct.S has them on MadT's stack. */
struct direct_registers {
	uint64_t kept, r9, r8, r10, rdx, rsi, rdi, rax, rsp, flags;
};

#define DIRECT_WAYS 65536
void direct_ways_set(void);
extern uint8_t direct_way[DIRECT_WAYS];
/* Of a call that may wait with a limit: which of the others it is. */
enum direct_way direct_way_besides(long number);

extern const char madt_direct[], madt_direct_made[], madt_direct_looking[], madt_direct_told[],
		madt_direct_tell[], madt_direct_telling[];
extern const char madt_direct_held[], madt_direct_told_held[], madt_direct_end[],
		madt_direct_gated[], madt_direct_gated_end[], madt_direct_back[];

/*
 * In a critical section, on MadT's stack. Returns DIRECT_NOT, DIRECT_PLAIN, DIRECT_TOLD, or
 * DIRECT_ANSWERED: rax has the result.
 */
unsigned direct_look(struct direct_registers *registers);
/* The call has been made. */
void direct_tell(const struct direct_registers *registers);
/* Likewise, for a signal that comes before it is told. */
void direct_tell_now(const greg_t *registers);

#endif
