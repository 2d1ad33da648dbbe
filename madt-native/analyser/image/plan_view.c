/* A plan's file in memory: what all of its checks need. */
#include "image/plan_view.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

int view_damaged(const struct view *view, const char *table, uint32_t index, size_t offset)
{
	return failure_set(view->failure, EINVAL, "damaged: %s %" PRIu32 " at byte %zu", table, index,
			offset);
}

int view_read(const struct view *view, void *to, uint64_t size, uint64_t offset)
{
	uint8_t *at = to;
	while (size) {
		ssize_t got = pread(view->descriptor, at, size, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return failure_set(view->failure, got ? errno : EIO, "cannot read byte %" PRIu64 ": %s",
					offset, got ? strerror(errno) : "the file shrank");
		at += got;
		offset += (uint64_t)got;
		size -= (uint64_t)got;
	}
	return 0;
}

bool view_index_is_good(const struct view *view, uint32_t offset, uint32_t rows)
{
	const struct madt_plan_block *index = view_at(view, offset);
	const uint32_t last = madt_plan_blocks(rows) - 1;
	bool good = index[0].before <= offset - view->header->tables && index[last].before < 8;
	for (uint32_t i = 0; i < last; i++)
		good &= index[i].before >= index[i + 1].before;
	return good;
}

/* Places are those of areas alone, which lie one behind the other. */
bool view_place_is_good(const struct view *view, uint32_t place, uint32_t bytes)
{
	const struct madt_plan_area *areas = TABLE(view, areas, madt_plan_area);
	const uint32_t count = view->header->areas.count;
	const uint32_t end = count ? areas[count - 1].offset + areas[count - 1].size : 0;
	return count && place >= areas[0].offset && place <= end && bytes <= end - place;
}

bool view_address_is_good(const struct view *view, uint32_t address)
{
	return address >= view->header->module_start && address < view->header->module_end;
}

bool view_address_is_in_area(const struct view *view, int64_t address)
{
	const struct madt_plan_area *areas = TABLE(view, areas, madt_plan_area);
	for (uint32_t i = 0; i < view->header->areas.count; i++)
		if (address >= areas[i].address && address < areas[i].address + areas[i].size)
			return true;
	return false;
}
