/* The parts of the gate; gate.c has the way in and out. */
#ifndef MADT_GATE_H
#define MADT_GATE_H

#include "shim.h"

#define KERNEL_SET 8 /* bytes of the kernel's signal set */

/* Where the six arguments of a system call are (System V ABI, A.2.1). */
extern const int gate_argument[6];

void gate_open(struct pending *pending);
void gate_open_all(struct pending *pending);
void gate_open_range(struct pending *pending, uintptr_t start, size_t length);
void gate_close(struct pending *pending);
void gate_record(struct pending *pending, long result);

void gate_strip_set(struct pending *pending, greg_t *registers, int argument);
void gate_wait_mask(struct pending *pending, greg_t *registers, int argument);
void gate_wait_mask_pselect(struct pending *pending, greg_t *registers);
/* signalfd: whether it is about signals of MadT's is remembered. */
void gate_descriptor(const struct pending *pending);
/* Whether the call may look at pending signals of MadT's through such a descriptor; then all is prepared. */
bool gate_masked(struct pending *pending, ucontext_t *context);
/* What such a call read: codes of signals that another thread passed on are put right. */
void gate_masked_end(const struct pending *pending, long result);
long gate_mask_change(ucontext_t *context, const struct pending *pending);

/* A call that waited for children: what became of the one that it names is an event. */
void gate_waited(const struct pending *pending, long result);

/* A call by int $0x80, from the registers, and whether MadT cannot follow what it does. */
void gate_i386_read(struct pending *pending, const greg_t *registers);
bool gate_i386_leaves(const struct pending *pending);

#define DESCRIPTORS_KNOWN 4096 /* of which it is known; those beyond them belong to no set */

struct descriptor_set {
	uint32_t bits[DESCRIPTORS_KNOWN / 32];
};
/* Whether a descriptor just opened belongs to the set. */
typedef bool descriptor_kind(uintptr_t path, long folder, long descriptor);

bool descriptor_marked(const struct descriptor_set *set, long descriptor);
/* After a call. */
void descriptors_follow(struct descriptor_set *set, const struct pending *pending, long result, descriptor_kind *kind);

/* What a call read from this process's /proc/PID/status, as it would be without MadT. */
void gate_status(const struct pending *pending, long result, ucontext_t *context);

/* False: the new image will not load libmadt.so, and is to be given what the target ignores and blocks by gate_exec_here. */
bool gate_exec_prepare(struct pending *pending, greg_t *registers);
long gate_exec_here(const struct pending *pending, ucontext_t *context);
void gate_exec_failed(void);
/* Whether the new image will load libmadt.so; `flags` are those of execveat. */
bool exec_image_loads(long folder, uintptr_t path, long flags);
/*
 * Whether the new image will have the rights to take part: the process may have become another user's, whose capabilities do not outlast the
 * exec, or have shut itself in.
 */
bool exec_session_reachable(void);
/* False if the list cannot be read to its end: it ends nowhere, or a seccomp filter of the target's forbids us to read it. */
bool exec_environment_count(uintptr_t list, size_t *n);
#define EXEC_TEXTS 8192 /* bytes for the variables that are added or changed */
#define EXEC_ENVIRONMENT_SIZE(n) (EXEC_TEXTS + ((n) + 4) * sizeof(char *))
/* The list of n entries with MadT's variables, in memory of that size. Entries other than LD_PRELOAD stay where they are. */
char **exec_environment(char *memory, uintptr_t list, size_t n);

/* A call that changes the address space, or copies it: from before it until the table has followed no other thread makes one. */
void gate_map_begin(struct pending *pending);
void gate_map_end(struct pending *pending);

void gate_map_follow(const struct pending *pending, long result);

/* Whether the call transfers something from or to a file of /proc, and which descriptors are such files. */
bool gate_proc_file(const struct pending *pending);
void gate_proc_follow(const struct pending *pending, long result);
/* Makes the call on whose way the thread is once more, by the target's own instruction: not begun, or broken off by MadT's own signal. */
void gate_again(ucontext_t *context);
bool gate_stub_empty(void); /* no clone or fork is on its way */

/* Whether the call installs a seccomp filter that MadT cannot go on under. */
bool filter_shuts_out(const struct pending *pending);

/* leave.c. False if that is not possible: nothing has changed. */
bool leave_all(enum madt_left why, ucontext_t *context);
/* A thread of another process of the session is about to be traced: the process leaves, or does not within a second. */
void leave_for_tracer(uint32_t thread);
bool leave_asked(const siginfo_t *info);
void leave_on_signal(siginfo_t *info, ucontext_t *context);

#endif
