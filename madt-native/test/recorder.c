/*
 * A launcher without a JVM, for the tests of the shim: runs a program under libmadt.so, answers its
 * requests with code maps from libmadtcode.so, and writes what arrives as text, one event a line,
 * in the order of the process's single thread:
 *
 *   access L|S ADDRESS CODE SIZE
 *   block Y|W|G CODE WORD…
 *   event TYPE TICKET ADDRESS SIZE OLD OLD_SIZE CALLER
 *
 * recorder SHIM OUTPUT START PROGRAM ARGUMENT…       START: main, load or marker; with :splice
 * behind it, under that engine, and plans are the answers; with :times, as if calls had times. Exit
 * status: the program's, or 128 + signal.
 *
 * MADT_TEST_PROBES=FROM:TO:WHICH, ELF virtual addresses of the program's: with those probes of
 * recorder_probes.h there. They are lines, too, with all words but the stack pointer; and with what
 * a text is:
 *
 *   probe KIND CODE PAYLOAD…
 *   text CODE END BYTES
 */
#define _GNU_SOURCE
#include "madt_templates.h"
#include "../analyser/madtcode.h"
#include "recorder_probes.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/dev/shm/madt-test-XXXXXX";
static struct madt_session *session;
static struct madt_control *control;
static struct madt_buffer *buffers[MADT_BUFFERS_MAX];
static FILE *out;
static const char *program;

static struct {
	uint64_t bias;
	const struct madt_codemap *map;
	const struct madt_plan *plan; /* engine splice */
	uint32_t first_template;
	uint32_t templates;
} * modules; /* each library that is loaded, each time */
static unsigned module_count;
static uint32_t next_template = MADT_TEMPLATE_FIRST_MODULE;
static uint32_t eaten[MADT_BUFFERS_MAX][MADT_FIRST_BUFFER_CHUNKS];

static void *map_part(uint64_t from, size_t size)
{
	char path[256];
	int fd;
	void *p;

	snprintf(path, sizeof path, "%s/session", folder);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)MADT_AREA(1)))
		err(125, "%s", path);
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)from);
	if (p == MAP_FAILED)
		err(125, "%s", path);
	close(fd);
	return p;
}

static struct madt_buffer *map_buffer(unsigned b)
{
	return map_part(MADT_AREA(0) + MADT_BUFFERS_AT + b * MADT_BUFFER_BYTES,
			MADT_BUFFER_SIZE(MADT_FIRST_BUFFER_CHUNKS));
}

/* As long as this process lives, no launcher takes the session for one that was left behind. */
static void session_lock(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof path, "%s/session", folder);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB))
		err(125, "cannot lock %s", path);
}

/* As the launcher does: the kernel marks the word when this process ends. */
static void session_hold(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t *mutex = (pthread_mutex_t *)session->launcher;

	static_assert(sizeof *mutex == sizeof session->launcher, "pthread_mutex_t");
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	if (pthread_mutex_init(mutex, &attributes) || pthread_mutex_lock(mutex))
		errx(125, "cannot hold the session");
}

static void session_make(const char *shim, const char *start)
{
	char link[256];

	if (!mkdtemp(folder))
		err(125, "%s", folder);
	snprintf(link, sizeof link, "%s/libmadt.so", folder);
	if (symlink(shim, link))
		err(125, "%s", link);
	session = map_part(0, MADT_PAGE);
	session_lock();
	control = map_part(MADT_AREA(0), MADT_CONTROL_SIZE);
	buffers[0] = map_buffer(0);
	session->magic = MADT_SESSION_MAGIC;
	session->version = MADT_LAYOUT_VERSION;
	session->launcher_pid = (uint32_t)getpid();
	session_hold();
	session->engine = strstr(start, ":splice") ? MADT_ENGINE_SPLICE : MADT_ENGINE_TRAP;
	session->flags = strstr(start, ":times") ? MADT_SESSION_TIMES | MADT_SESSION_EVERY : 0;
	session->scope = MADT_SCOPE_HEAP | MADT_SCOPE_MAPPED;
	session->start = !strncmp(start, "main", 4) ? MADT_START_MAIN
			: !strncmp(start, "load", 4)        ? MADT_START_LOAD
												: MADT_START_MARKER;
	control->magic = MADT_CONTROL_MAGIC;
	control->version = MADT_LAYOUT_VERSION;
	control->ring_free = MADT_RING_SLOTS;
	control->names_used = 1;
	control->buffers = 1;
	buffers[0]->magic = MADT_BUFFER_MAGIC;
	buffers[0]->version = MADT_LAYOUT_VERSION;
	buffers[0]->chunks = MADT_FIRST_BUFFER_CHUNKS;
	buffers[0]->chunk_words = MADT_CHUNK_WORDS;
}

