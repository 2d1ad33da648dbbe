#include "probe/plan.h"

#include <errno.h>
#include <stdlib.h>

#include "madtcode.h"

/* The pages that the module takes up when it is loaded. */
static int module_measure(struct plan *plan, const struct elf_file *file)
{
	uint64_t start = UINT64_MAX;
	uint64_t end = 0;
	for (uint32_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		if (segment->p_type != PT_LOAD || !segment->p_memsz)
			continue;
		uint64_t last = segment->p_vaddr + segment->p_memsz;
		start = segment->p_vaddr < start ? segment->p_vaddr : start;
		end = last > end ? last : end;
	}
	if (start >= end || end >= MADT_PLAN_ADDRESSES || end - start > PLAN_SPAN_MAX)
		return failure_set(file->failure, EFBIG,
				"a module from address 0x%llx to 0x%llx: a plan needs one of at most %u "
				"MiB, below 2 GiB",
				(unsigned long long)start, (unsigned long long)end, PLAN_SPAN_MAX >> 20);
	plan->module_start = (uint32_t)(start / MADT_PAGE * MADT_PAGE);
	plan->module_end = (uint32_t)((end + MADT_PAGE - 1) / MADT_PAGE * MADT_PAGE);
	return 0;
}

/*
 * Code that the loader changes cannot be copied from the file. No compiler has made it for years;
 * hand-written parts may.
 */
static int relocations_check(const struct elf_file *file)
{
	int code = 0;
	for (uint32_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		if (segment->p_type != PT_DYNAMIC)
			continue;
		Elf64_Dyn *entries = elf_file_read(file, segment->p_offset, segment->p_filesz,
				"dynamic section", &code);
		if (!entries)
			return code;
		for (uint64_t k = 0; k < segment->p_filesz / sizeof *entries && entries[k].d_tag != DT_NULL;
				k++)
			if (entries[k].d_tag == DT_TEXTREL
					|| (entries[k].d_tag == DT_FLAGS && entries[k].d_un.d_val & DF_TEXTREL))
				code = failure_set(file->failure, ENOTSUP,
						"its code is relocated when it is loaded (DT_TEXTREL): "
						"build it with -fPIC to have it spliced");
		free(entries);
		if (code)
			return code;
	}
	return 0;
}

static int64_t epoch_find(const struct plan *plan)
{
	int64_t shifts[PLAN_AREAS_MAX];
	plan_area_shifts(plan, shifts);
	return plan->module_start + shifts[0] + (int64_t)MADT_PLAN_EPOCH;
}

/* Finds the functions that stacks begin with. False: no memory. */
static bool outermost_find(struct plan *plan)
{
	const struct functions *functions = &plan->text.functions;
	size_t capacity = 0;
	uint32_t end = 0;
	for (size_t i = 0; i < functions->count; i++) {
		const struct madt_code_function *function = &functions->items[i];
		if (!(function->kinds & MADT_FUNCTION_OUTERMOST) || function->start < end)
			continue;
		if (!array_reserve(&plan->outermost, &capacity, plan->outermost_count,
					sizeof *plan->outermost))
			return false;
		plan->outermost[plan->outermost_count++] = (struct madt_plan_range){ function->start,
			function->end };
		end = function->end;
	}
	return true;
}

static int plan_make(struct plan *plan, const struct elf_file *file)
{
	int code = module_measure(plan, file);
	if (!code)
		code = relocations_check(file);
	if (!code)
		code = plan_text_read(&plan->text, file, plan->options.stack, plan->options.tls);
	if (code)
		return code;
	if (!outermost_find(plan))
		return failure_set(file->failure, ENOMEM, "no memory for its plan");
	plan->epoch = epoch_find(plan);
	plan_reach_find(plan);
	code = plan_hooks_find(plan, file);
	if (code)
		return code;
	plan_cache_end_find(plan);
	plan_sites_find(plan);
	code = plan->options.hooks ? 0 : plan_probes_find(plan, file);
	if (code)
		return code == ENOMEM ? failure_set(file->failure, ENOMEM, "no memory for its plan") : code;
	plan_overlaps_find(plan);
	if (!plan_triggers_find(plan) || !plan_live(plan) || !plan_patches_choose(plan)
			|| !plan_springboards_choose(plan) || !plan_trampolines_emit(plan))
		return failure_set(file->failure, ENOMEM, "no memory for its plan");
	return plan_place(plan);
}

static int plan_file(const char *elf_path, const char *out_path, struct plan_options options,
		struct failure *failure)
{
	struct plan plan = { .options = options };
	struct build_id id;
	struct elf_file file;
	int code = elf_file_open(&file, elf_path, failure);
	if (!code)
		code = build_id_read(&file, &id);
	if (!code)
		code = plan_make(&plan, &file);
	if (code == EFBIG) { /* a small module with many sites */
		plan_free(&plan);
		plan = (struct plan){ .options = plan.options };
		plan.options.compact = true;
		code = plan_make(&plan, &file);
	}
	if (!code)
		code = plan_write(&plan, &file, &id, out_path);
	elf_file_close(&file);
	plan_free(&plan);
	return code;
}

int madtcode_plan_chosen(const char *elf_path, const char *out_path,
		const struct madtcode_choice *choice, char *error, size_t error_size)
{
	struct failure failure = { elf_path, error, error_size };
	const struct plan_options options = {
		.choice = choice,
		.stack = choice->flags & MADT_PLAN_STACK,
		.hooks = choice->flags & MADT_PLAN_HOOKS,
		.tls = choice->flags & MADT_PLAN_TLS,
		.allocator = choice->flags & MADT_PLAN_ALLOCATOR,
		.kept = choice->flags & MADT_PLAN_KEPT,
		.awaited = choice->flags & MADT_PLAN_AWAITED,
	};
	const int code = choice_check(choice, &failure);
	return code ? code : plan_file(elf_path, out_path, options, &failure);
}

int madtcode_plan(const char *elf_path, const char *out_path, unsigned variant, unsigned flags,
		char *error, size_t error_size)
{
	struct {
		struct madtcode_choice choice;
		struct madtcode_probe accesses;
	} all = { { variant, flags, 1, 0 }, { .kind = MADT_PROBE_ACCESS, .end = UINT32_MAX } };
	return madtcode_plan_chosen(elf_path, out_path, &all.choice, error, error_size);
}
