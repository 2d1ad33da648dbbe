/* What the launcher is asked about a module, and its answer: a code map or a plan. */
#include "module/module.h"

#include "session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

/* of 100 ms: a module whose map does not come in two minutes runs without one */
#define PLAN_LIMIT_WAITS 1200

/* Waits for the answer. True if it is there, with what was asked for. */
static bool request_answered(struct madt_request *request)
{
	request->status = ETIMEDOUT;
	STORE_RELEASE(&request->state, MADT_REQUEST_ASKED);
	for (int i = 0; i < PLAN_LIMIT_WAITS && LOAD_ACQUIRE(&request->state) == MADT_REQUEST_ASKED;
			i++)
		if (!session_wait(&request->state, MADT_REQUEST_ASKED))
			break;
	return LOAD_ACQUIRE(&request->state) == MADT_REQUEST_ANSWERED && request->status == 0;
}

/* The launcher's files may be out of reach: for the user that this process has become, its root. */
long module_file(struct madt_request *request)
{
	long fd = SYS3(__NR_open, request->map_path, O_RDONLY | O_CLOEXEC, 0);
	uint32_t variant = request->variant;

	if (!sys_failed(fd))
		return fd;
	request->variant = MADT_REQUEST_COPY;
	if (request_answered(request))
		fd = session_copy_file(MADT_ANSWER_AT, request->map_length);
	request->variant = variant;
	return fd;
}

static const struct madt_codemap *map_open(struct madt_request *request)
{
	const struct madt_codemap *map;
	long fd = module_file(request), at;

	if (sys_failed(fd))
		return NULL;
	at = sys_map(request->map_length, PROT_READ, MAP_PRIVATE, fd);
	SYS1(__NR_close, fd);
	if (sys_failed(at))
		return NULL;
	map = (const struct madt_codemap *)at;
	if (map->magic == MADT_CODEMAP_MAGIC && map->version == MADT_CODEMAP_VERSION
			&& map->file_size == request->map_length)
		return map;
	sys_unmap((uintptr_t)at, request->map_length);
	return NULL;
}

bool module_take_map(struct module *module, struct madt_request *request)
{
	const struct madt_codemap *map = map_open(request);

	if (!map)
		return true;
	if (!module_text_is(module, map->text_sum)) {
		sys_unmap((uintptr_t)map, map->file_size);
		return false;
	}
	module->map = map;
	module->entry = (const struct madt_code_entry *)((const char *)map + map->header_size);
	module->operand = (const struct madt_code_operand *)(module->entry + map->entries);
	module->first_template = request->first_template;
	return true;
}

/* ---------------------------------------------------------------- prepared answers */

static const struct madt_prepared *prepared;
static uint64_t unprepared; /* modules that were asked for all the same */

void module_prepared_begin(void)
{
	prepared = session_shared(MADT_PREPARED_AT, MADT_PREPARED_BYTES);
}

uint64_t module_prepared_end(void)
{
	if (prepared)
		sys_unmap((uintptr_t)prepared, MADT_PREPARED_BYTES);
	prepared = NULL;
	return unprepared;
}

/*
 * Modules are told apart by where they lie: their files may have several names. The variant is the
 * one that fits.
 */
static const struct madt_request *prepared_for(const struct madt_request *request)
{
	const uint64_t room = (MADT_PREPARED_BYTES - sizeof *prepared) / sizeof *request;

	for (uint64_t i = 0; prepared && i < prepared->count && i < room; i++)
		if (prepared->request[i].load_bias == request->load_bias
				&& (!request->variant || prepared->request[i].variant == request->variant))
			return &prepared->request[i];
	return NULL;
}

static bool request_known(struct madt_request *request)
{
	const struct madt_request *answer = prepared_for(request);

	if (!answer) {
		unprepared += prepared ? 1 : 0;
		return false;
	}
	request->status = answer->status;
	request->first_template = answer->first_template;
	request->untraced = answer->untraced;
	request->map_length = answer->map_length;
	request->hooks = answer->hooks;
	text_copy(request->map_path, answer->map_path, sizeof request->map_path);
	STORE_RELEASE(&request->state, MADT_REQUEST_ANSWERED);
	return true;
}

/* Asks the launcher and waits. True if it answered, with what was asked for. */
bool module_answered(const struct module *module, struct madt_request *request)
{
	request->load_bias = module->bias;
	request->start = module->start;
	request->end = module->end;
	request->untraced = request->points = 0;
	text_copy(request->path, module->path, sizeof request->path);
	return request_known(request) ? !request->status : request_answered(request);
}

/* Returns whether the launcher knows what the child of a fork has from its parent. */
bool module_numbers_kept(const struct module *program)
{
	struct madt_request *request = &session.control->request;
	bool kept;

	request->variant = MADT_REQUEST_INHERIT;
	kept = module_answered(program, request);
	STORE_RELEASE(&request->state, MADT_REQUEST_IDLE);
	return kept;
}
