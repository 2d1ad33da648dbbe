/* The environment of a new image: what the target passes, and MadT's variables. */
#include "gate/gate.h"

#include "region/region.h"
#include "session/session.h"
#include "signal/signal.h"

#include <fcntl.h>
#include <sys/stat.h>

#define COUNTED 64 /* at a time */

bool exec_environment_count(uintptr_t list, size_t *n)
{
	uintptr_t entries[COUNTED];
	size_t got;

	*n = 0;
	if (!list)
		return true; /* as good as an empty one: execve(2) */
	for (;; *n += COUNTED) {
		got = region_read(entries, list + *n * sizeof *entries, sizeof entries) / sizeof *entries;
		for (size_t i = 0; i < got; i++)
			if (!entries[i]) {
				*n += i;
				return true;
			}
		if (got < COUNTED)
			return false;
	}
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

/* A page of the texts, most of which lie one behind the other. */
struct seen {
	uintptr_t start;
	size_t size;
	char text[MADT_PAGE];
};

static bool begins_preload(struct seen *seen, uintptr_t at)
{
	size_t length = sizeof PRELOAD - 1;

	if (at < seen->start || at - seen->start + length > seen->size) {
		seen->start = at;
		seen->size = region_read(seen->text, at, sizeof seen->text);
	}
	return at - seen->start + length <= seen->size
			&& bytes_compare(seen->text + (at - seen->start), PRELOAD, length) == 0;
}

char **exec_environment(char *memory, uintptr_t list, size_t n)
{
	char old[EXEC_TEXTS / 2];
	char **entries = (char **)(memory + EXEC_TEXTS);
	struct additions add = additions_make(memory);
	struct seen seen;

	seen.start = seen.size = 0;
	region_read(entries, list, n * sizeof *entries);
	for (size_t i = 0; i < n; i++) {
		if (add.preload && begins_preload(&seen, (uintptr_t)entries[i])
				&& region_read_text(old, (uintptr_t)entries[i], sizeof old)) {
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

#define EVERYBODY (S_IROTH | S_IWOTH)

/* The file can be opened, and not by a capability alone. */
static bool opens(const char *name, int how, mode_t everybody)
{
	char path[256];
	struct stat status;
	long fd, user = SYS0(__NR_geteuid);
	bool may;

	text_copy(path, session.folder, sizeof path - 16);
	text_copy(path + text_length(path), name, 16);
	fd = SYS3(__NR_open, path, how | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return false;
	may = !sys_failed(SYS2(__NR_fstat, fd, &status))
			&& (user == 0 || status.st_uid == (uid_t)user
					|| (status.st_mode & everybody) == everybody);
	SYS1(__NR_close, fd);
	return may;
}

bool exec_injector_reachable(void)
{
	return opens("/madt-inject", O_RDONLY, S_IROTH);
}

/*
 * madt-inject run LIBRARY FOLDER PATH and the arguments: it becomes the program, with the library in
 * it.
 */
char **exec_arguments(char *memory, const char *path, uintptr_t list, size_t n)
{
	static const char *const names[] = { "/madt-inject", "/libmadt.so", "" };
	char **entries = (char **)(memory + EXEC_TEXTS), **next = entries, *end = memory;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		*next++ = end;
		end = append(append(end, session.folder), names[i]) + 1;
		if (i == 0)
			*next++ = "run";
	}
	*next++ = end;
	text_copy(end, path, EXEC_TEXTS / 2);
	region_read(next, list, n * sizeof *next);
	next[n] = NULL;
	return entries;
}

bool exec_session_reachable(void)
{
	return opens("/session", O_RDWR, EVERYBODY) && opens("/libmadt.so", O_RDONLY, S_IROTH);
}