static void module_add(const char *path, bool splice)
{
	int fd = open(path, O_RDONLY);
	off_t size = lseek(fd, 0, SEEK_END);
	const void *file = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);

	close(fd);
	modules = realloc(modules, (module_count + 1) * sizeof *modules);
	if (!modules)
		err(125, "modules");
	memset(&modules[module_count], 0, sizeof *modules);
	modules[module_count].bias = control->request.load_bias;
	modules[module_count].first_template = next_template;
	if (splice)
		modules[module_count].plan = file;
	else
		modules[module_count].map = file;
	modules[module_count].templates = splice ? modules[module_count].plan->templates.count
											 : modules[module_count].map->entries;
	strcpy(control->request.map_path, path);
	control->request.map_length = (uint64_t)size;
	control->request.first_template = next_template;
	next_template += modules[module_count++].templates;
}

static int plan_make(const char *path, uint32_t variant, const char *to, char error[512])
{
	struct {
		struct madtcode_choice choice;
		struct madtcode_probe probes[PROBES_MAX];
		struct madtcode_word words[WORDS_MAX];
	} all = { .choice = { .variant = variant, .words = WORDS_MAX } };
	const char *range = getenv("MADT_TEST_PROBES");
	uint32_t start, end, which = 0, count = 0;
	char name[16];

	if (!range || strcmp(path, program) != 0
			|| sscanf(range, "%x:%x:%15s", &start, &end, name) != 3)
		return madtcode_plan(path, to, variant, 0, error, 512);
	while (strcmp(probes[which].name, name) != 0)
		if (++which == sizeof probes / sizeof *probes)
			errx(125, "no probes %s", name);
	for (; count < PROBES_MAX && probes[which].probes[count].kind; count++) {
		const bool all_there = probes[which].probes[count].kind == MADT_PROBE_ACCESS;

		all.probes[count] = probes[which].probes[count];
		all.probes[count].start = all_there ? 0 : start;
		all.probes[count].end = all_there ? UINT32_MAX : end;
	}
	all.choice.count = count;
	/* they follow the probes that there are */
	memcpy((char *)all.probes + count * sizeof *all.probes, probes[which].words, sizeof all.words);
	return madtcode_plan_chosen(path, to, &all.choice, error, 512);
}

static void answer_request(void)
{
	struct madt_request *request = &control->request;
	bool splice = session->engine == MADT_ENGINE_SPLICE;
	char error[512] = "", path[64];

	if (__atomic_load_n(&request->state, __ATOMIC_ACQUIRE) != MADT_REQUEST_ASKED)
		return;
	snprintf(path, sizeof path, "%s/map%u", folder, module_count);
	/* template numbers are the same in all processes here */
	if (request->variant == MADT_REQUEST_INHERIT)
		request->status = 0;
	else
		request->status = (uint32_t)(splice
						? plan_make(request->path, request->variant, path, error)
						: madtcode_build(request->path, path, error, sizeof error));
	/* every second plan has its numbers in the file, the others get them in the target */
	if (request->status == 0 && splice && module_count % 2
			&& request->variant != MADT_REQUEST_INHERIT)
		request->status = (uint32_t)madtcode_plan_number(path, next_template, error, sizeof error);
	if (request->status == 0 && request->variant != MADT_REQUEST_INHERIT)
		module_add(path, splice);
	__atomic_store_n(&request->state, MADT_REQUEST_ANSWERED, __ATOMIC_RELEASE);
	syscall(SYS_futex, &request->state, FUTEX_WAKE, 1);
}

static void print_event(const struct madt_event *e)
{
	fprintf(out, "event %u %lu %#lx %lu %#lx %#lx %#lx %s\n", e->type, e->ticket, e->address,
			e->size, e->old, e->old_size, e->callers ? e->caller[0] : 0,
			(char *)control + MADT_NAMES_OFFSET + e->name);
}

/* Prints ring events with tickets below `epoch`. */
static void drain_ring(uint64_t epoch)
{
	struct madt_event *ring = (struct madt_event *)((char *)control + MADT_RING_OFFSET);

	while (control->ring_read < epoch) {
		struct madt_event *e = &ring[control->ring_read % MADT_RING_SLOTS];

		if (__atomic_load_n(&e->marker, __ATOMIC_ACQUIRE) != MADT_READY)
			return;
		print_event(e);
		__atomic_store_n(&e->marker, MADT_FREE, __ATOMIC_RELEASE);
		control->ring_read++;
		__atomic_fetch_add(&control->ring_free, 1, __ATOMIC_ACQ_REL);
	}
	__atomic_fetch_add(&control->ring_signal, 1, __ATOMIC_ACQ_REL);
	syscall(SYS_futex, &control->ring_signal, FUTEX_WAKE, 1 << 30);
}

