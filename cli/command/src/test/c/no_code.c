/* In the place of libmadtcode.so: knows no module. */
#include <stdint.h>
#include <stdio.h>

int madtcode_build(const char *elf, const char *out, char *error, size_t n)
{
	(void)out;
	snprintf(error, n, "%s is not analysed in this test", elf);
	return 1;
}

int madtcode_identity(const char *elf, uint64_t point, uint64_t join, uint64_t *identity,
		char *error, size_t n)
{
	(void)point;
	(void)join;
	(void)identity;
	return madtcode_build(elf, elf, error, n);
}

int madtcode_check(const char *map, const uint8_t *id, uint32_t length, char *error, size_t n)
{
	(void)map;
	(void)id;
	(void)length;
	snprintf(error, n, "no map");
	return 1;
}

int madtcode_plan_chosen(const char *elf, const char *out, const void *choice, char *error,
		size_t n)
{
	(void)choice;
	return madtcode_build(elf, out, error, n);
}

int madtcode_plan_number(const char *plan, uint32_t first, char *error, size_t n)
{
	(void)first;
	return madtcode_build(plan, plan, error, n);
}

int madtcode_plan_check(const char *plan, const uint8_t *id, uint32_t length, char *error, size_t n)
{
	return madtcode_check(plan, id, length, error, n);
}

int madtcode_graph(const char *elf, const char *out, uint64_t range, unsigned text, char *error,
		size_t n)
{
	(void)range;
	(void)text;
	return madtcode_build(elf, out, error, n);
}

int madtcode_places(const char *elf, const char *out, char *error, size_t n)
{
	return madtcode_build(elf, out, error, n);
}

int madtcode_uses(const char *elf, uint32_t *uses, char *error, size_t n)
{
	*uses = 0;
	return madtcode_build(elf, elf, error, n);
}
