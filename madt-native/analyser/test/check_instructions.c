/* Compares the code map of instructions.S with what stands beside each of its instructions. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_file.h"

struct case_ {
	const uint8_t *code;
	const char *expected;
};

struct text {
	char bytes[600];
	size_t length;
};

static const char *const general_names[17] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi",
	"rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip" };

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	text->length += (size_t)vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length,
			format, arguments);
	va_end(arguments);
}

static void print_address(struct text *text, const struct madt_code_operand *operand, uint64_t next)
{
	static const char *const segments[] = { "", "fs:", "gs:" };
	int64_t displacement = operand->displacement
			- (operand->base == MADT_REGISTER_RIP ? (int64_t)next : 0);
	add(text, "[%s", segments[operand->segment]);
	if (operand->base != MADT_REGISTER_NONE)
		add(text, "%s", general_names[operand->base]);
	if (operand->index != MADT_REGISTER_NONE) {
		add(text, "%s", operand->base == MADT_REGISTER_NONE ? "" : "+");
		if (operand->shape == MADT_SHAPE_VECTOR)
			add(text, "v%u*%u", operand->index, operand->scale);
		else
			add(text, "%s*%u", general_names[operand->index], operand->scale);
	}
	if (displacement)
		add(text, "%+lld", (long long)displacement);
	add(text, "]");
}

static void print_mask(struct text *text, const struct madt_code_operand *operand)
{
	if (operand->shape == MADT_SHAPE_VECTOR)
		add(text, " i%u", operand->index_size);
	if (operand->shape == MADT_SHAPE_BIT)
		add(text, " bit=%s", general_names[operand->mask & 15]);
	else if (operand->mask < 8)
		add(text, " mask=k%u", operand->mask);
	else if (operand->mask != MADT_REGISTER_NONE)
		add(text, " mask=v%u/%u", operand->mask - MADT_MASK_VECTOR, operand->mask_size);
}

static void print_operand(struct text *text, const struct madt_code_operand *operand, uint64_t next)
{
	static const char *const shapes[] = { "", "bit ", "xlat ", "vector ", "masked ",
		"compressed " };
	bool several = operand->shape == MADT_SHAPE_MASKED || operand->elements != 1;
	add(text, "%c%u", " LSM"[operand->access], operand -> size);
	if (several)
		add(text, "*%u", operand->elements);
	add(text, " %s", shapes[operand->shape]);
	print_address(text, operand, next);
	print_mask(text, operand);
	add(text, "%s%s%s", operand->flags & MADT_OPERAND_IMPLICIT ? " implicit" : "",
			operand->flags & MADT_OPERAND_STACK ? " stack" : "",
			operand->flags & MADT_OPERAND_ADDRESS32 ? " a32" : "");
}

/* "flags operand; operand", and the target of a direct call by its symbol. */
static void print_entry(struct text *text, const struct map_file *map,
		const struct madt_code_entry *entry, const uint8_t *base)
{
	static const struct {
		unsigned flag;
		const char *name;
	} flags[] = { { MADT_CODE_GAP, "gap " }, { MADT_CODE_CALL, "call " },
		{ MADT_CODE_CALL_DIRECT, "direct " }, { MADT_CODE_REP, "rep " },
		{ MADT_CODE_PUSHF, "pushf " }, { MADT_CODE_POPF, "popf " } };
	Dl_info symbol;
	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
		if (entry->flags & flags[i].flag)
			add(text, "%s", flags[i].name);
	if (entry->flags & MADT_CODE_CALL_DIRECT && dladdr(base + entry->target, &symbol)
			&& symbol.dli_saddr == base + entry->target)
		add(text, "%s ", symbol.dli_sname);
	for (unsigned i = 0; i < entry->operands; i++) {
		add(text, "%s", i ? "; " : "");
		print_operand(text, &map->operands[entry->first_operand + i],
				entry->offset + entry->length);
	}
}

/* The order of the words in an expectation's tail ("implicit stack") is free. */
static void words_sort(const char *text, char *out)
{
	char *words[80];
	char copy[600];
	unsigned count = 0;
	snprintf(copy, sizeof copy, "%s", text);
	for (char *rest = copy, *word; (word = strtok_r(rest, " ", &rest)) != NULL && count < 80;)
		words[count++] = word;
	for (unsigned i = 0; i + 1 < count;
			i++) /* "stack implicit;" and the like: the semicolon stays behind */
		if (strcmp(words[i], "stack") == 0 && strncmp(words[i + 1], "implicit", 8) == 0) {
			words[i] = "implicit";
			words[i + 1] = strchr(words[i + 1], ';') ? "stack;" : "stack";
		}
	*out = 0;
	for (unsigned i = 0; i < count; i++)
		sprintf(out + strlen(out), "%s%s", i ? " " : "", words[i]);
}

static bool case_holds(const struct case_ *item, const struct map_file *map, const uint8_t *base)
{
	struct text got = { .length = 0 };
	char expected[700];
	uint64_t offset = (uint64_t)(item->code - base);
	const struct madt_code_entry *entry = map_file_entry(map, offset);
	if (entry)
		print_entry(&got, map, entry, base);
	else
		add(&got, "-");
	words_sort(item->expected, expected);
	if (strcmp(got.bytes, expected) == 0)
		return true;
	fprintf(stderr, "instructions.S: offset 0x%llx\n  expected %s\n  got      %s\n",
			(unsigned long long)offset, expected, got.bytes);
	return false;
}

int main(int count, char **arguments)
{
	if (count != 3)
		return 2;
	struct map_file map = map_file_make(arguments[1], arguments[2]);
	void *library = dlopen(arguments[1], RTLD_NOW);
	const struct case_ *first = library ? dlsym(library, "madt_cases") : NULL;
	const struct case_ *end = library ? dlsym(library, "madt_cases_end") : NULL;
	Dl_info place;
	if (!first || !end || first == end || !dladdr(first, &place)) {
		fprintf(stderr, "%s: no cases: %s\n", arguments[1], dlerror());
		return 1;
	}
	unsigned failed = 0;
	for (const struct case_ *item = first; item < end; item++)
		failed += !case_holds(item, &map, place.dli_fbase);
	printf("check_instructions: %td instructions, %u differ\n", end - first, failed);
	free(map.header);
	return failed != 0;
}
