/*
 * What the parts of the shim share. The order of the parts, from the bottom:
 *
 *   sys       raw system calls                     region   what is mapped, what is traced, open and close
 *   session   control file, ring, chunk buffers    module   loaded modules and their code maps
 *   record    words of accesses and block events   operand  addresses from registers
 *   thread    per-thread state, wrapper frames     trap     SIGSEGV, SIGTRAP: the engine
 *   splice    plans: recording without faults      splice_apply, splice_signal: areas and patches, what happens in them;
 *                                                  splice_step, splice_boundary: out of them
 *   signal    the target's signals                 gate     the target's system calls
 *   wrap_*    interposed functions                 start    set-up, start and stop of recording
 */
#ifndef MADT_SHIM_H
#define MADT_SHIM_H

#include "madt_layout.h"
#include "madt_plan.h"
#include "base/sys.h"

#include <linux/futex.h>
#include <signal.h>
#include <ucontext.h>

#define PAGE_DOWN(a) ((uintptr_t)(a) & ~(uintptr_t)(MADT_PAGE - 1))
#define PAGE_UP(a) PAGE_DOWN((uintptr_t)(a) + MADT_PAGE - 1)
#define EXPORT __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))
#define LOAD_ACQUIRE(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STORE_RELEASE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

struct range {
	uintptr_t start, end;
};

/* ---------------------------------------------------------------- thread */

/* What runs on a thread between the target's own frames, innermost last; see thread.c. */
enum frame_kind { FRAME_ALLOCATION, FRAME_BLOCK, FRAME_SIGNAL };

struct frame {
	uintptr_t stack; /* its stack pointer: a frame below the thread's is gone */
	enum frame_kind kind;
	size_t moved;     /* bytes that read(2) gave to what runs in it */
	uintptr_t code;   /* operator new and delete: the real one */
	size_t size;      /* operator new: what was asked for, and by whom, or 0: an exception ends it without an event */
	uintptr_t caller;
};

#define FRAMES_MAX 64
#define HANDLER_STACK_BYTES (128 * 1024)
#define KEPT_MAX 48
#define STEP_PAGES_MAX 72
#define HELD_MAX 16
#define OPEN_MAX 32 /* ranges that one system call holds open; beyond them, everything */

/* A system call of the target on its way through the stub. */
struct pending {
	bool everything;    /* all regions were opened for it */
	bool silent;        /* records no events: inside a wrapper, or recording is off */
	bool waits;         /* with a signal mask of its own */
	bool masked;        /* MadT's signals that the target blocks are blocked in the kernel too */
	bool changes_map;   /* no other thread's call does until it is over */
	bool makes_thread;  /* clone: the child shares this memory and runs beside it */
	bool clears;        /* clone: the child's handlers are reset, by itself */
	bool lends;         /* clone: it shares this memory, and the caller waits until it is gone */
	bool i386;          /* made by int $0x80; number and arguments say what it means here, see gate_i386.c */
	uint64_t mask;      /* clone: the target's signal mask, full meanwhile */
	uint64_t wait_mask; /* that one, as the target passed it */
	uint8_t slot;       /* of the stub */
	uint8_t opened;     /* ranges in `open` */
	uintptr_t next;     /* address behind the target's syscall instruction */
	long made;          /* the number as the target passed it */
	long number;        /* -1: an i386 call without a meaning */
	long argument[6];   /* as the target passed them */
	uint32_t limit;     /* a length that the kernel will overwrite, as it was before the call */
	uint64_t fork_ticket;
	uint64_t begun;      /* time stamp */
	uintptr_t clear_tid; /* clone: where the kernel clears the child's number at its end */
	struct range open[OPEN_MAX];
};

#define SIGNALS_OWN_COUNT 4

struct action_table;

/* What the child of a clone takes over of its creator, which may have gone on or ended when the child begins. */
struct inherited {
	uint64_t virtual_mask;
	stack_t virtual_stack;
	struct action_table *actions;
	uint32_t number; /* 0: the child has one of its own */
	uintptr_t virtual_gs;
	bool tsc_forbidden;
};

