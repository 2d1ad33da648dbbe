/* execve: the environment of every new image gets MadT's variables, whatever the target passes. */
#include "gate/gate_parts.h"

#include "region/region.h"
#include "session/session.h"
#include "signal/signal.h"

#include <fcntl.h>

/* NULL if there is none. */
static void *memory_make(size_t n)
{
	self.thread.environment_size = PAGE_UP(EXEC_ENVIRONMENT_SIZE(n));
	self.thread.environment = sys_pages(self.thread.environment_size);
	return self.thread.environment;
}

/* NULL if it cannot be done. */
static char **environment_make(uintptr_t list, size_t n)
{
	return memory_make(n) ? exec_environment(self.thread.environment, list, n) : NULL;
}

/* A path that means another file in madt-inject: that of the own program is told; of others, false. */
static bool path_settle(char *path, size_t size)
{
	static const char own[] = "/proc/self/exe", self_folder[] = "/proc/self/",
					  thread_folder[] = "/proc/thread-self/", descriptors[] = "/dev/fd/";
	long n;

	if (bytes_compare(path, own, sizeof own) == 0) {
		n = SYS3(__NR_readlink, own, path, size - 1);
		path[n > 0 ? n : 0] = 0;
		return n > 0;
	}
	return !text_begins(path, self_folder) && !text_begins(path, thread_folder)
			&& !text_begins(path, descriptors);
}

/*
 * Has madt-inject executed, which becomes the program: not by a descriptor, or in another folder
 * than the current one.
 */
static enum madt_exec static_prepare(const struct pending *pending, greg_t *registers)
{
	const bool at = pending->number == __NR_execveat;
	const int path = at ? 1 : 0, list = at ? 2 : 1;
	char text[EXEC_TEXTS / 4];
	size_t arguments;
	char **made;

	if (!engine.leads || !region_read_text(text, (uintptr_t)pending->argument[path], sizeof text)
			|| !text[0] || (at && pending->argument[0] != AT_FDCWD && text[0] != '/')
			|| (at && pending->argument[4]) || !path_settle(text, sizeof text))
		return MADT_EXEC_UNTRACED;
	if (!exec_session_reachable() || !exec_injector_reachable())
		return MADT_EXEC_APART;
	if (!exec_environment_count((uintptr_t)pending->argument[list], &arguments)
			|| !memory_make(arguments + 1))
		return MADT_EXEC_MEMORY;
	made = exec_arguments(self.thread.environment, text, (uintptr_t)pending->argument[list],
			arguments);
	registers[gate_argument[path]] = (greg_t)made[0];
	registers[gate_argument[list]] = (greg_t)made;
	return MADT_EXEC_TRACED;
}

/* Returns whether the new image will take part: it gets MadT's variables then. */
static enum madt_exec image_prepare(const struct pending *pending, greg_t *registers)
{
	bool at = pending->number == __NR_execveat;
	int path = at ? 1 : 0, list = at ? 3 : 2;
	enum madt_exec image = exec_image(at ? pending->argument[0] : AT_FDCWD,
			(uintptr_t)pending->argument[path], at ? pending->argument[4] : 0);
	size_t variables;
	char **environment;

	if (image == MADT_EXEC_STATIC)
		return exec_possible(at ? pending->argument[0] : AT_FDCWD,
					   (uintptr_t)pending->argument[path], at ? pending->argument[4] : 0)
				? static_prepare(pending, registers)
				: MADT_EXEC_UNTRACED;
	if (image != MADT_EXEC_TRACED)
		return image;
	if (!exec_session_reachable())
		return MADT_EXEC_APART;
	if (!exec_environment_count((uintptr_t)pending->argument[list], &variables))
		return MADT_EXEC_MEMORY;
	environment = environment_make((uintptr_t)pending->argument[list], variables);
	if (!environment)
		return MADT_EXEC_MEMORY;
	registers[gate_argument[list]] = (greg_t)environment;
	return MADT_EXEC_TRACED;
}

/* Not a child that shares the memory. */
static bool is_own_process(void)
{
	return !self.vfork_child && (uint32_t)SYS0(__NR_getpid) == session.pid;
}

bool gate_exec_prepare(struct pending *pending, greg_t *registers)
{
	bool at = pending->number == __NR_execveat;
	uintptr_t path = (uintptr_t)pending->argument[at ? 1 : 0];
	struct madt_event event = { .type = MADT_EVENT_EXEC };
	char name[256] = "";

	if (is_own_process())
		window_asks_end();
	if (!(session.page->flags & MADT_SESSION_FOLLOW) || session.gone || !session_alive())
		return false;
	event.size = image_prepare(pending, registers);
	if (event.size
			&& !exec_possible(at ? pending->argument[0] : AT_FDCWD, path,
					at ? pending->argument[4] : 0))
		return false; /* a place in PATH where it is not */
	event.address = (uint64_t)SYS0(__NR_getpid);
	region_read_text(name, path, sizeof name);
	event.name = session_name(name);
	ring_put(&event);
	return !event.size;
}

/*
 * exec from within the handler: the kernel's table says that the target handles MadT's signals, and
 * its mask that it does not block them, so what the target ignores or blocks would be lost. Returns
 * what execve does, if it does.
 */
long gate_exec_here(const struct pending *pending, ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	uint64_t mask = *context_mask(context) | self.signal.virtual_mask, before;
	long result;

	critical_enter();
	signal_bare(true);
	SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &mask, &before, KERNEL_SET);
	result = SYS5(pending->number, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
			registers[REG_R10], registers[REG_R8]);
	SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &before, NULL, KERNEL_SET);
	signal_bare(false);
	critical_leave();
	return result;
}

void gate_exec_failed(void)
{
	if (self.thread.environment)
		sys_unmap((uintptr_t)self.thread.environment, self.thread.environment_size);
	self.thread.environment = NULL;
	if (is_own_process())
		window_asks_again();
}
