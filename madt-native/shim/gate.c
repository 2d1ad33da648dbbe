/*
 * The gate for the target's system calls, entered by Syscall User Dispatch (SIGSYS). The handler prepares and returns to a
 * stub `syscall; int3` in the permitted range, so that the call is made on the target's stack, with its registers and mask; the int3's
 * handler closes, records, and goes on behind the original instruction.
 */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define KERNEL_SET 8
#define DISPATCH_SET 59 /* PR_SET_SYSCALL_USER_DISPATCH */

void gate_arm(void)
{
	SYS5(__NR_prctl, DISPATCH_SET, 1, madt_sys_begin, madt_sys_end - madt_sys_begin, 0);
}

bool gate_in_stub(uintptr_t code)
{
	return code - (uintptr_t)madt_stub < MADT_STUB_SLOTS * MADT_STUB_STRIDE;
}

static const int argument_register[6] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};

/* ---------------------------------------------------------------- slots of the stub, for calls that return twice */

static struct {
	uint32_t users;
	struct pending pending;
} slots[MADT_STUB_SLOTS];

static unsigned slot_take(void)
{
	for (;;) {
		for (unsigned i = 1; i < MADT_STUB_SLOTS; i++) {
			uint32_t none = 0;

			if (__atomic_compare_exchange_n(&slots[i].users, &none, 2, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED))
				return i;
		}
		SYS0(__NR_sched_yield);
	}
}

static void slot_release(unsigned i, uint32_t users)
{
	if (i)
		__atomic_fetch_sub(&slots[i].users, users, __ATOMIC_ACQ_REL);
}

/* ---------------------------------------------------------------- opening what the call touches */

static size_t touch_length(const struct touch *touch, const struct pending *pending)
{
	size_t count = 1;

	if (touch->length == LENGTH_ARGUMENT || touch->length == LENGTH_RESULT)
		count = (size_t)pending->argument[touch->count];
	if (touch->size && count > SIZE_MAX / 2 / touch->size)
		return SIZE_MAX / 2;
	return count * (touch->size ? touch->size : 1);
}

static void open_range(struct pending *pending, uintptr_t start, size_t length)
{
	uintptr_t end = start + length;

	if (!length || !start || pending->everything)
		return;
	if (end < start || length > (size_t)1 << 40)
		end = start + ((size_t)1 << 40);
	pending->open[pending->opened++] = (struct range){start, end};
	region_pin(pending->open[pending->opened - 1]);
}

/* A text of unknown length: page after page until its NUL. */
static void open_text(struct pending *pending, uintptr_t start)
{
	uintptr_t at = start;
	char part[256];

	for (size_t seen = 0; start && seen < 65536;) {
		size_t n = PAGE_DOWN(at) + MADT_PAGE - at, got;

		if (n > sizeof part)
			n = sizeof part;
		got = region_read(part, at, n);
		for (size_t i = 0; i < got; i++)
			if (!part[i]) {
				open_range(pending, start, at + i + 1 - start);
				return;
			}
		if (got < n)
			break;
		at += n;
		seen += n;
	}
	open_range(pending, start, at - start);
}

static void open_everything(struct pending *pending)
{
	pending->everything = true;
	__atomic_fetch_add(&session.control->calls_opened, 1, __ATOMIC_RELAXED);
	region_pin_all();
}

static void open_touched(struct pending *pending)
{
	const struct touch *touches;
	unsigned count;

	if (!recording)
		return;
	if (!call_touches(pending->number, pending->argument, &touches, &count)) {
		open_everything(pending);
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		uintptr_t start = (uintptr_t)pending->argument[touches[i].argument];

		if (touches[i].length == LENGTH_TEXT)
			open_text(pending, start);
		else
			open_range(pending, start, touch_length(&touches[i], pending));
	}
}

static void close_touched(struct pending *pending)
{
	if (pending->everything)
		region_unpin_all();
	for (unsigned i = 0; i < pending->opened; i++)
		region_unpin(pending->open[i]);
	pending->opened = 0;
	pending->everything = false;
}

