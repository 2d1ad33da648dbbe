/* Checks a code map file before anything relies on it: the shim follows its indices without looking. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32c.h"
#include "failure.h"
#include "madt_layout.h"
#include "madtcode.h"

static int head_check(const struct madt_codemap *head, uint64_t size, struct failure *failure)
{
	if (size < sizeof *head)
		return failure_set(failure, EINVAL, "cut off: %" PRIu64 " bytes", size);
	if (head->magic != MADT_CODEMAP_MAGIC)
		return failure_set(failure, EINVAL, "no code map: wrong magic at byte 0");
	if (head->version != MADT_CODEMAP_VERSION)
		return failure_set(failure, EINVAL, "version %u of the code map is not known", head->version);
	if (head->header_size != sizeof *head || head->file_size != size ||
			size - sizeof *head != head->entries * (uint64_t)sizeof(struct madt_code_entry) +
				head->operands * (uint64_t)sizeof(struct madt_code_operand))
		return failure_set(failure, EINVAL, "damaged: sizes at byte 12 do not add up to %" PRIu64, size);
	if (head->build_id_length > sizeof head->build_id)
		return failure_set(failure, EINVAL, "damaged: build-id of %u bytes at byte 64", head->build_id_length);
	return 0;
}

static int entry_check(const struct madt_code_entry *entry, const struct madt_code_operand *operands, uint32_t count)
{
	unsigned words = 0;

	if (entry->first_operand > count || entry->operands > count - entry->first_operand)
		return EINVAL;
	for (unsigned i = 0; i < entry->operands; i++) {
		const struct madt_code_operand *operand = &operands[entry->first_operand + i];

		if (operand->elements < 1 || operand->elements > 64 || operand->access < MADT_LOAD ||
				operand->access > MADT_MODIFY || operand->shape > MADT_SHAPE_COMPRESSED)
			return EINVAL;
		words += operand->elements;
	}
	return words == entry->words ? 0 : EINVAL;
}

static int body_check(const struct madt_codemap *head, struct failure *failure)
{
	const struct madt_code_entry *entries = (const void *)(head + 1);
	const struct madt_code_operand *operands = (const void *)(entries + head->entries);

	if (crc32c_add(0, entries, head->file_size - sizeof *head) != head->checksum)
		return failure_set(failure, EINVAL, "damaged: the checksum at byte 60 does not fit");
	for (uint32_t i = 0; i < head->entries; i++)
		if (entry_check(&entries[i], operands, head->operands) || (i && entries[i - 1].offset >= entries[i].offset))
			return failure_set(failure, EINVAL, "damaged: entry %u at byte %zu", i,
				sizeof *head + i * sizeof *entries);
	return 0;
}

static void *file_read(const char *path, uint64_t *size, struct failure *failure, int *code)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *data = NULL;
	uint64_t done = 0;

	if (descriptor < 0 || fstat(descriptor, &status)) {
		*code = failure_set(failure, errno, "%s", strerror(errno));
	} else if (!S_ISREG(status.st_mode)) {
		*code = failure_set(failure, EINVAL, "not a regular file");
	} else {
		data = calloc((size_t)status.st_size + sizeof(struct madt_codemap), 1);
		*code = data ? 0 : failure_set(failure, ENOMEM, "no memory for %jd bytes", (intmax_t)status.st_size);
		for (ssize_t n = 1; data && n > 0 && done < (uint64_t)status.st_size; done += (uint64_t)n)
			if ((n = read(descriptor, data + done, (size_t)status.st_size - done)) < 0)
				n = 0;
	}
	*size = done;
	if (descriptor >= 0)
		close(descriptor);
	return data;
}

int madtcode_check(const char *map_path, const uint8_t *build_id, uint32_t build_id_length, char *error, size_t error_size)
{
	struct failure failure = { map_path, error, error_size };
	int code = 0;
	uint64_t size;
	struct madt_codemap *head = file_read(map_path, &size, &failure, &code);

	if (!head)
		return code;
	code = head_check(head, size, &failure);
	if (!code)
		code = body_check(head, &failure);
	if (!code && build_id_length > MADTCODE_BUILD_ID_MAX)
		build_id_length = MADTCODE_BUILD_ID_MAX;
	if (!code && build_id_length &&
			(head->build_id_length != build_id_length || memcmp(head->build_id, build_id, build_id_length)))
		code = failure_set(&failure, EINVAL, "the code map of another file: its build-id differs");
	free(head);
	return code;
}
