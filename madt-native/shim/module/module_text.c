/*
 * Whether the text of a module in memory is what a code map or plan was made for. The launcher
 * reads the file behind a path, which may have been edited or replaced since the loader mapped it;
 * or the program has changed its own text before recording began.
 */
#include "module/module.h"

#include "region/region.h"

#include "madt_sum.h"

#include <errno.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

void module_text_note(struct module *module, const ElfW(Phdr) * header)
{
	if (header->p_type != PT_LOAD || !header->p_filesz || !madt_segment_stays(header->p_flags))
		return;
	if (module->text_count < MODULE_TEXTS)
		module->texts[module->text_count] = (struct range){ module->bias + header->p_vaddr,
			module->bias + header->p_vaddr + header->p_filesz };
	module->text_count++;
}

/*
 * Returns whether the text is there: where the file has become shorter, a page may be none: the
 * kernel says so, from Linux 5.14 on.
 */
static bool text_is_there(struct range text)
{
	uintptr_t start = PAGE_DOWN(text.start);

	return SYS3(__NR_madvise, start, PAGE_UP(text.end) - start, MADV_POPULATE_READ) != -EFAULT;
}

/* ---------------------------------------------------------------- sums that are known */

static const struct madt_attach_text *known;
static uint64_t known_count, summed;

uint64_t module_texts_known(const struct madt_attach_text *texts, uint64_t count)
{
	const uint64_t others = summed;

	known = texts;
	known_count = count;
	summed = 0;
	return others;
}

static const struct madt_attach_text *known_of(const struct module *module)
{
	for (uint64_t i = 0; module->text_count && i < known_count; i++)
		if (known[i].start == module->texts[0].start)
			return &known[i];
	return NULL;
}

/* ---------------------------------------------------------------- others */

/* Text that the program can write changes without notice, and its rights are to stay. */
static bool text_is_open(struct range text)
{
	struct region region = { .end = text.start };

	while (region.end < text.end && region_next(region.end, &region) && region.start < text.end)
		if (region.protection & PROT_WRITE)
			return true;
	return false;
}

bool module_text_is(const struct module *module, uint64_t wanted)
{
	struct madt_sum sum = madt_sum_begin(MADT_SUM_TEXT_KEY);
	const struct madt_attach_text *text = known_of(module);

	if (module->text_count > MODULE_TEXTS)
		return false;
	for (uint32_t i = 0; i < module->text_count; i++)
		if (text_is_open(module->texts[i]))
			return false;
	if (text)
		return text->sum == wanted;
	summed++;
	for (uint32_t i = 0; i < module->text_count; i++) {
		const struct range text = module->texts[i];

		if (!text_is_there(text))
			return false;
		madt_sum_number(&sum, text.end - text.start);
		madt_sum_add(&sum, (const void *)text.start, text.end - text.start);
	}
	return madt_sum_end(&sum) == wanted;
}