/* G for what the kernel read, W for what it wrote. Texts are measured before their pages close. */
static void record_touched(const struct pending *pending, long result)
{
	const struct touch *touches;
	unsigned count;

	if (!recording || pending->silent || sys_failed(result) ||
		!call_touches(pending->number, pending->argument, &touches, &count))
		return;
	for (unsigned i = 0; i < count; i++) {
		uintptr_t start = (uintptr_t)pending->argument[touches[i].argument];
		size_t length = touch_length(&touches[i], pending);
		uintptr_t code = (pending->next - 2) | MADT_CODE_EXACT;

		if (touches[i].length == LENGTH_TEXT)
			length = text_length((const char *)start) + 1;
		else if (touches[i].length == LENGTH_RESULT && (size_t)result * touches[i].size < length)
			length = (size_t)result * touches[i].size;
		if (!start || !length)
			continue;
		if (touches[i].direction & TOUCH_READ)
			record_block(MADT_RUN_FETCH, code, (const void *)start, length);
		if (touches[i].direction & TOUCH_WRITE)
			record_block(MADT_RUN_STORE, code, (const void *)start, length);
	}
}

/* ---------------------------------------------------------------- signal masks: MadT's signals are never in the kernel's */

/* Puts a set without MadT's signals in the place of the one that `argument` points to. */
static void strip_set(struct pending *pending, greg_t *registers, int argument, unsigned at)
{
	uint64_t set;

	if (!pending->argument[argument] ||
		region_read(&set, (uintptr_t)pending->argument[argument], sizeof set) < sizeof set)
		return;
	set &= ~SIGNALS_OWN;
	bytes_copy(self.scratch + at, &set, sizeof set);
	registers[argument_register[argument]] = (greg_t)(self.scratch + at);
}

/* pselect6's sixth argument is a pointer to { set, size }. */
static void strip_pselect(struct pending *pending, greg_t *registers)
{
	uint64_t pair[2], set;

	if (!pending->argument[5] ||
		region_read(pair, (uintptr_t)pending->argument[5], sizeof pair) < sizeof pair || !pair[0] ||
		region_read(&set, pair[0], sizeof set) < sizeof set)
		return;
	set &= ~SIGNALS_OWN;
	bytes_copy(self.scratch, &set, sizeof set);
	pair[0] = (uint64_t)self.scratch;
	bytes_copy(self.scratch + 16, pair, sizeof pair);
	registers[REG_R9] = (greg_t)(self.scratch + 16);
}

/*
 * rt_sigprocmask is done here, in the context that the handler will return to: no call can stand between the target's mask and
 * the kernel's.
 */
static long mask_change(ucontext_t *context, const struct pending *pending)
{
	uint64_t before = *context_mask(context) | self.virtual_mask, set = 0, after = before;
	long how = pending->argument[0];
	uintptr_t wanted = (uintptr_t)pending->argument[1], old = (uintptr_t)pending->argument[2];

	if (pending->argument[3] != KERNEL_SET)
		return -EINVAL;
	if (wanted) {
		if (region_read(&set, wanted, sizeof set) < sizeof set)
			return -EFAULT;
		if (how == SIG_BLOCK)
			after = before | set;
		else if (how == SIG_UNBLOCK)
			after = before & ~set;
		else if (how == SIG_SETMASK)
			after = set;
		else
			return -EINVAL;
		after &= ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP));
		self.virtual_mask = after & SIGNALS_OWN;
		*context_mask(context) = after & ~SIGNALS_OWN;
	}
	if (old && !region_write(old, &before, sizeof before))
		return -EFAULT;
	return 0;
}

/* Calls that MadT answers itself. */
static bool answer(ucontext_t *context, struct pending *pending)
{
	greg_t *registers = context_registers(context);
	const long *a = pending->argument;

	switch (pending->number) {
	case __NR_rt_sigaction:
		registers[REG_RAX] = signal_action((int)a[0], (uintptr_t)a[1], (uintptr_t)a[2], (size_t)a[3]);
		return true;
	case __NR_rt_sigprocmask:
		registers[REG_RAX] = mask_change(context, pending);
		return true;
	case __NR_sigaltstack:
		registers[REG_RAX] =
			signal_alternate((uintptr_t)a[0], (uintptr_t)a[1], (uintptr_t)registers[REG_RSP]);
		return true;
	case __NR_rt_sigreturn:
		signal_return(context);
		return true;
	case __NR_prctl:
		if (a[0] != DISPATCH_SET)
			return false;
		registers[REG_RAX] = -EINVAL;
		return true;
	default:
		return false;
	}
}

/* ---------------------------------------------------------------- fork, clone, exec */

