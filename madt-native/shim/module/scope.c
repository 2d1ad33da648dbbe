/*
 * The scope of a module: the lists of modules in which the loader looks for what the module calls,
 * in this order. They tell which of several definitions of operator new is the caller's, where
 * libraries were loaded by dlopen into scopes of their own (RTLD_LOCAL).
 *
 * The loader keeps them behind the public part of struct link_map, at a place that depends on its
 * version (l_scope in glibc's include/link.h). It is found by what stands there: for the program, a
 * list that begins with one of all modules it was loaded with.
 */
#include "module/operators.h"

#include "region/region.h"

#include <link.h>

#define PRIVATE_BYTES 2048 /* of a link map to be searched; it has about 1,150 */
#define SCOPES_MAX 64
#define LIST_PART 64

/* struct r_scope_elem */
struct scope {
	uintptr_t list;
	uint32_t count;
};

static size_t place; /* of l_scope in a link map; 0: not found */

static bool read_word(uintptr_t *word, uintptr_t at)
{
	return region_read(word, at, sizeof *word) == sizeof *word;
}

/*
 * Returns whether a list of scopes is there whose first is a list of the first modules. The vDSO is
 * in the loader's list, but in no scope.
 */
static bool scopes_begin(uintptr_t at, const struct link_map *program)
{
	struct scope scope;
	uintptr_t first, modules[2];

	return read_word(&first, at) && region_read(&scope, first, sizeof scope) == sizeof scope
			&& scope.count >= 2
			&& region_read(modules, scope.list, sizeof modules) == sizeof modules
			&& modules[0] == (uintptr_t)program
			&& (modules[1] == (uintptr_t)program->l_next
					|| modules[1] == (uintptr_t)program->l_next->l_next);
}

void scope_set_up(const struct link_map *program)
{
	uintptr_t words[PRIVATE_BYTES / sizeof(uintptr_t)];
	size_t n = region_read(words, (uintptr_t)program, sizeof words) / sizeof *words;

	for (size_t i = sizeof *program / sizeof *words; program->l_next && !place && i < n; i++)
		if (words[i] >= MADT_PAGE && words[i] % sizeof *words == 0
				&& scopes_begin(words[i], program))
			place = i * sizeof *words;
}

/* The first of the list's modules for which `wanted` has an answer. */
static uintptr_t list_search(const struct scope *scope,
		uintptr_t (*wanted)(uintptr_t link, int argument), int argument)
{
	uintptr_t part[LIST_PART], answer = 0;

	for (uint32_t i = 0; i < scope->count && !answer; i += LIST_PART) {
		uint32_t n = scope->count - i < LIST_PART ? scope->count - i : LIST_PART;

		if (region_read(part, scope->list + i * sizeof *part, n * sizeof *part) < n * sizeof *part)
			return 0;
		for (uint32_t k = 0; k < n && !answer; k++)
			answer = wanted(part[k], argument);
	}
	return answer;
}

uintptr_t scope_search(uintptr_t link, uintptr_t (*wanted)(uintptr_t link, int argument),
		int argument)
{
	uintptr_t at, element, answer = 0;
	struct scope scope;

	if (!place || !link || !read_word(&at, link + place))
		return 0;
	for (int i = 0;
			i < SCOPES_MAX && !answer && read_word(&element, at + i * sizeof element) && element;
			i++)
		if (region_read(&scope, element, sizeof scope) == sizeof scope)
			answer = list_search(&scope, wanted, argument);
	return answer;
}