struct pace_page {
	uintptr_t page;
	uint64_t count;
};
#define PACE_PAGES 64
#define MISSED_UNIT 256 /* parts of an access */

struct step {
	bool active;
	uint64_t begun; /* time stamp */
	uint8_t pages;
	uint64_t mask;  /* the target's signal mask */
	uintptr_t code; /* the instruction */
	bool flag;      /* the target had set the trap flag itself */
	bool gs;        /* with the target's GS, see gs.c */
	uintptr_t page[STEP_PAGES_MAX];
};

/*
 * GS leads to it (MADT_GS_AT bytes behind its base), and not the target's TLS: threads that raw clone makes may share one TLS. What the target itself does with GS: see gs.c.
 */
struct madt_thread {
	uint64_t block[MADT_GS_SIZE / 8]; /* engine splice, see madt_plan.h: the first word leads to where the next run goes */
	struct madt_thread *address; /* its own: THREAD_ADDRESS bytes behind that */
	uint64_t masked_result;      /* sys.S, madt_stub_masked: what the call returned */
	uint64_t masked_set;         /* and the mask that the thread has otherwise */
	uint32_t tid;
	uint32_t process; /* its getpid() */
	uint32_t number;  /* in the trace: that of the parent for a vfork child, else the tid */
	uint32_t last_module; /* the one looked up last */
	uint32_t critical; /* above zero: in ring or chunk; signals are held back */
	uint32_t frames;
	struct frame frame[FRAMES_MAX];
	uint32_t kept;     /* ranges that a wrapper's faults opened; they close when it ends */
	struct range kept_open[KEPT_MAX];
	bool kept_all;

	uint64_t *chunk;   /* words of the chunk that this thread owns, or NULL */
	struct madt_chunk_state *chunk_state;
	uint32_t position; /* next free word in it; with engine splice while `led` is not set */
	bool led;          /* engine splice: the block's first word leads into the chunk */
	bool stepping;     /* engine splice: on the way out of a trampoline, signals held */
	uintptr_t stepped; /* the instruction of that step */
	bool step_own;      /* the target's own trap flag takes it there */
	uintptr_t own_from; /* the target steps itself, here in a trampoline; 0: not yet */
	uintptr_t own_due;  /* its instruction that is done and has not been shown yet; 0: none */
	bool own_last;      /* which took the trap flag back */

	struct step step;
	uintptr_t past_code, past_address; /* the last fault that was over before it was looked at */
	struct pending pending;
	bool vfork_child;    /* its parent waits and this memory is the parent's: nothing of it is recorded */
	bool first_frame; /* what was opened for the thread's birth is still open */
	uintptr_t clear_tid;

	uint64_t kept_since; /* time stamp of the first of them */

	struct pace_page pace[PACE_PAGES]; /* where this thread's accesses went, see missed.c */
	uint64_t pace_all, pace_last;
	uintptr_t pace_page; /* the last page */
	uint64_t pace_row;   /* how often in a row */
	uint64_t missed_rest;

	struct action_table *actions; /* shared as the kernel's is: CLONE_SIGHAND */
	uint64_t virtual_mask; /* signals of MadT's that the target believes blocked */
	uint64_t own_pending;  /* and that were sent to it meanwhile */
	siginfo_t own_signal[SIGNALS_OWN_COUNT];
	stack_t virtual_stack; /* the target's sigaltstack */
	void *handler_stack;
	uintptr_t virtual_gs; /* the base that the target believes in */
	bool gs_away;         /* it is in place: GS does not lead here */
	bool tsc_forbidden; /* by the target; for MadT it is allowed for a moment */
	uint32_t held;
	uint64_t held_mask;
	siginfo_t held_signal[HELD_MAX];

	bool asked;  /* to leave, by a signal that is on its way */
	bool parked; /* it has come, and waits: see leave.c */
	bool keeps_gs; /* it has left, in an interposed function or a trampoline, which still look here */
	bool leaves; /* it has done its part, and returns from its handler to the signal mask `leaves_to` */
	uint64_t leaves_to;

