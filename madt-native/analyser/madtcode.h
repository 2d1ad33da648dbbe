/*
 * libmadtcode.so: the code map of a module. It decodes the executable bytes of an ELF64 x86-64 file
 * into a file laid out as in madt_layout.h ("code map"), and checks such files. Plain C types only:
 * the JVM calls it through JNR-FFI.
 *
 * Every function may be called from several threads at once. A failure is a positive errno value
 * and, where there is room for it, a text that says what is wrong, in which file and at which byte.
 */
#ifndef MADTCODE_H
#define MADTCODE_H

#include <stddef.h>
#include <stdint.h>

#include "madt_payload.h"

#define MADTCODE_API __attribute__((visibility("default")))
#define MADTCODE_BUILD_ID_MAX 32 /* longer ones are cut, here and in the code map */

/*
 * Writes the code map of elf_path to out_path, which changes at once or not at all. The same input
 * gives the same bytes.
 */
MADTCODE_API int madtcode_build(const char *elf_path, const char *out_path, char *error,
		size_t error_size);

/*
 * 0 if map_path is an undamaged code map of this version; with build_id_length above 0, also of
 * that build-id.
 */
MADTCODE_API int madtcode_check(const char *map_path, const uint8_t *build_id,
		uint32_t build_id_length, char *error, size_t error_size);

/*
 * Writes the splice plan of elf_path (madt_plan.h) likewise. `variant`: where its areas lie, enum
 * madt_plan_variant; a program at fixed addresses below 1 GiB needs MADT_PLAN_ABOVE. `flags`: enum
 * madt_plan_flag. All accesses are recorded, and nothing else.
 */
MADTCODE_API int madtcode_plan(const char *elf_path, const char *out_path, unsigned variant,
		unsigned flags, char *error, size_t error_size);

/* A word of a payload. */
struct madtcode_word {
	uint8_t kind; /* enum madt_payload */
	/*
	 * MADT_PAYLOAD_VALUE: enum madt_value. MADT_PAYLOAD_ADDRESS, _MEMORY, _TEXT: the register that
	 * displacement[0] is added to, or MADT_REGISTER_RIP: that is an ELF virtual address itself;
	 * or, where something is loaded there, MADT_REGISTER_FS: that is a distance from FS.
	 * MADT_PAYLOAD_COUNTER: which one, below MADT_PROBE_COUNTERS. MADT_PAYLOAD_ANSWER: enum
	 * madt_call, which says what displacement[0] is; _CALL likewise. MADT_PAYLOAD_COUNT:
	 * displacement[0] says which one, below MADT_COUNTS_MOST. MADT_PAYLOAD_TIME: 0, or
	 * MADT_TIME_ORDERED.
	 */
	uint8_t place;
	/*
	 * MADT_PAYLOAD_MEMORY: so many; displacement[i] is added to what the one before gave.
	 * MADT_PAYLOAD_TEXT: likewise; displacement[loads] is added to the last, and there is the text
	 */
	uint8_t loads;
	/*
	 * MADT_PAYLOAD_TEXT: which one. MADT_PAYLOAD_MEMORY: bytes of the last load, 1, 2, 4 or 8, of
	 * which a word has zeros in front; 0: 8
	 */
	uint8_t piece;
	int32_t displacement[MADT_PROBE_LOADS];
};

/*
 * The same probe at all places of one kind in a range: a module, a function, a block, an address.
 */
struct madtcode_probe {
	uint32_t kind;  /* enum madt_probe_kind */
	uint32_t after; /* 1: behind the instruction, from which control goes on to the next one */
	uint32_t start; /* ELF virtual addresses, of instructions */
	uint32_t end;
	uint32_t word; /* its first one; a range has a payload of its own, or shares it */
	uint32_t words;
};

/*
 * What a plan is to be: `variant` and `flags` as above, and its probes, by kind, those in front of
 * instructions before those behind them, by address; those of one kind and side do not overlap. The
 * words of their payloads follow, see madtcode_words. Without MADT_PROBE_ACCESS no accesses are
 * recorded.
 */
struct madtcode_choice {
	uint32_t variant;
	uint32_t flags;
	uint32_t count; /* of probes */
	uint32_t words;
	struct madtcode_probe probes[];
};

