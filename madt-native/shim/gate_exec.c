/* execve: the environment of every new image gets MadT's variables, whatever the target passes. */
#include "gate.h"

#include <fcntl.h>

static size_t environment_count(uintptr_t list)
{
	size_t n = 0;
	uintptr_t entry;

	while (list && region_read(&entry, list + n * sizeof entry, sizeof entry) == sizeof entry && entry)
		n++;
	return n;
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

/* Entries other than LD_PRELOAD stay where they are. */
static char **environment_make(uintptr_t list)
{
	size_t n = environment_count(list), size = PAGE_UP(TEXTS + (n + 4) * sizeof(char *));
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

void gate_exec_prepare(struct pending *pending, greg_t *registers)
{
	bool at = pending->number == __NR_execveat;
	int path = at ? 1 : 0, list = at ? 3 : 2;
	struct madt_event event = {.type = MADT_EVENT_EXEC};
	char name[256] = "";

	if (!(session.page->flags & MADT_SESSION_FOLLOW) || session.gone || !session_alive())
		return;
	if (exec_image_loads(at ? pending->argument[0] : AT_FDCWD, (uintptr_t)pending->argument[path],
			at ? pending->argument[4] : 0)) {
		char **environment = environment_make((uintptr_t)pending->argument[list]);

		if (environment)
			registers[gate_argument[list]] = (greg_t)environment;
	} else {
		event.size = MADT_EXEC_UNTRACED;
	}
	event.address = (uint64_t)SYS0(__NR_getpid);
	region_read_text(name, (uintptr_t)pending->argument[path], sizeof name);
	event.name = session_name(name);
	ring_put(&event);
}

void gate_exec_failed(void)
{
	if (self.environment)
		SYS2(__NR_munmap, self.environment, self.environment_size);
	self.environment = NULL;
}