	uint8_t scratch[256];  /* signal sets and such handed to the kernel in place of the target's */
	uintptr_t robust;      /* engine trap: the head of the target's list, see robust.c */
	uintptr_t robust_first, robust_pending; /* what it held at the last look */
	struct robust_list_head robust_own; /* the one that the kernel has, if there are nodes */
	uintptr_t robust_nodes;
	uint32_t robust_changes;
	void *environment;     /* envp handed to execve */
	size_t environment_size;
};

#define THREAD_ADDRESS 128
_Static_assert(offsetof(struct madt_thread, address) == THREAD_ADDRESS, "madt_thread.address");
_Static_assert(offsetof(struct madt_thread, masked_result) == 136 && offsetof(struct madt_thread, masked_set) == 144, "sys.S");
_Static_assert(MADT_GS_AT == 0x40000000, "sys.S");

/* Not before thread_begin. Volatile, for GS changes where a clone is seen to have become another thread. */
static inline struct madt_thread *thread_self(void)
{
	struct madt_thread *thread;

	__asm__ volatile("movq %%gs:%c1, %0" : "=r"(thread) : "i"(MADT_GS_AT + THREAD_ADDRESS));
	return thread;
}
#define self (*thread_self())

extern uint32_t thread_count; /* of this process */
void signal_send_held(void);

/* The time stamp counter, for a thread too that has forbidden itself to read it: prctl(2), PR_SET_TSC. */
uint64_t tsc_forced(void);
static inline uint64_t tsc_now(void)
{
	return __builtin_expect(self.tsc_forbidden, false) ? tsc_forced() : __builtin_ia32_rdtsc();
}
long tsc_set(unsigned long mode); /* for the target */

/* Gives the calling thread its state and handler stack; `from` is NULL for the first. */
void thread_begin(const struct inherited *from);
void thread_end(void);
void thread_after_fork(void); /* in the child */
/* sigaltstack(2) out of a handler that runs on the alternate stack of this moment: the call is made from the stack that ends at `top`. */
void thread_stack_set(const stack_t *stack, void *top);
/* A vfork child is gone, by exec or exit: called by its parent. */
void thread_forget(struct madt_thread *child);
struct madt_thread *thread_numbered(uint32_t tid); /* without GS; NULL if there is none */
/* Whether a thread that lives uses the table. */
bool thread_uses(const struct action_table *table);
/* The state of another thread with an index from *i up, and that index; NULL if there is none. */
struct madt_thread *thread_other(uint32_t *i);
void frame_enter(uintptr_t stack, enum frame_kind kind);
void frame_leave(uintptr_t stack);
/* Forgets the frames that the thread has left without returning: longjmp and unwinding. */
void frame_prune(uintptr_t stack);
/* Both enter a frame and say whether what is called is to be recorded: a block event, an allocation. */
bool frame_enter_block(uintptr_t stack);
bool frame_enter_allocation(uintptr_t stack);
/* The frame just entered is an operator's, which runs `code`; if a caller is given, an exception that ends it is a failed allocation. */
void frame_note(uintptr_t code, size_t size, uintptr_t caller);
uintptr_t frame_code(void); /* of the innermost frame */
/* Bytes that the innermost frame's calls of read(2) gave; the gate notes them. */
void frame_move(size_t bytes);
size_t frame_moved(void);
/* An exception ends the innermost wrapper. */
void frame_unwound(void);
bool frame_silent(void);    /* in a wrapper: accesses are not recorded */
bool frame_allocating(void); /* in an allocation wrapper: allocations are not recorded either */
void kept_close_now(void);
static inline void kept_close(void)
{
	if (self.kept || self.kept_all)
		kept_close_now();
}
/*
 * The target's stack may lie in traced memory, where the kernel finds a closed page and a change of protection hits the ground it stands
 * on. Work that takes the region lock or hands its own variables to the kernel runs on MadT's stack; in a critical section, since a
 * signal must not find it there.
 */