static uint64_t clone_flags(const struct pending *pending, uintptr_t *stack)
{
	struct clone_args arguments;

	*stack = 0;
	bytes_set(&arguments, 0, sizeof arguments);
	switch (pending->number) {
	case __NR_vfork:
		return CLONE_VM | CLONE_VFORK;
	case __NR_clone:
		*stack = (uintptr_t)pending->argument[1];
		return (uint64_t)pending->argument[0];
	case __NR_clone3:
		region_read(&arguments, (uintptr_t)pending->argument[0],
			(size_t)pending->argument[1] < sizeof arguments ? (size_t)pending->argument[1]
									 : sizeof arguments);
		*stack = arguments.stack ? arguments.stack + arguments.stack_size : 0;
		return arguments.flags;
	default:
		return 0;
	}
}

static bool makes_child(long number)
{
	return number == __NR_fork || number == __NR_vfork || number == __NR_clone || number == __NR_clone3;
}

/* A child's stack is opened for good: the kernel must be able to put a signal frame on it before it has a handler stack. */
static void clone_prepare(struct pending *pending)
{
	uintptr_t stack;
	uint64_t flags = clone_flags(pending, &stack);
	struct region region;

	if (stack && region_find(stack - 1, &region) && (region.flags & REGION_TRACED))
		region_untrace(region.start, region.end);
	if (flags & CLONE_VFORK) {
		open_everything(pending);
		self.vfork_parent = true;
	}
	pending->slot = (uint8_t)slot_take();
	slots[pending->slot].pending = *pending;
	if (flags & CLONE_VFORK)
		self.vfork_pending = *pending;
}

/* ---------------------------------------------------------------- execve: MadT's variables go into every environment */

static size_t environment_count(uintptr_t list)
{
	size_t n = 0;
	uintptr_t entry;

	while (list && region_read(&entry, list + n * sizeof entry, sizeof entry) == sizeof entry && entry)
		n++;
	return n;
}

#define PRELOAD "LD_PRELOAD="

/* Texts at the start of the block, the list behind them; entries other than LD_PRELOAD stay where they are. */
static char **environment_make(uintptr_t list)
{
	size_t n = environment_count(list), texts = 8192, size = PAGE_UP(texts + (n + 3) * sizeof(char *));
	char *text = self.environment = sys_pages(size), *preload = NULL, old[4096];
	char **entries = (char **)(text + texts);

	self.environment_size = size;
	if (!text)
		return NULL;
	text_copy(text, "MADT_SESSION=", texts);
	text_copy(text + text_length(text), session.folder, texts / 4);
	preload = text + text_length(text) + 1;
	text_copy(preload, PRELOAD, sizeof PRELOAD);
	text_copy(preload + text_length(preload), session.folder, texts / 4);
	text_copy(preload + text_length(preload), "/libmadt.so", 16);
	for (size_t i = 0; i < n; i++) {
		region_read(&entries[i], list + i * sizeof *entries, sizeof *entries);
		if (region_read_text(old, (uintptr_t)entries[i], sizeof old) && text_begins(old, PRELOAD)) {
			text_copy(preload + text_length(preload), ":", 2);
			text_copy(preload + text_length(preload), old + sizeof PRELOAD - 1, texts / 2);
			entries[i] = preload;
			preload = NULL;
		}
	}
	entries[n++] = text;
	if (preload)
		entries[n++] = preload;
	entries[n] = NULL;
	return entries;
}

static void exec_prepare(struct pending *pending, greg_t *registers)
{
	int argument = pending->number == __NR_execveat ? 3 : 2;
	char path[256] = "";
	struct madt_event event = {.type = MADT_EVENT_EXEC};
	char **environment;

	if (!(session.page->flags & MADT_SESSION_FOLLOW) || session.gone || !session_alive())
		return;
	environment = environment_make((uintptr_t)pending->argument[argument]);
	if (environment)
		registers[argument_register[argument]] = (greg_t)environment;
	region_read_text(path, (uintptr_t)pending->argument[argument - 2], sizeof path);
	event.name = session_name(path);
	ring_put(&event);
}

static void exec_failed(void)
{
	if (self.environment)
		SYS2(__NR_munmap, self.environment, self.environment_size);
	self.environment = NULL;
}

/* ---------------------------------------------------------------- mappings */

