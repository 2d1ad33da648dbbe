/*
 * The template numbers of a plan are its own for good, so that every process maps its code as it
 * stands in the file. How many a plan needs is known when it is made; which are free, whoever keeps
 * plans knows.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/failure.h"
#include "madt_rows.h"
#include "madtcode.h"

static void templates_number(uint8_t *bytes, uint32_t first_template)
{
	struct madt_plan *plan = (struct madt_plan *)bytes;
	struct madt_plan_rows places = madt_plan_rows_from((const void *)(bytes
															   + plan->relocations.offset),
			plan->relocations.count, 0);
	uint32_t difference = first_template - plan->first_template;
	while (madt_plan_rows_next(&places)) {
		uint32_t value;
		memcpy(&value, bytes + places.row.key, sizeof value);
		value += difference;
		memcpy(bytes + places.row.key, &value, sizeof value);
	}
	plan->first_template = first_template;
	plan->checksum = crc32c_add(0, bytes + sizeof *plan, plan->file_size - sizeof *plan);
}

static int file_number(int descriptor, uint32_t first_template, struct failure *failure)
{
	struct stat status;
	struct madt_plan *plan;
	if (fstat(descriptor, &status) != 0 || (size_t)status.st_size < sizeof *plan)
		return failure_set(failure, EINVAL, "not a splice plan");
	plan = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (plan == MAP_FAILED)
		return failure_set(failure, errno, "cannot map: %s", strerror(errno));
	int code = 0;
	if (plan->magic != MADT_PLAN_MAGIC || plan->file_size != (uint64_t)status.st_size)
		code = failure_set(failure, EINVAL, "not a splice plan");
	else if (plan->templates.count > MADT_TEMPLATE_RESERVED
			|| first_template > MADT_TEMPLATE_RESERVED - plan->templates.count)
		code = failure_set(failure, ERANGE, "no template numbers from %u on", first_template);
	else
		templates_number((uint8_t *)plan, first_template);
	munmap(plan, (size_t)status.st_size);
	return code;
}

int madtcode_plan_number(const char *plan_path, uint32_t first_template, char *error,
		size_t error_size)
{
	struct failure failure = { plan_path, error, error_size };
	int descriptor = open(plan_path, O_RDWR | O_CLOEXEC);
	if (descriptor < 0)
		return failure_set(&failure, errno, "cannot open: %s", strerror(errno));
	int code = file_number(descriptor, first_template, &failure);
	close(descriptor);
	return code;
}
