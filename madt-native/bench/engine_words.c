/*
 * Strings: the words of a text of 256 KiB are counted in a table, by strlen, strcmp and loops over
 * characters. A repetition: the text once.
 */
#include <string.h>

#include "measured.h"

#define TEXT 262144
#define TABLE 4096
#define WORD 16

struct entry {
	char word[WORD];
	uint64_t count;
};

static char text[TEXT + 1];
static struct entry table[TABLE];
static char word[WORD]; /* the one at hand */

/* Words of three to ten letters, of which about a thousand are different. */
void prepare(void)
{
	uint64_t state = 88172645463325252;
	size_t at = 0;

	while (at + WORD < TEXT) {
		uint64_t kind = 1 + random_next(&state) % 1000;

		for (uint64_t rest = 3 + kind % 8; rest; rest--) {
			text[at++] = (char)('a' + kind % 26);
			kind = kind * 31 + 7;
		}
		text[at++] = ' ';
	}
}

static uint32_t word_hash(void)
{
	uint32_t hash = 5381;

	for (const char *p = word; *p; p++)
		hash = hash * 33 + (unsigned char)*p;
	return hash;
}

static void word_count(void)
{
	uint32_t at = word_hash() % TABLE;

	while (table[at].count && strcmp(table[at].word, word))
		at = (at + 1) % TABLE;
	if (!table[at].count)
		strcpy(table[at].word, word);
	table[at].count += strlen(word);
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long n = 0; n < repetitions; n++) {
		const char *p = text;

		while (*p) {
			size_t length = 0;

			while (*p && *p != ' ' && length < WORD - 1)
				word[length++] = *p++;
			word[length] = 0;
			word_count();
			while (*p == ' ')
				p++;
		}
	}
	for (int i = 0; i < TABLE; i++)
		sum = sum * 31 + table[i].count;
	return sum;
}