static void mapping_event(enum madt_event_type type, uintptr_t start, size_t size, long protection, long flags,
	long descriptor)
{
	char link[64] = "/proc/self/fd/", path[256] = "";
	struct madt_event event = {.type = (uint16_t)type,
		.address = start,
		.size = size,
		.old = (uint64_t)protection,
		.old_size = (uint64_t)flags};

	if (descriptor >= 0) {
		long n;

		text_number(link + text_length(link), (uint64_t)descriptor);
		n = SYS3(__NR_readlink, link, path, sizeof path - 1);
		path[n > 0 ? n : 0] = 0;
		event.name = session_name(path);
	}
	ring_put(&event);
}

static void mapped(const struct pending *pending, uintptr_t at)
{
	const long *a = pending->argument;
	uintptr_t end = PAGE_UP(at + (size_t)a[1]);
	bool stack = a[3] & (MAP_STACK | MAP_GROWSDOWN);
	bool private = (a[3] & MAP_ANONYMOUS) && (a[3] & MAP_PRIVATE);

	region_add(at, end, (uint32_t)a[2], (stack ? REGION_STACK : REGION_TRACED) | (private ? REGION_PRIVATE : 0));
	region_close_new(at, end);
	mapping_event(MADT_EVENT_REGION_MAP, at, end - at, a[2], a[3], a[3] & MAP_ANONYMOUS ? -1 : (int)a[4]);
}

static void unmapped(uintptr_t at, size_t size)
{
	region_remove(at, PAGE_UP(at + size));
	mapping_event(MADT_EVENT_REGION_UNMAP, at, PAGE_UP(size), 0, 0, -1);
}

static void remapped(const struct pending *pending, uintptr_t to)
{
	uintptr_t from = (uintptr_t)pending->argument[0];
	size_t old_size = PAGE_UP(pending->argument[1]), size = PAGE_UP(pending->argument[2]);
	struct region region = {0};

	region_find(from, &region);
	if (old_size && !(pending->argument[3] & MREMAP_DONTUNMAP))
		unmapped(from, old_size);
	region_add(to, to + size, region.protection, region.flags);
	region_close(to, to + size);
	mapping_event(MADT_EVENT_REGION_MAP, to, size, region.protection, MAP_ANONYMOUS, -1);
}

static void protected(const struct pending *pending)
{
	uintptr_t start = (uintptr_t)pending->argument[0], end = PAGE_UP(start + (size_t)pending->argument[1]);

	region_protect(start, end, (uint32_t)pending->argument[2]);
	region_close_new(start, end);
	mapping_event(MADT_EVENT_REGION_PROTECT, start, end - start, pending->argument[2], 0, -1);
}

static struct range heap;

void gate_heap_set(uintptr_t start, uintptr_t end)
{
	heap = (struct range){start, end};
}

static void broken(uintptr_t end)
{
	uintptr_t before = PAGE_UP(heap.end), now = PAGE_UP(end);

	if (now > before) {
		region_add(before, now, PROT_READ | PROT_WRITE, REGION_TRACED | REGION_HEAP | REGION_PRIVATE);
		region_close_new(before, now);
	} else if (now < before) {
		region_remove(now, before);
	}
	heap.end = end;
	if (now != before)
		mapping_event(MADT_EVENT_HEAP, heap.start, now - PAGE_DOWN(heap.start), 0, 0, -1);
}

static void mappings_follow(const struct pending *pending, long result)
{
	if (sys_failed(result))
		return;
	switch (pending->number) {
	case __NR_mmap:
		mapped(pending, (uintptr_t)result);
		break;
	case __NR_munmap:
		unmapped((uintptr_t)pending->argument[0], (size_t)pending->argument[1]);
		break;
	case __NR_mremap:
		remapped(pending, (uintptr_t)result);
		break;
	case __NR_mprotect:
	case __NR_pkey_mprotect:
		protected(pending);
		break;
	case __NR_brk:
		broken((uintptr_t)result);
		break;
	}
}

/* ---------------------------------------------------------------- the way in and out */