void on_own_stack(void (*work)(void *), void *argument);
static inline void critical_enter(void)
{
	self.critical++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
static inline void critical_leave(void)
{
	struct madt_thread *thread = thread_self();

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (--thread->critical == 0 && thread->held && !thread->stepping)
		signal_send_held();
}

/* ---------------------------------------------------------------- missed: an estimate of what other threads did unseen */

void missed_begin(struct madt_thread *thread); /* it has come into being */
void missed_note(uintptr_t page);    /* this thread accessed it, seen */
void missed_step(uint64_t cycles);   /* a step took so long */
/* A range, or everything, was open for this thread from time stamp `begun` to now. */
void missed_window(struct range range, uint64_t begun);
void missed_everywhere(uint64_t begun);

/* ---------------------------------------------------------------- session */

struct session {
	char folder[192];
	struct madt_session *page;
	struct madt_control *control;
	uint32_t serial;
	uint32_t pid; /* kept here, since a child after fork has no control file yet */
	struct madt_buffer *buffer[MADT_BUFFERS_MAX];
	/* What is allocated of the files, from the beginning: chunks of each buffer, slots of the ring, bytes of the names. */
	uint32_t chunks[MADT_BUFFERS_MAX], slots, names;
	bool gone; /* the launcher ended: everything goes on untraced */
};
extern struct session session;

bool session_open(const char *folder);
/* After fork: control file and buffer of its own. `fork_ticket`: what ring_put gave for the beginning of the fork. */
bool session_new_process(uint64_t fork_ticket);
/* The control file of another process, to be unmapped; NULL if there is none. */
struct madt_control *session_control_of(uint32_t serial);
void session_leave(void);       /* this process goes on untraced */
bool session_alive(void);       /* whether somebody reads what comes */
void session_ring(void);        /* wakes the launcher */
uint32_t session_name(const char *text);
bool session_add_buffer(void);
/* Allocate what lies there in the files: a chunk of a buffer; slots of the ring, from the first on. False where there is no memory. */
bool session_back_chunk(uint32_t number, uint32_t chunk);
bool session_back_ring(uint64_t slot);
uint64_t *session_chunk(struct madt_buffer *buffer, uint32_t i); /* its words; a guard page follows with engine splice */
/* Maps the control file's first page, to be read, at this address, in place of what is there if `replace` is set. */
bool session_map_control(uintptr_t at, bool replace);
/* Waits until *word is no longer `value`, the launcher has ended (then false) or 100 ms have passed. */
bool session_wait(uint32_t *word, uint32_t value);

/* Takes a slot, fills in ticket, thread and marker, and publishes. `event` is a template. Returns the ticket and 1; 0 if it was lost. */
uint64_t ring_put(const struct madt_event *event);
static inline uint64_t ring_epoch(void)
{
	return LOAD_ACQUIRE(&session.control->ring_write);
}

/* ---------------------------------------------------------------- record */

void record_run(uint32_t run, const uint64_t *words, uint32_t count);
void record_copy(uintptr_t code, const void *to, const void *from, size_t length);
void record_block(enum madt_builtin_run run, uintptr_t code, const void *address, size_t length);
void record_flush(void); /* publishes the thread's chunk */
bool record_renew(void); /* engine splice: publishes it and takes another; false if there is none */

/* ---------------------------------------------------------------- region */

enum region_flag { REGION_TRACED = 1, REGION_STACK = 2, REGION_HEAP = 4, REGION_PRIVATE = 8 /* anonymous too */, REGION_SHARED = 16 };

struct region {
	uintptr_t start, end;
	uint32_t protection; /* what the target asked for */
	uint32_t flags;      /* enum region_flag */
};

extern bool recording; /* pages are closed */

void region_scan(void);
bool region_find(uintptr_t address, struct region *out);
bool region_traced(uintptr_t address);
bool region_any_traced(struct range range);
void region_add(uintptr_t start, uintptr_t end, uint32_t protection, uint32_t flags);
void region_remove(uintptr_t start, uintptr_t end);
void region_protect(uintptr_t start, uintptr_t end, uint32_t protection);
void region_untrace(uintptr_t start, uintptr_t end);
/* Gives the pages of the range that are traced their own protection, or none. False if the kernel refused. */
bool region_open(uintptr_t start, uintptr_t end);
void region_close(uintptr_t start, uintptr_t end);
void region_close_new(uintptr_t start, uintptr_t end); /* the first time after it was mapped */
void region_open_all(void);
void region_close_all(void);
/*
 * A pinned range stays open whatever other threads close, until the call in the kernel that needs it is over: the kernel does not fault and
 * come again, it answers EFAULT. Pinning opens, unpinning closes.
 */
bool region_pin(struct range range); /* false: too many pins */
void region_unpin(struct range range);
void region_pin_all(void);
void region_unpin_all(void);
/*
 * A call of this thread's is about to change what is mapped there (empty ranges are none), until region_change_end: meanwhile no other
 * thread opens or closes it, and a fault of theirs in it is to be made again.
 */
void region_change_begin(const struct range range[2]);
void region_change_end(void);
bool region_changing(uintptr_t address); /* by another thread */
void region_after_fork(void);
/* Copies from the target's memory, whatever is closed there; stops at memory that does not exist. */
size_t region_read(void *to, uintptr_t from, size_t n);
/* A NUL-terminated text, cut at size - 1. */
bool region_read_text(char *to, uintptr_t from, size_t size);
bool region_write(uintptr_t to, const void *from, size_t n);

/* ---------------------------------------------------------------- module */

enum module_flag { MODULE_LOADER = 1, MODULE_SHIM = 2 };

#define MODULES_MAX 4096

struct module {
	uintptr_t start, end, bias;
	uintptr_t link; /* the loader's struct link_map */
	uint32_t flags;
	uint32_t first_run;
	const struct madt_codemap *map;
	const struct madt_code_entry *entry;
	const struct madt_code_operand *operand;
	const struct madt_plan *plan; /* engine splice: applied */
	bool present; /* while the list is gone through */
	bool asked;   /* for its code map */
	char path[256];
};

void module_hook_loader(void);
void module_release_loader(void); /* MadT no longer wants to know */
bool module_set_up(void);
void module_list(void);           /* compares the loader's list with what is known */
void module_ask_new(void);        /* asks for the code maps of modules that have none yet */
void module_ask_again(void);      /* after fork */
bool module_breakpoint(ucontext_t *context); /* was it the loader's? */
const struct module *module_of(uintptr_t code);
const struct madt_code_entry *module_entry(const struct module *module, uintptr_t code);
/* The number for module_number, or MODULES_MAX. */
uint32_t module_index(uintptr_t code);
/* What a module defines of C++'s operators is found, or gone. `at` is where the loader keeps `link`. */
struct link_map;
void operators_add(const struct link_map *link, uintptr_t at);
void operators_drop(uintptr_t at, uint32_t number);
void operators_after_fork(void);
/* Whether the address lies in the image of a module that is traced. */
bool module_covers(uintptr_t address);
/* The lowest start or end of an image above the address; UINTPTR_MAX if there is none. */
uintptr_t module_edge(uintptr_t address);

const struct module *module_number(uint32_t i); /* NULL behind the last; modules that are gone have end 0 */

/* ---------------------------------------------------------------- operand */

void operand_set_up(void);
/* Index in a context's general registers, by the number in instruction encodings. */
unsigned register_place(unsigned number);
/* One word per element; MADT_WORD_NONE where it is masked out or marked as stack. */
uint32_t operand_addresses(const struct module *module, const struct madt_code_operand *operand,
	const ucontext_t *context, uint64_t *words);

/* ---------------------------------------------------------------- trap, signal, gate */

#define SIGNAL_BIT(n) (UINT64_C(1) << ((n)-1))
#define SIGNALS_OWN (SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGSYS) | SIGNAL_BIT(SIGILL))
#define SIGNALS_FAULT (SIGNALS_OWN | SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGFPE))
#define TRAP_FLAG 0x100

static inline uint64_t *context_mask(ucontext_t *context)
{
	return (uint64_t *)&context->uc_sigmask;
}
static inline greg_t *context_registers(ucontext_t *context)
{
	return context->uc_mcontext.gregs;
}

void trap_on_fault(int number, siginfo_t *info, void *context);
void trap_on_trap(int number, siginfo_t *info, void *context);
void trap_on_illegal(int number, siginfo_t *info, void *context);
uint8_t trap_flag_instruction(uintptr_t code);
void trap_begin_step(ucontext_t *context);
void trap_end_step(ucontext_t *context);

void gs_set(struct madt_thread *thread); /* GS of the calling thread */
/* The first thing in a handler, before any use of `self`: GS leads to MadT's state again. */
void gs_back(void);
/* The last thing in a handler: the target's base, for an instruction of the target's that uses GS, and for good where MadT has left. */
void gs_go(void);
/* A fault of such an instruction: true if it is to be made alone, with that base. */
bool gs_override(const siginfo_t *info, ucontext_t *context);
#define PREFIX_FS 0x64
#define PREFIX_GS 0x65
/*
 * The prefix of an instruction that decides on its segment, or 0. Legacy prefixes come first, and the last one of a segment counts (Intel SDM volume
 * 2, 2.1.1). The bytes in front of `fault` can be read; 0: all of them, for the processor has read the instruction.
 */
uint8_t segment_prefix(uintptr_t code, uintptr_t fault);
/* arch_prctl for the target; false if it is not about GS. */
bool gs_call(const struct pending *pending, greg_t *registers);

void signal_set_up(void);
/* Gives handlers, mask and alternate stack to the kernel as the target set them: MadT leaves this process. */
void signal_release(void);
void signal_release_thread(ucontext_t *context);
/* For an exec: the kernel ignores what the target ignores of MadT's signals, or MadT's handlers are there again. */
void signal_bare(bool bare);
bool signal_inherits(void); /* whether the target ignores or blocks any of them */
void signal_receive(int number, siginfo_t *info, void *context);
void signal_to_target(int number, siginfo_t *info, ucontext_t *context);
/* Keeps a signal until signal_send_held or signal_release_held, with all others blocked in the context; false if there is no room. */
bool signal_hold(int number, const siginfo_t *info, ucontext_t *context);
void signal_release_held(ucontext_t *context);
long signal_action(int number, uintptr_t action, uintptr_t old, size_t size);
long signal_alternate(uintptr_t stack, uintptr_t old, uintptr_t rsp);
void signal_return(ucontext_t *context);
/* What a child takes over, by the flags of clone(2): its table of actions is made here. */
struct inherited signal_bequeath(uint64_t flags);
void signal_begin(bool clears); /* in the child; CLONE_CLEAR_SIGHAND */
void signal_inherited_by_none(const struct inherited *from);
void signal_after_fork(void);
/* MadT's signals, pending as the target sees it: sent again once they are not blocked. */
void signal_send_pending(void);
/* si_code as it was before one thread passed the signal on to another. */
int signal_code(int code);
/* Hands those that are pending, and that this thread may take, to the kernel: it blocks them. */
void signal_hand_over(void);
/* sigpending's answer: the kernel knows nothing of them. */
void signal_add_pending(uintptr_t set);
/* sigtimedwait for one of them; false if the kernel is to be asked. */
bool signal_wait_own(const struct pending *pending, greg_t *registers);
/* What an image started by execve inherits, as a text: ignored and blocked signals of MadT's. */
size_t signal_inheritance(char *text);
void signal_inherit(const char *text);
void signal_inherit_bare(const char *text); /* in a program that MadT leaves alone */

void gate_arm(void);
void gate_disarm(void); /* this thread's system calls pass unseen */
void gate_heap_set(uintptr_t start, uintptr_t end);
void gate_map_after_fork(void);
void leave_after_fork(void);
void gate_status_after_fork(void);
void gate_on_call(int number, siginfo_t *info, void *context);
bool gate_in_stub(uintptr_t code);
/* Out of the stub of calls with MadT's signals blocked: the context becomes what it would be in the ordinary one. */
void gate_plain(ucontext_t *context);
void gate_return(ucontext_t *context);    /* at the stub's int3 */
void gate_close_first(void);
void gate_interrupt(ucontext_t *context); /* a signal found the thread in the stub */
/* Whether it found it there because the call ended for it (EINTR); and the same call once more. */
bool gate_interrupted(const ucontext_t *context);
void gate_repeat(ucontext_t *context);
/* Whether it found it in a wait that has a mask of its own, or in front of one. */
bool gate_waits(const ucontext_t *context);

/* What the kernel will still do in this thread's memory when it is gone; see will.c. */
void will_make(void);
void will_execute(void);
void will_after_fork(void);

/* Engine trap: robust mutexes in pages that the kernel finds closed; see robust.c. */
void robust_begin(void);   /* the list that the thread already has */
void robust_look(void);    /* the thread may have locked one */
void robust_restore(void); /* the kernel has the target's own list again */
void robust_set(uintptr_t head, size_t size); /* the target is about to name another */
void robust_unmapped(uintptr_t start, uintptr_t end);
bool robust_answer(const struct pending *pending, greg_t *registers); /* get_robust_list; false: the kernel is to be asked */
void robust_after_fork(void);

/* ---------------------------------------------------------------- splice */

extern bool splice_on; /* the engine is splice: no page closes */

bool splice_set_up(void);   /* before the first plan is applied, with the thread's state made */
void splice_begin(void);    /* a thread begins, or the child of a fork: nothing is led anywhere yet */
/* Leads the thread's runs into its chunk or, where nothing is recorded, into the sink: after whatever may have changed that. */
void splice_lead(void);
void splice_position_take(void); /* `position` is where the block's first word leads */
void splice_position_give(void); /* and the other way round */
/* At a guard page, with the thread's stack pointer. */
void splice_make_room(uintptr_t stack);

bool splice_apply(struct module *module, const struct madt_request *request);
/* The program's own function is at `code` from now on, for the wrapper. Returns the wrapper, or 0 for a function that it does not know. */
uintptr_t wrap_hook(uint32_t function, uintptr_t code);
void splice_remove(struct module *module);
void splice_release(void); /* MadT leaves this process, which has one thread and is in no trampoline: all code is as it was */
/* After fork: run numbers of the child's own. */
void splice_renumber(struct module *module, uint32_t first_run);
uintptr_t splice_address(const struct module *module, uint32_t place);
/* The module in whose area the code lies, and the place there; NULL if it lies in none. */
const struct module *splice_module(uintptr_t code, uint32_t *place);

/* Each is true if that was all: the context goes on. */
bool splice_on_fault(const siginfo_t *info, ucontext_t *context);
bool splice_on_trap(int number, const siginfo_t *info, ucontext_t *context);
/* A signal that found the thread in a trampoline is held until it is out. */
bool splice_hold(int number, const siginfo_t *info, ucontext_t *context);
/*
 * A fault of the target's in a trampoline: registers and instruction pointer become those of the original instruction. Where a handler
 * takes it, the access was not made; where none does, the original instruction faults again and ends the process.
 */
void splice_show(siginfo_t *info, ucontext_t *context, bool handled);

/* Where the thread may be shown that stands at this place, or 0. */
uintptr_t splice_shown_at(const struct module *module, uint32_t place);
/* Shows it there: registers and instruction pointer become those of the original instruction. */
void splice_show_there(const struct module *module, uint32_t place, ucontext_t *context);
/* Whether nothing has been recorded yet of the instruction that a boundary shows. */
bool splice_boundary_clean(uintptr_t at);
/* Takes the accesses of the instruction out of the run at hand: it has not run and will be entered anew. */
void splice_withdraw(const struct module *module, uintptr_t code);
/* Makes the instruction, and the pages that it lies in, what they were. */
void splice_unpatch(uintptr_t code);

void splice_step_out(ucontext_t *context);
void splice_step_end(ucontext_t *context);
bool splice_on_step(ucontext_t *context);
void splice_own_begin(const ucontext_t *context); /* the target steps itself into a trampoline */
void splice_own_forget(void);

/* ---------------------------------------------------------------- start */

bool program_chosen(void); /* whether the session records this program; pass.c */
void program_pass(void);   /* it does not */
extern bool attached; /* a launcher is there: wrappers record */
void recording_stop_all(void);
/* Stops it where the launcher says so or has ended; false then. */
bool recording_goes_on(void);
void process_after_fork(ucontext_t *context);
/* MadT's part of this process ends; each thread has its own part besides. */
void process_leave(void);

#endif
