/* execve: the environment of every new image gets MadT's variables, whatever the target passes. */
#include "gate.h"

#include <fcntl.h>
#include <sys/stat.h>

/* False if the list cannot be read to its end: it ends nowhere, or a seccomp filter of the target's forbids us to read it. */
static bool environment_count(uintptr_t list, size_t *n)
{
	uintptr_t entry = list;

	for (*n = 0; entry; *n += entry != 0)
		if (region_read(&entry, list + *n * sizeof entry, sizeof entry) < sizeof entry)
			return false;
	return true;
}

#define PRELOAD "LD_PRELOAD="

#define TEXTS 8192 /* bytes for the variables that are added or changed */

struct additions {
	char *session, *signals, *preload; /* NULL: none, or put in its place */
};

static char *append(char *end, const char *text)
{
	text_copy(end, text, TEXTS / 4);
	return end + text_length(end);
}

/* The three variables as texts, one behind the other; the last has room for what the target itself preloads. */
static struct additions additions_make(char *text)
{
	struct additions add = {.session = text};
	char *end = append(append(text, "MADT_SESSION="), session.folder) + 1;
	size_t n = signal_inheritance(append(end, "MADT_SIGNALS="));

	if (n) {
		add.signals = end;
		end += text_length(end) + 1;
	}
	add.preload = end;
	append(append(append(end, PRELOAD), session.folder), "/libmadt.so");
	return add;
}

/* Entries other than LD_PRELOAD stay where they are. NULL if it cannot be done. */
static char **environment_make(uintptr_t list, size_t n)
{
	size_t size = PAGE_UP(TEXTS + (n + 4) * sizeof(char *));
	char *text = self.environment = sys_pages(size), old[TEXTS / 2];
	char **entries = (char **)(text + TEXTS);
	struct additions add;

	self.environment_size = size;
	if (!text)
		return NULL;
	add = additions_make(text);
	for (size_t i = 0; i < n; i++) {
		region_read(&entries[i], list + i * sizeof *entries, sizeof *entries);
		if (add.preload && region_read_text(old, (uintptr_t)entries[i], sizeof old) && text_begins(old, PRELOAD)) {
			char *end = append(add.preload + text_length(add.preload), ":");

			text_copy(end, old + sizeof PRELOAD - 1, sizeof old);
			entries[i] = add.preload;
			add.preload = NULL;
		}
	}
	entries[n++] = add.session;
	if (add.signals)
		entries[n++] = add.signals;
	if (add.preload)
		entries[n++] = add.preload;
	entries[n] = NULL;
	return entries;
}

/*
 * Whether the new image will have the rights to take part: the process may have become another user's, whose capabilities do not outlast the
 * exec, or have shut itself in.
 */
static bool session_reachable(void)
{
	char path[256];
	struct stat status;
	long fd, user = SYS0(__NR_geteuid);
	bool own;

	text_copy(path, session.folder, sizeof path - sizeof "/session");
	text_copy(path + text_length(path), "/session", sizeof "/session");
	fd = SYS3(__NR_open, path, O_RDWR | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return false;
	own = !sys_failed(SYS2(__NR_fstat, fd, &status)) && (user == 0 || status.st_uid == (uid_t)user);
	SYS1(__NR_close, fd);
	return own;
}

bool gate_exec_prepare(struct pending *pending, greg_t *registers)
{
	bool at = pending->number == __NR_execveat;
	int path = at ? 1 : 0, list = at ? 3 : 2;
	struct madt_event event = {.type = MADT_EVENT_EXEC};
	char name[256] = "";
	size_t variables;

	if (!(session.page->flags & MADT_SESSION_FOLLOW) || session.gone || !session_alive())
		return false;
	if (session_reachable() && environment_count((uintptr_t)pending->argument[list], &variables) &&
		exec_image_loads(at ? pending->argument[0] : AT_FDCWD, (uintptr_t)pending->argument[path],
			at ? pending->argument[4] : 0)) {
		char **environment = environment_make((uintptr_t)pending->argument[list], variables);

		if (environment)
			registers[gate_argument[list]] = (greg_t)environment;
	} else {
		event.size = MADT_EXEC_UNTRACED;
	}
	event.address = (uint64_t)SYS0(__NR_getpid);
	region_read_text(name, (uintptr_t)pending->argument[path], sizeof name);
	event.name = session_name(name);
	ring_put(&event);
	return !event.size;
}

/*
 * exec from within the handler: the kernel's table says that the target handles MadT's signals, and its mask that it does not block them, so what
 * the target ignores or blocks would be lost. Returns what execve does, if it does.
 */
long gate_exec_here(const struct pending *pending, ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	uint64_t mask = *context_mask(context) | self.virtual_mask, before;
	long result;

	critical_enter();
	signal_bare(true);
	SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &mask, &before, KERNEL_SET);
	result = SYS5(pending->number, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
		registers[REG_R8]);
	SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &before, NULL, KERNEL_SET);
	signal_bare(false);
	critical_leave();
	return result;
}

void gate_exec_failed(void)
{
	if (self.environment)
		sys_unmap((uintptr_t)self.environment, self.environment_size);
	self.environment = NULL;
}