static uint32_t print_builtin(uint32_t number, const uint64_t *word)
{
	static const char *const names[] = { "", "block Y", "block W", "block G", "access L",
		"access S" };
	static const uint32_t counts[] = { 0, 4, 3, 3, 2, 2 };

	if (number > 3)
		fprintf(out, "%s %#lx %#lx 0", names[number], word[1], word[0]);
	else
		fprintf(out, "%s", names[number]);
	for (uint32_t i = 0; number <= 3 && i < counts[number]; i++)
		fprintf(out, " %#lx", word[i]);
	fputc('\n', out);
	return counts[number];
}

static void print_access(unsigned access, uint64_t address, uint64_t code, unsigned size)
{
	if (address != MADT_WORD_NONE && access & MADT_LOAD)
		fprintf(out, "access L %#lx %#lx %u\n", address, code, size);
	if (address != MADT_WORD_NONE && access & MADT_STORE)
		fprintf(out, "access S %#lx %#lx %u\n", address, code, size);
}

static uint32_t print_entry(unsigned m, uint32_t number, const uint64_t *word)
{
	const struct madt_codemap *map = modules[m].map;
	const struct madt_code_entry *entry = (const void *)((const char *)map + map->header_size);
	const struct madt_code_operand *operand = (const void *)(entry + map->entries);
	uint32_t n = 0;

	entry += number;
	operand += entry->first_operand;
	for (unsigned i = 0; i < entry->operands; i++)
		for (unsigned k = 0; k < operand[i].elements; k++)
			print_access(operand[i].access, word[n++], modules[m].bias + entry->offset,
					operand[i].size);
	return entry->words;
}

/* Prints a text whose address and pieces are the payload. */
static void print_text(uint64_t code, const uint64_t *payload, uint32_t pieces)
{
	char text[MADT_TEXT_PIECES * MADT_TEXT_PIECE];
	enum madt_text_end end;
	uint32_t size = madt_text_read(*payload, payload + 1, pieces, text, &end);

	fprintf(out, "text %#lx %u %.*s\n", code, end, (int)size, text);
}

/* All words but the stack pointer. */
static void print_probe(const struct madt_plan_templates *templates, uint64_t code,
		const uint64_t *word)
{
	fprintf(out, "probe %u %#lx", templates->word->access, code);
	for (uint32_t i = 1; i < templates->now.words; i++)
		fprintf(out, " %#lx", word[i]);
	fputc('\n', out);
	if (templates->now.words > 2 && templates->word[2].access == MADT_PAYLOAD_TEXT)
		print_text(code, word + 1, templates->now.words - 2);
}

static uint32_t print_planned(unsigned m, uint32_t number, const uint64_t *stored)
{
	const struct madt_plan *plan = modules[m].plan;
	struct madt_plan_templates templates = {
		.bytes = (const uint8_t *)plan + plan->templates.offset,
		.index = (const void *)((const char *)plan + plan->words.offset),
		.count = plan->templates.count,
	};
	const struct madt_plan_word *site = templates.word;
	uint64_t word[MADT_PLAN_TEMPLATE_WORDS];

	madt_plan_templates_find(&templates, number);
	madt_plan_record_restore(&templates.now, site, stored, word);
	if (!madt_is_access(site->access)) {
		print_probe(&templates, modules[m].bias + site->address, word);
		return templates.now.stored;
	}
	for (uint32_t i = 0; i < templates.now.words; i++)
		print_access(site[i].access, word[i], modules[m].bias + site[i].address, site[i].size);
	return templates.now.stored;
}

static uint32_t print_record(uint32_t number, const uint64_t *word)
{
	if (number < MADT_TEMPLATE_FIRST_MODULE)
		return print_builtin(number, word);
	for (unsigned m = 0; m < module_count; m++)
		if (number - modules[m].first_template < modules[m].templates)
			return modules[m].plan ? print_planned(m, number - modules[m].first_template, word)
								   : print_entry(m, number - modules[m].first_template, word);
	errx(125, "template %u is unknown", number);
}

/*
 * Prints what stands in a chunk; gives it back where it was READY. `state` is what the caller saw:
 * a BUSY one may become READY at any time, and its turn by its ticket is still to come then.
 */
