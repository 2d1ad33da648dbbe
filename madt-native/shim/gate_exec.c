/* execve: the environment of every new image gets MadT's variables, whatever the target passes. */
#include "gate.h"

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

void gate_exec_prepare(struct pending *pending, greg_t *registers)
{
	int argument = pending->number == __NR_execveat ? 3 : 2;
	char path[256] = "";
	struct madt_event event = {.type = MADT_EVENT_EXEC};
	char **environment;

	if (!(session.page->flags & MADT_SESSION_FOLLOW) || session.gone || !session_alive())
		return;
	environment = environment_make((uintptr_t)pending->argument[argument]);
	if (environment)
		registers[gate_argument[argument]] = (greg_t)environment;
	region_read_text(path, (uintptr_t)pending->argument[argument - 2], sizeof path);
	event.name = session_name(path);
	ring_put(&event);
}

void gate_exec_failed(void)
{
	if (self.environment)
		SYS2(__NR_munmap, self.environment, self.environment_size);
	self.environment = NULL;
}
