/*
 * The tracer's side of leave.c: what a process does before it traces another one of the session,
 * and before it waits, stopped, for the process that will trace it.
 */
#include "gate/gate_parts.h"
#include "gate/leave.h"

#include "module/module.h"
#include "session/session.h"

#include <fcntl.h>
#include <time.h>

#define MOMENT 200000 /* nanoseconds */

void leave_moment(void)
{
	struct timespec moment = { 0, MOMENT }; /* nanosleep(2) would end a wait that is to go on */

	SYS5(__NR_ppoll, NULL, 0, &moment, NULL, 0);
}

/* ---------------------------------------------------------------- /proc */

static long proc_open(uint32_t thread, const char *name)
{
	char path[64] = "/proc/";
	char *end = text_number(path + text_length(path), thread);

	text_copy(end, name, (size_t)(path + sizeof path - end));
	return SYS3(__NR_open, path, O_RDONLY | O_CLOEXEC, 0);
}

static bool proc_read(uint32_t thread, const char *name, char *text, size_t size)
{
	long fd = proc_open(thread, name), n;

	if (sys_failed(fd))
		return false;
	n = SYS3(__NR_read, fd, text, size - 1);
	SYS1(__NR_close, fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* The line SigBlk of proc(5), status. */
bool proc_blocked(uint32_t thread, uint64_t *mask)
{
	char text[2048];
	const char *p = text;

	if (!proc_read(thread, "/status", text, sizeof text))
		return false;
	while (*p && !text_begins(p, "\nSigBlk:\t"))
		p++;
	if (!*p)
		return false;
	*mask = 0;
	for (p += text_length("\nSigBlk:\t"); *p && *p != '\n'; p++)
		*mask = *mask << 4 | (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
	return true;
}

/* proc_pid_stat(5) from the third field on, or NULL. */
static const char *stat_state(uint32_t pid, char *text, size_t size)
{
	const char *state;

	if (!proc_read(pid, "/stat", text, size))
		return NULL;
	for (state = text + text_length(text); state > text && *state != ')'; state--)
		;
	return state == text ? NULL : state + 2;
}

/* A process that is stopped by a signal, or by another tracer, does not come to leave. */
static bool stopped(uint32_t pid)
{
	char text[256];
	const char *state = stat_state(pid, text, sizeof text);

	return !state || *state == 'T' || *state == 't' || *state == 'Z' || *state == 'X';
}

static uint32_t parent_of(uint32_t pid)
{
	char text[256];
	const char *digit = stat_state(pid, text, sizeof text);
	uint32_t parent = 0;

	for (digit = digit ? digit + 2 : ""; *digit >= '0' && *digit <= '9'; digit++)
		parent = parent * 10 + (uint32_t)(*digit - '0');
	return parent;
}

/* Returns whether a file of the session is mapped there: libmadt.so is, at least. */
static bool has_session(uint32_t thread)
{
	long fd = proc_open(thread, "/maps"), n = 0;
	const size_t name = text_length(session.folder);
	char text[4096 + sizeof session.folder + 1];
	size_t kept = 0;
	bool found = false;

	if (sys_failed(fd))
		return false;
	while (!found && (n = SYS3(__NR_read, fd, text + kept, 4096)) > 0) {
		size_t size = kept + (size_t)n;

		for (size_t i = 0; i + name <= size && !found; i++)
			found = text[i] == session.folder[0]
					&& bytes_compare(text + i, session.folder, name) == 0;
		kept = size < name ? size : name;
		bytes_copy(text, text + size - kept, kept);
	}
	SYS1(__NR_close, fd);
	return found;
}

/* ---------------------------------------------------------------- before another one is traced */

/* The control file of the newest process of that thread; NULL: none, or this one's own. */
static struct madt_control *control_of(uint32_t thread)
{
	for (uint32_t serial = LOAD_ACQUIRE(&session.page->processes); serial-- > 0;) {
		struct madt_control *control = serial == session.serial ? NULL : session_control_of(serial);

		if (!control)
			continue;
		if (control->magic == MADT_CONTROL_MAGIC
				&& (control->pid == thread
						|| !sys_failed(SYS3(__NR_tgkill, control->pid, thread, 0))))
			return control;
		SYS2(__NR_munmap, control, MADT_CONTROL_SIZE);
	}
	return NULL;
}

/* In MadT's handlers a thread blocks everything, or all but one signal: leave_last. */
static bool in_handler(uint32_t thread)
{
	uint64_t mask, open;

	if (!proc_blocked(thread, &mask))
		return false;
	open = ~mask & ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP));
	return !(open & (open - 1));
}

static void ask(struct madt_control *control, uint32_t thread)
{
	siginfo_t info = leave_request();
	uint32_t pid = control->pid;

	if (__atomic_exchange_n(&control->leave, MADT_LEAVE_TRACED, __ATOMIC_ACQ_REL)
			|| sys_failed(SYS3(__NR_rt_sigqueueinfo, pid, MADT_ASKED_BY, &info)))
		return;
	for (int looks = 0; looks < 3 * LEAVE_LONGEST && !LOAD_ACQUIRE(&control->left)
			&& LOAD_ACQUIRE(&control->leave) && !stopped(pid);
			looks++)
		leave_moment();
	for (int looks = 0; looks < LEAVE_LONGEST / 10 && in_handler(thread); looks++)
		leave_moment();
}

static bool has_left(uint32_t thread)
{
	struct madt_control *control = control_of(thread);
	bool left = control && LOAD_ACQUIRE(&control->left);

	if (control)
		SYS2(__NR_munmap, control, MADT_CONTROL_SIZE);
	return left;
}

/*
 * The child of a fork, or a new image, that has not said yet that it is there. What a process that
 * has left makes never does.
 */
static bool on_its_way(uint32_t thread, const struct madt_control *control)
{
	if (control)
		return LOAD_ACQUIRE(&control->state) != MADT_STATE_READY;
	return !has_left(parent_of(thread));
}

/* False: it cannot be asked yet. */
static bool asked(uint32_t thread)
{
	struct madt_control *control;
	bool comes = false;

	if (stopped(thread) || !has_session(thread))
		return true;
	control = control_of(thread);
	if (!control || !LOAD_ACQUIRE(&control->left))
		comes = on_its_way(thread, control);
	if (control && !comes && !LOAD_ACQUIRE(&control->left))
		ask(control, thread);
	if (control)
		SYS2(__NR_munmap, control, MADT_CONTROL_SIZE);
	return !comes;
}

static bool traces; /* this process has traced others, or was forked by one that had */
static bool traceable;

void leave_for_tracer(uint32_t thread)
{
	if (!sys_failed(SYS3(__NR_tgkill, SYS0(__NR_getpid), thread, 0)))
		return; /* one of this process; the kernel says no */
	for (int looks = 0; looks < LEAVE_LONGEST / 5 && !asked(thread); looks++)
		for (int moments = 0; moments < 5; moments++)
			leave_moment();
}

/* ---------------------------------------------------------------- before it is traced itself */

void tracer_note(void)
{
	traces = true;
}

void tracer_after_fork(void)
{
	traceable = true;
}

bool tracer_awaited(const long *argument, bool of_thread)
{
	uint32_t process = (uint32_t)SYS0(__NR_getpid);
	bool own = of_thread ? (uint32_t)argument[0] == process && (uint32_t)argument[1] == self.tid
						 : (uint32_t)argument[0] == process;

	return own && argument[of_thread ? 2 : 1] == SIGSTOP && traceable && !self.vfork_child
			&& (traces || program_imports("ptrace"));
}