static void drain_chunk(unsigned b, unsigned i, uint32_t state)
{
	uint64_t *words = (uint64_t *)((char *)buffers[b] + MADT_PAGE + (size_t)i * MADT_CHUNK_STRIDE);
	struct madt_chunk *head = (struct madt_chunk *)words;
	uint32_t at = eaten[b][i] ? eaten[b][i] : MADT_CHUNK_HEADER_WORDS;

	if (__atomic_load_n(&head->filled, __ATOMIC_ACQUIRE) != MADT_CHUNK_LIVE)
		return;
	while (at < MADT_CHUNK_WORDS) {
		uint64_t header = __atomic_load_n(&words[at], __ATOMIC_ACQUIRE);

		if (header == MADT_WORD_NONE)
			break;
		drain_ring((uint32_t)header);
		at += 1 + print_record((uint32_t)(header >> 32) & 0x7fffffff, words + at + 1);
	}
	eaten[b][i] = at;
	if (state != MADT_READY)
		return;
	memset(words + MADT_CHUNK_HEADER_WORDS, 0xff, MADT_CHUNK_BYTES - sizeof *head);
	eaten[b][i] = 0;
	head->filled = MADT_CHUNK_CLEAN;
	__atomic_store_n(&buffers[b]->chunk[i].state, MADT_FREE, __ATOMIC_RELEASE);
	__atomic_fetch_add(&control->chunk_signal, 1, __ATOMIC_ACQ_REL);
	syscall(SYS_futex, &control->chunk_signal, FUTEX_WAKE, 1 << 30);
}

/* READY chunks in the order of their tickets, then the BUSY one: right for a single thread. */
static void drain(bool ended)
{
	static uint64_t ticket;
	bool more = true;
	uint32_t count = __atomic_load_n(&control->buffers, __ATOMIC_ACQUIRE);

	answer_request();
	while (more) {
		more = false;
		for (unsigned b = 0; b < count; b++) {
			if (!buffers[b])
				buffers[b] = map_buffer(b);
			for (unsigned i = 0; i < buffers[b]->chunks; i++)
				if (__atomic_load_n(&buffers[b]->chunk[i].state, __ATOMIC_ACQUIRE) == MADT_READY
						&& buffers[b]->chunk[i].ticket == ticket) {
					drain_chunk(b, i, MADT_READY);
					ticket++;
					more = true;
				}
		}
	}
	if (!ended && session->engine == MADT_ENGINE_SPLICE) {
		if (__atomic_load_n(&control->ring_free, __ATOMIC_ACQUIRE) < MADT_RING_SLOTS / 4)
			drain_ring(UINT64_MAX); /* of threads that sit on their chunks */
		return;                     /* the words of a record follow its header */
	}
	for (unsigned b = 0; b < count; b++)
		for (unsigned i = 0; i < buffers[b]->chunks; i++)
			if (__atomic_load_n(&buffers[b]->chunk[i].state, __ATOMIC_ACQUIRE) == MADT_BUSY
					&& (ended
							|| __atomic_load_n(&control->chunk_ticket, __ATOMIC_ACQUIRE) == ticket))
				drain_chunk(b, i, MADT_BUSY); /* nothing stands before it */
}

int main(int argc, char **argv)
{
	char preload[300], place[300], command[320];
	pid_t pid, done;
	int status;

	if (argc < 5)
		errx(125, "usage: recorder SHIM OUTPUT main|load|marker PROGRAM ARGUMENT...");
	out = fopen(argv[2], "w");
	if (!out)
		err(125, "%s", argv[2]);
	program = argv[4];
	session_make(argv[1], argv[3]);
	snprintf(preload, sizeof preload, "%s/libmadt.so", folder);
	snprintf(place, sizeof place, "%s", folder);
	personality(ADDR_NO_RANDOMIZE);
	pid = fork();
	if (pid == 0) {
		setenv("MADT_SESSION", place, 1);
		setenv("LD_PRELOAD", preload, 1);
		execvp(argv[4], argv + 4);
		_exit(127);
	}
	while ((done = waitpid(pid, &status, WNOHANG)) == 0) {
		drain(false);
		usleep(100);
	}
	drain(true);
	drain_ring(UINT64_MAX);
	fprintf(out, "end faults %lu unknown %lu gated %lu opened %lu missed %lu\n", control->faults,
			control->unknown_sites, control->calls_gated, control->calls_opened, control->missed);
	fclose(out);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (system(command))
		warnx("cannot remove %s", folder);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
