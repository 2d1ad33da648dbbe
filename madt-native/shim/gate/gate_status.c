/*
 * /proc/PID/status of this process: what the kernel says there of MadT's signals is MadT's, so the
 * masks that the target reads are put right (proc_pid_status(5): SigPnd, ShdPnd, SigBlk, SigIgn,
 * SigCgt). Descriptors that may lead there are noted when they are opened; where they lead is
 * looked up when they are read.
 */
#include "gate/gate_parts.h"

#include "base/spin.h"
#include "region/region.h"
#include "signal/signal_table.h"
#include "thread/thread.h"

#include <unistd.h>

#define DIGITS 16 /* of a mask */

static struct descriptor_set noted;

bool gate_opens_status(uintptr_t path)
{
	char text[128];
	size_t length;

	if (!region_read_text(text, path, sizeof text))
		return false;
	length = text_length(text);
	return length >= 6 && text_begins(text + length - 6, "status");
}

static bool leads_to_status(uintptr_t path, long folder, long descriptor)
{
	bool status = gate_opens_status(path);

	(void)folder;
	(void)descriptor;
	if (status)
		direct_leave_status();
	return status;
}

/* ---------------------------------------------------------------- the thread whose status it is */

static uint32_t number_of(const char **text)
{
	uint32_t number = 0;

	for (; **text >= '0' && **text <= '9'; ++*text)
		number = number * 10 + (uint32_t)(**text - '0');
	return number;
}

/*
 * The thread that the path /proc/PID/status or /proc/PID/task/TID/status means, if it is one of
 * this process; else NULL.
 */
static const struct madt_thread *thread_named(const char *path)
{
	struct madt_thread *other;
	uint32_t process, thread;

	if (!text_begins(path, "/proc/"))
		return NULL;
	path += 6;
	process = thread = number_of(&path);
	if (text_begins(path, "/task/")) {
		path += 6;
		thread = number_of(&path);
	}
	if (process != (uint32_t)SYS0(__NR_getpid) || !text_begins(path, "/status") || path[7])
		return NULL;
	if (thread == self.tid)
		return &self;
	for (uint32_t i = 0; (other = thread_other(&i)); i++)
		if (other->tid == thread)
			return other;
	return NULL;
}

static const struct madt_thread *thread_read(long fd)
{
	char link[64] = "/proc/thread-self/fd/", path[128];
	long length;

	text_number(link + text_length(link), (uint64_t)fd);
	length = SYS3(__NR_readlink, link, path, sizeof path - 1);
	path[length > 0 ? length : 0] = 0;
	return thread_named(path);
}

/* ---------------------------------------------------------------- the masks */

enum kind { THREAD_PENDING, SHARED_PENDING, BLOCKED, IGNORED, CAUGHT, KINDS };
static const char *const kind_name[KINDS] = { "\nSigPnd:\t", "\nShdPnd:\t", "\nSigBlk:\t",
	"\nSigIgn:\t", "\nSigCgt:\t" };

static bool pending_of(const struct madt_thread *thread, unsigned i, int number, bool shared)
{
	return (thread->signal.own_pending & SIGNAL_BIT(number))
			&& (thread->signal.own_signal[i].si_code != SI_TKILL) == shared;
}

static bool pending_elsewhere(unsigned i, int number)
{
	struct madt_thread *other;

	for (uint32_t k = 0; (other = thread_other(&k)); k++)
		if (other->process == self.process && pending_of(other, i, number, true))
			return true;
	return false;
}

static uint64_t own_mask(const struct madt_thread *thread, enum kind kind)
{
	static const int number[SIGNALS_OWN_COUNT] = { SIGSEGV, SIGTRAP, SIGSYS, SIGILL };
	uint64_t mask = 0;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++) {
		const struct kernel_action *action = &thread->signal.actions->action[number[i]];
		if ((kind == THREAD_PENDING && pending_of(thread, i, number[i], false))
				|| (kind == SHARED_PENDING
						&& (pending_of(&self, i, number[i], true)
								|| pending_elsewhere(i, number[i])))
				|| (kind == IGNORED && action->handler == (uintptr_t)SIG_IGN)
				|| (kind == CAUGHT && action_handled(action)))
			mask |= SIGNAL_BIT(number[i]);
	}
	return kind == BLOCKED ? thread->signal.virtual_mask : mask;
}

