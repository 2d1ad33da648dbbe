/*
 * Programs that the session does not record (madt run --only-program). Such a program runs as it
 * is, and says so in the session's list. It keeps that file mapped, with a lock on it that ends
 * with the last process that has the mapping: so the launcher knows whether any is left. Of its
 * code only libc's functions that execute programs are replaced, so that what it executes is asked
 * in its turn.
 */
#include "start/start.h"

#include "base/state.h"
#include "gate/gate.h"
#include "module/symbols.h"
#include "session/session.h"
#include "text/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>

/* ---------------------------------------------------------------- which programs */

/* `*` stands for any text, `?` for one character. */
static bool pattern_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *rest = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			rest = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++rest;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool path_matches(const char *pattern, const char *path)
{
	const char *name = path;

	for (const char *p = path; *p; p++)
		if (*p == '/')
			name = p + 1;
	return pattern_matches(pattern, name) || pattern_matches(pattern, path);
}

static void file_executed(char *path, size_t size)
{
	long n = SYS3(__NR_readlink, "/proc/thread-self/exe", path, size - 1);

	path[n > 0 ? n : 0] = 0;
}

bool program_chosen(void)
{
	const char *pattern = session.page->programs, *executed = (const char *)getauxval(AT_EXECFN);
	bool chosen = !*pattern;
	char file[1024];

	file_executed(file, sizeof file);
	for (uint64_t bit = 1; *pattern; pattern += text_length(pattern) + 1, bit <<= 1)
		if (path_matches(pattern, file) || (executed && path_matches(pattern, executed))) {
			__atomic_fetch_or(&session.page->matched, bit, __ATOMIC_RELAXED);
			chosen = true;
		}
	return chosen;
}

/* ---------------------------------------------------------------- the list */

static char *number_and_blank(char *to, long number)
{
	char *end = text_number(to, (uint64_t)number);

	*end = ' ';
	return end + 1;
}

static void list_join(void)
{
	char path[256], line[1100],
			*end = number_and_blank(number_and_blank(line, SYS0(__NR_getpid)), SYS0(__NR_getppid));
	long fd;

	file_executed(end, 1024);
	text_copy(path, session.folder, sizeof path - sizeof "/passed");
	text_copy(path + text_length(path), "/passed", sizeof "/passed");
	fd = SYS3(__NR_open, path, O_RDWR | O_APPEND | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return;
	SYS2(__NR_flock, fd, LOCK_SH | LOCK_NB);
	sys_map(MADT_PAGE, PROT_NONE, MAP_SHARED, fd);
	SYS3(__NR_write, fd, line, (size_t)(end - line) + text_length(end) + 1);
	SYS1(__NR_close, fd);
}

/* ---------------------------------------------------------------- what it executes */

struct execution {
	long number, folder;
	const char *path;
	char *const *arguments, *const *environment;
	long flags;
};

static long execute_with(const struct execution *call, char *const *environment)
{
	if (call->number == __NR_execve)
		return SYS3(__NR_execve, call->path, call->arguments, environment);
	return SYS5(__NR_execveat, call->folder, call->path, call->arguments, environment, call->flags);
}

#define VARIABLES_ON_STACK 512 /* that of a child of posix_spawn has some 30 KiB */

/* In memory of the stack: in a child of vfork other memory would stay behind in the parent. */
static long execute_followed(const struct execution *call, size_t variables)
{
	size_t size = EXEC_ENVIRONMENT_SIZE(variables);
	bool few = variables <= VARIABLES_ON_STACK;
	char *memory = few ? __builtin_alloca(size) : sys_pages(size);
	long result;

	if (!memory)
		return execute_with(call, call->environment);
	__atomic_fetch_add(&session.page->executing, 1, __ATOMIC_ACQ_REL);
	result = execute_with(call, exec_environment(memory, (uintptr_t)call->environment, variables));
	__atomic_fetch_sub(&session.page->executing, 1, __ATOMIC_ACQ_REL);
	if (!few)
		sys_unmap((uintptr_t)memory, size);
	return result;
}

static int execute(const struct execution *call)
{
	size_t variables;
	bool followed = session_alive() && exec_session_reachable()
			&& exec_environment_count((uintptr_t)call->environment, &variables)
			&& exec_image(call->folder, (uintptr_t)call->path, call->flags) == MADT_EXEC_TRACED;

	errno = (int)-(followed ? execute_followed(call, variables)
							: execute_with(call, call->environment));
	return -1;
}

static int pass_execve(const char *path, char *const *arguments, char *const *environment)
{
	return execute(&(struct execution){ __NR_execve, AT_FDCWD, path, arguments, environment, 0 });
}

static int pass_execveat(int folder, const char *path, char *const *arguments,
		char *const *environment, int flags)
{
	return execute(&(struct execution){
			__NR_execveat, folder, path, arguments, environment, flags });
}

static int pass_fexecve(int fd, char *const *arguments, char *const *environment)
{
	if (fd < 0 || !arguments || !environment) {
		errno = EINVAL;
		return -1;
	}
	return execute(&(struct execution){
			__NR_execveat, fd, "", arguments, environment, AT_EMPTY_PATH });
}

struct jump {
	uint8_t code[6]; /* jmp *0(%rip) */
	void *to;
} __attribute__((packed));

/*
 * Leads a function to where the other ones of libc go, too. Nothing runs yet but this constructor.
 */
static bool function_replace(struct link_map *libc, const char *name, void *by)
{
	struct jump jump = { { 0xff, 0x25 }, by };
	uintptr_t at = function_of(libc, name);

	return !at || text_write((struct range){ at, at + sizeof jump }, &jump);
}

/* By a function that nobody interposes: dlopen would run constructors whose turn is later. */
static struct link_map *libc_find(void)
{
	struct link_map *map = NULL;
	Dl_info info;
	void *known = dlsym(RTLD_NEXT, "gnu_get_libc_version");

	return known && dladdr1(known, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : NULL;
}

static bool functions_replace(void)
{
	struct link_map *libc = libc_find();

	return libc && function_replace(libc, "execve", pass_execve)
			&& function_replace(libc, "execveat", pass_execveat)
			&& function_replace(libc, "fexecve", pass_fexecve);
}

void program_pass(void)
{
	list_join();
	if ((session.page->flags & MADT_SESSION_FOLLOW) && !functions_replace()) {
		session.page->last_errno = EACCES;
		__atomic_fetch_add(&session.page->failures, 1, __ATOMIC_ACQ_REL);
	}
	__atomic_fetch_add(&session.page->passed, 1, __ATOMIC_ACQ_REL);
	session_ring();
}