static inline const struct madtcode_word *madtcode_words(const struct madtcode_choice *choice)
{
	return (const struct madtcode_word *)(choice->probes + choice->count);
}

MADTCODE_API int madtcode_plan_chosen(const char *elf_path, const char *out_path,
		const struct madtcode_choice *choice, char *error, size_t error_size);

/*
 * Gives the templates of a plan that was just made the numbers from first_template on; they count
 * from 0 before. The file is changed in place.
 */
MADTCODE_API int madtcode_plan_number(const char *plan_path, uint32_t first_template, char *error,
		size_t error_size);

/*
 * 0 if plan_path is an undamaged plan of this version; with build_id_length above 0, also of that
 * build-id.
 */
MADTCODE_API int madtcode_plan_check(const char *plan_path, const uint8_t *build_id,
		uint32_t build_id_length, char *error, size_t error_size);

/* What an instruction is, for who puts an instrument there. */
enum madtcode_role {
	MADTCODE_BEGINS_BLOCK = 1,
	MADTCODE_ENDS_BLOCK = 2,
	MADTCODE_RETURNS = 4,
	MADTCODE_GOES_ON = 8 /* control goes on behind it, and nowhere else */
};
/* Why none can stand there. */
enum madtcode_hindrance {
	MADTCODE_FREE = 0,   /* one can */
	MADTCODE_DATA = 1,   /* its bytes are read as data */
	MADTCODE_FROZEN = 2, /* it is of a restartable sequence */
	MADTCODE_LANDS = 3,  /* endbr64: the next one will do */
	MADTCODE_ODD = 4     /* it does only where it stands */
};

#define MADTCODE_PLACES_MAGIC UINT64_C(0x4543414c5054444d) /* "MDTPLACE" */
struct madtcode_places {
	uint64_t magic;
	uint32_t count;
	uint32_t reserved;
};
struct madtcode_place {
	uint32_t address;
	uint8_t length;
	uint8_t roles; /* enum madtcode_role, or several */
	uint8_t hindrance;
	uint8_t reserved;
};

/* Writes all proven instructions of elf_path to out_path: a head, and the places. */
MADTCODE_API int madtcode_places(const char *elf_path, const char *out_path, char *error,
		size_t error_size);

/* What code may use of the processor besides general registers and memory. */
enum madtcode_use {
	MADTCODE_USES_LOW = 1,    /* xmm0 to xmm15, with the instructions of SSE; MXCSR */
	MADTCODE_USES_OTHERS = 2, /* other registers, or bytes that nobody can decode */
	MADTCODE_USES_KERNEL = 4  /* it makes system calls */
};

/* Says that of all code of elf_path. */
MADTCODE_API int madtcode_uses(const char *elf_path, uint32_t *uses, char *error,
		size_t error_size);

/*
 * Writes the control-flow graphs (madt_graph.h) of those functions of elf_path that begin in a
 * range likewise: from the address in the low half of `range` on, before the one in the high half.
 * With `text`, their instructions too. Whether instruments can stand at their blocks is as in a
 * plan that records all accesses and has a probe at each end of each block.
 */
#define MADTCODE_GRAPH_ALL UINT64_C(0xffffffff00000000)
MADTCODE_API int madtcode_graph(const char *elf_path, const char *out_path, uint64_t range,
		unsigned text, char *error, size_t error_size);

/*
 * Says which file it is, by its bytes, for whoever knows the key: what a code map, a plan or its
 * symbols depend on.
 */
MADTCODE_API int madtcode_identity(const char *elf_path, uint64_t point, uint64_t join,
		uint64_t *identity, char *error, size_t error_size);

/*
 * The GNU build-id of a file: `out` has room for MADTCODE_BUILD_ID_MAX bytes. No build-id: 0, with
 * length 0.
 */
MADTCODE_API int madtcode_build_id(const char *elf_path, uint8_t *out, uint32_t *length);

/*
 * "libmadtcode 1 (code map 1, plan 1, Zydis 4.0)": what a cached code map or plan depends on
 * besides the file.
 */
MADTCODE_API const char *madtcode_version(void);

#endif
