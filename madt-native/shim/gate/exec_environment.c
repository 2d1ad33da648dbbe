/* The environment of a new image: what the target passes, and MadT's variables. */
#include "gate/gate.h"

#include "region/region.h"
#include "session/session.h"
#include "signal/signal.h"

#include <fcntl.h>
#include <sys/stat.h>

bool exec_environment_count(uintptr_t list, size_t *n)
{
	uintptr_t entry = list;

	for (*n = 0; entry; *n += entry != 0)
		if (region_read(&entry, list + *n * sizeof entry, sizeof entry) < sizeof entry)
			return false;
	return true;
}

#define PRELOAD "LD_PRELOAD="

struct additions {
	char *session, *signals, *passed, *preload; /* NULL: none, or put in its place */
};

static char *append(char *end, const char *text)
{
	text_copy(end, text, EXEC_TEXTS / 4);
	return end + text_length(end);
}

/*
 * The variables as texts, one behind the other; the last has room for what the target itself
 * preloads.
 */
static struct additions additions_make(char *text)
{
	struct additions add = { .session = text };
	char *end = append(append(text, "MADT_SESSION="), session.folder) + 1;

	if (!attached) {
		add.passed = end;
		end = append(end, "MADT_PASSED=1") + 1;
	} else if (signal_inheritance(append(end, "MADT_SIGNALS="))) {
		add.signals = end;
		end += text_length(end) + 1;
	}
	add.preload = end;
	append(append(append(end, PRELOAD), session.folder), "/libmadt.so");
	return add;
}

char **exec_environment(char *memory, uintptr_t list, size_t n)
{
	char old[EXEC_TEXTS / 2];
	char **entries = (char **)(memory + EXEC_TEXTS);
	struct additions add = additions_make(memory);

	for (size_t i = 0; i < n; i++) {
		region_read(&entries[i], list + i * sizeof *entries, sizeof *entries);
		if (add.preload && region_read_text(old, (uintptr_t)entries[i], sizeof old)
				&& text_begins(old, PRELOAD)) {
			char *end = append(add.preload + text_length(add.preload), ":");

			text_copy(end, old + sizeof PRELOAD - 1, sizeof old);
			entries[i] = add.preload;
			add.preload = NULL;
		}
	}
	entries[n++] = add.session;
	if (add.signals)
		entries[n++] = add.signals;
	if (add.passed)
		entries[n++] = add.passed;
	if (add.preload)
		entries[n++] = add.preload;
	entries[n] = NULL;
	return entries;
}

bool exec_session_reachable(void)
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