static uint64_t mask_parse(const char *digits)
{
	uint64_t mask = 0;

	for (int i = 0; i < DIGITS; i++)
		mask = mask << 4 | (uint64_t)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
	return mask;
}

static void mask_print(char *digits, uint64_t mask)
{
	for (int i = DIGITS; i-- > 0; mask >>= 4)
		digits[i] = "0123456789abcdef"[mask & 15];
}

static char *text_find(char *text, const char *part)
{
	for (; *text; text++)
		if (text_begins(text, part))
			return text + text_length(part);
	return NULL;
}

static void mask_mend(char *text, const struct madt_thread *thread, enum kind kind,
		const uint64_t *blocked)
{
	char *digits = text_find(text, kind_name[kind]);
	uint64_t mask;

	if (!digits)
		return;
	/* this handler blocks everything; the call did not */
	mask = kind == BLOCKED && thread == &self ? *blocked : mask_parse(digits);
	mask_print(digits, (mask & ~SIGNALS_OWN) | own_mask(thread, kind));
}

/* ---------------------------------------------------------------- reading */

/*
 * What is read piece by piece is one text for the kernel, made when the first piece is asked for;
 * lines move as numbers in it grow. So MadT keeps the text too, for who goes on where the last
 * piece ended.
 */
static struct text {
	uint32_t thread; /* 0: free */
	long next;       /* where the last piece ended */
	long length;
	char text[4096];
} texts[4];
static uint32_t texts_made;
static struct spin lock;

static struct text *text_of(const struct madt_thread *thread, long fd, long start,
		const uint64_t *blocked)
{
	struct text *text;

	for (text = texts; start && text < texts + 4; text++)
		if (text->thread == thread->tid && text->next == start)
			return text;
	text = &texts[texts_made++ % 4];
	text->thread = thread->tid;
	text->length = SYS4(__NR_pread64, fd, text->text, sizeof text->text - 1, 0);
	text->length = text->length < 0 ? 0 : text->length;
	text->text[text->length] = 0;
	for (enum kind kind = 0; kind < KINDS; kind++)
		mask_mend(text->text, thread, kind, blocked);
	return text;
}

/* In the place of what the kernel gave. */
static void status_read(const struct pending *pending, long size, ucontext_t *context)
{
	long fd = pending->argument[0], start = pending->argument[3], n;
	const struct madt_thread *thread = thread_read(fd);
	struct text *text;

	if (!thread)
		return;
	if (pending->number == __NR_read)
		start = SYS3(__NR_lseek, fd, 0, SEEK_CUR) - size;
	if (start < 0)
		return;
	spin_lock(&lock);
	text = text_of(thread, fd, start, context_mask(context));
	n = start < text->length ? text->length - start : 0;
	n = (unsigned long)n < (unsigned long)pending->argument[2] ? n : pending->argument[2];
	if (region_write((uintptr_t)pending->argument[1], text->text + start, (size_t)n)) {
		text->next = start + n;
		context_registers(context)[REG_RAX] = n;
		if (pending->number == __NR_read && n != size)
			SYS3(__NR_lseek, fd, start + n, SEEK_SET);
	}
	spin_unlock(&lock);
}

void gate_status_after_fork(void)
{
	spin_after_fork(&lock);
}

void gate_status(const struct pending *pending, long result, ucontext_t *context)
{
	descriptors_follow(&noted, pending, result, leads_to_status);
	if (!sys_failed(result) && (pending->number == __NR_read || pending->number == __NR_pread64)
			&& descriptor_marked(&noted, pending->argument[0]))
		status_read(pending, result, context);
}
