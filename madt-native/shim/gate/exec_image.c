/*
 * Whether a file that is about to be executed will load libmadt.so: a 64-bit x86 program whose
 * interpreter (ELF gABI, chapter 5) is glibc's loader, or a script whose interpreter is such a
 * program. Others must not see MadT's variables: nobody would take them out again, the 32-bit loader
 * would complain, and that of another C library ends the program when it misses glibc's symbols.
 */
#include "gate/gate.h"

#include "region/region.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPTS_MAX 5 /* interpreters of interpreters (BINPRM_MAX_RECURSION and one) */

/* What glibc's loader defines, and no other one; a name may have any path. */
static const char of_glibc[] = "GLIBC_PRIVATE";

#define LOOKED 1024 /* bytes at a time: stacks may be small */

static bool has_text(long fd, const char *text)
{
	const size_t length = text_length(text);
	char part[LOOKED];
	long n;

	for (uint64_t at = 0; (n = SYS4(__NR_pread64, fd, part, sizeof part, at)) >= (long)length;
			at += (uint64_t)n - length + 1)
		for (long i = 0; i <= n - (long)length; i++)
			if (part[i] == *text && bytes_compare(part + i, text, length) == 0)
				return true;
	return false;
}

static bool names_glibcs_loader(const char *path)
{
	long fd = SYS3(__NR_open, path, O_RDONLY | O_CLOEXEC, 0);
	bool is;

	if (sys_failed(fd))
		return true; /* the kernel looks for it, too */
	is = has_text(fd, of_glibc);
	SYS1(__NR_close, fd);
	return is;
}

static bool interpreter_loads(long fd, const Elf64_Phdr *segment)
{
	char path[LOOKED];
	size_t size = segment->p_filesz < sizeof path ? segment->p_filesz : sizeof path - 1;
	long n = SYS4(__NR_pread64, fd, path, size, segment->p_offset);

	path[n > 0 ? n : 0] = 0;
	return names_glibcs_loader(path);
}

static bool segment_find(long fd, const Elf64_Ehdr *head, uint32_t type, Elf64_Phdr *segment)
{
	for (unsigned i = 0; i < head->e_phnum; i++) {
		uint64_t at = head->e_phoff + (uint64_t)i * head->e_phentsize;

		if (SYS4(__NR_pread64, fd, segment, sizeof *segment, at) != (long)sizeof *segment)
			return false;
		if (segment->p_type == type)
			return true;
	}
	return false;
}

/* `loads`: whether what it names loads libmadt.so. */
static bool has_interpreter(long fd, const Elf64_Ehdr *head, bool *loads)
{
	Elf64_Phdr segment;
	bool has = segment_find(fd, head, PT_INTERP, &segment);

	*loads = !has || interpreter_loads(fd, &segment);
	return has;
}

/*
 * Returns whether it is glibc's loader itself, with the program among its arguments (ld.so(8)): it
 * has a name as libraries do, which no static program has.
 */
static bool is_glibcs_loader(long fd, const Elf64_Ehdr *head)
{
	Elf64_Phdr segment;
	Elf64_Dyn entry = { .d_tag = DT_NULL };
	uint64_t at = 0;

	if (!segment_find(fd, head, PT_DYNAMIC, &segment))
		return false;
	do {
		if (SYS4(__NR_pread64, fd, &entry, sizeof entry, segment.p_offset + at)
				!= (long)sizeof entry)
			return false;
		at += sizeof entry;
	} while (entry.d_tag != DT_SONAME && entry.d_tag != DT_NULL && at < segment.p_filesz);
	return entry.d_tag == DT_SONAME && has_text(fd, of_glibc);
}

/*
 * A program that runs as somebody else, or with capabilities of its own, loads nothing of ours
 * (ld.so(8), secure-execution mode). So does any, where real and effective ids differ.
 */
static bool changes_user(long fd)
{
	uid_t user = (uid_t)SYS0(__NR_getuid);
	gid_t group = (gid_t)SYS0(__NR_getgid);
	struct stat status;

	if (user != (uid_t)SYS0(__NR_geteuid) || group != (gid_t)SYS0(__NR_getegid))
		return true;
	if (user && SYS4(__NR_fgetxattr, fd, "security.capability", NULL, 0) > 0)
		return true;
	return !sys_failed(SYS2(__NR_fstat, fd, &status))
			&& (((status.st_mode & S_ISUID) && status.st_uid != user)
					|| ((status.st_mode & S_ISGID) && status.st_gid != group));
}

/* Cuts the interpreter's path out of the first line of a script; false if there is none. */
static bool script_interpreter(char *line)
{
	char *from = line + 2, *to = line;

	while (*from == ' ' || *from == '\t')
		from++;
	while (*from && *from != ' ' && *from != '\t' && *from != '\n')
		*to++ = *from++;
	*to = 0;
	return to > line;
}

static enum madt_exec file_loads(long fd, char *head, long length)
{
	const Elf64_Ehdr *elf = (const Elf64_Ehdr *)head;
	bool loads = true, interpreted;

	if (length < (long)sizeof *elf || elf->e_ident[EI_CLASS] != ELFCLASS64
			|| elf->e_machine != EM_X86_64)
		return MADT_EXEC_UNTRACED;
	interpreted = has_interpreter(fd, elf, &loads) || is_glibcs_loader(fd, elf);
	if (!loads)
		return MADT_EXEC_UNTRACED;
	return changes_user(fd) ? MADT_EXEC_SECURE : interpreted ? MADT_EXEC_TRACED : MADT_EXEC_STATIC;
}

bool exec_possible(long folder, uintptr_t path, long flags)
{
	char text[4096];

	if (!region_read_text(text, path, sizeof text) || (!text[0] && (flags & AT_EMPTY_PATH)))
		return true;
	return !sys_failed(SYS3(__NR_faccessat, folder, text, X_OK));
}

enum madt_exec exec_image(long folder, uintptr_t path, long flags)
{
	union {
		Elf64_Ehdr elf;
		char text[257];
	} head;
	enum madt_exec loads = MADT_EXEC_TRACED;

	head.text[0] = 0;
	if (!region_read_text(head.text, path, sizeof head.text - 1))
		return MADT_EXEC_TRACED;
	for (int depth = 0; depth < SCRIPTS_MAX; depth++) {
		/* execveat(2) with an empty path means the descriptor itself */
		bool own = !head.text[0] && (flags & AT_EMPTY_PATH);
		long fd = own ? folder : SYS4(__NR_openat, folder, head.text, O_RDONLY | O_CLOEXEC, 0),
			 length;

		if (sys_failed(fd))
			/* there is nothing to execute, or it may not be read: the loader decides */
			return MADT_EXEC_TRACED;
		length = SYS4(__NR_pread64, fd, head.text, sizeof head.text - 1, 0);
		head.text[length > 0 ? length : 0] = 0;
		if (length < 4 || head.text[0] != '#' || head.text[1] != '!') {
			loads = length < 4 || !text_begins(head.text, ELFMAG)
					? MADT_EXEC_TRACED
					: file_loads(fd, head.text, length);
			depth = SCRIPTS_MAX;
		} else if (!script_interpreter(head.text)) {
			depth = SCRIPTS_MAX;
		}
		if (!own)
			SYS1(__NR_close, fd);
		folder = AT_FDCWD;
		flags = 0;
	}
	return loads;
}