static void prepare(struct pending *pending, greg_t *registers)
{
	const long number = pending->number;

	switch (number) {
	case __NR_ppoll:
		strip_set(pending, registers, 3, 0);
		break;
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
		strip_set(pending, registers, 4, 0);
		break;
	case __NR_rt_sigsuspend:
	case __NR_rt_sigtimedwait:
		strip_set(pending, registers, 0, 0);
		break;
	case __NR_signalfd:
	case __NR_signalfd4:
		strip_set(pending, registers, 1, 0);
		break;
	case __NR_pselect6:
		strip_pselect(pending, registers);
		break;
	case __NR_execve:
	case __NR_execveat:
		exec_prepare(pending, registers);
		break;
	case __NR_exit:
		thread_end();
		break;
	case __NR_mremap:
		/* The kernel moves one mapping only: pages that a wrapper holds open would split it. */
		kept_close();
		break;
	}
	if (makes_child(number))
		clone_prepare(pending);
	else
		open_touched(pending);
}

void gate_on_call(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;
	greg_t *registers = context_registers(context);
	struct pending *pending = &self.pending;

	if (info->si_code != 2 /* SYS_USER_DISPATCH */) {
		signal_to_target(number, info, context);
		return;
	}
	__atomic_fetch_add(&session.control->calls_gated, 1, __ATOMIC_RELAXED);
	frame_prune((uintptr_t)registers[REG_RSP]);
	bytes_set(pending, 0, offsetof(struct pending, open));
	pending->next = (uintptr_t)registers[REG_RIP];
	pending->number = (long)registers[REG_RAX];
	pending->silent = frame_silent();
	for (int i = 0; i < 6; i++)
		pending->argument[i] = (long)registers[argument_register[i]];
	if (answer(context, pending)) {
		if (pending->number != __NR_rt_sigreturn) {
			registers[REG_RCX] = (greg_t)pending->next;
			registers[REG_R11] = registers[REG_EFL];
		}
		return;
	}
	pending->active = true;
	prepare(pending, registers);
	registers[REG_RIP] = (greg_t)(madt_stub + pending->slot * MADT_STUB_STRIDE);
}

static void registers_restore(const struct pending *pending, greg_t *registers)
{
	for (int i = 0; i < 6; i++)
		registers[argument_register[i]] = (greg_t)pending->argument[i];
}

/* The first thing that a new thread or process does: it has no dispatch yet, and a thread no state either. */
static struct pending *child_begin(unsigned slot)
{
	struct pending *pending = &slots[slot].pending;
	uint32_t pid = (uint32_t)SYS0(__NR_getpid);

	if (!self.ready) {
		thread_begin();
		self.pending = *pending;
		slot_release(slot, 1);
		gate_arm();
	} else if (pid != session.pid && !self.vfork_parent) {
		self.pending = *pending;
		slots[slot].users = 0;
		process_after_fork();
	} else {
		gate_arm(); /* a vfork child, which shares everything but the dispatch */
	}
	return &self.pending;
}

/* At the stub's int3: the call has been made. */
void gate_return(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	unsigned slot = (unsigned)((uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub) / MADT_STUB_STRIDE;
	struct pending *pending = &self.pending;
	long result = (long)registers[REG_RAX];

	if (slot && result == 0) {
		pending = child_begin(slot);
	} else if (slot) {
		if (self.vfork_parent) {
			self.vfork_parent = false;
			*pending = self.vfork_pending;
		}
		slot_release(slot, sys_failed(result) ? 2 : 1);
	}
	record_touched(pending, result);
	if (!(slot && result == 0 && self.vfork_parent))
		close_touched(pending);
	mappings_follow(pending, result);
	if (pending->number == __NR_execve || pending->number == __NR_execveat)
		exec_failed();
	registers_restore(pending, registers);
	registers[REG_RIP] = (greg_t)pending->next;
	registers[REG_RCX] = (greg_t)pending->next;
	registers[REG_R11] = registers[REG_EFL];
	pending->active = false;
}

/*
 * A signal found the thread in the stub. Before its int3 the call has been made, and ends here; at its syscall instruction it has not, or
 * is to be made again after the handler: the target is shown its own instruction, and comes back through the gate.
 */
void gate_interrupt(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t offset = (uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub;
	struct pending *pending = &self.pending;

	if (offset % MADT_STUB_STRIDE) {
		gate_return(context);
		return;
	}
	close_touched(pending);
	slot_release((unsigned)(offset / MADT_STUB_STRIDE), 2);
	if (pending->number == __NR_execve || pending->number == __NR_execveat)
		exec_failed();
	registers_restore(pending, registers);
	registers[REG_RAX] = (greg_t)pending->number;
	registers[REG_RIP] = (greg_t)(pending->next - 2);
	pending->active = false;
}
