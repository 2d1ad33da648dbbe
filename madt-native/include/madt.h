/*
 * For programs that run under MadT: markers and triggers. Without MadT they do nothing.
 *
 * `madt run --start marker` records only between MadT_start() and MadT_stop(). Windows may repeat,
 * are process-wide and do not nest.
 *
 * MADT_EVENT(NAME, values...) names a place of the source, and up to six values there: integers,
 * pointers, floating-point numbers and texts. `madt events PROG` lists them, and
 * `madt run --at event:NAME log PROG` tells of each time that control comes there. It is a jump of
 * two bytes over room for one that leads to MadT (Feather-Trace, section III); a value that is not
 * a constant is put into a register, what texts are in is written, and nothing else is done.
 *
 * Only this header is needed, nothing to link. (Before glibc 2.34 dlsym lives in libdl: link with
 * -ldl there.) C99 or newer (GNU C89 too), C++98 or newer, PIE or not, gcc or clang.
 *
 * The functions are looked up at first use: weak references are silently 0 in -no-pie programs, and
 * weak definitions would win over the preloaded ones. What is found is kept in thread-local
 * storage, which is not traced, and both functions are looked up at once, so that MadT_stop()
 * itself adds no access to the window that it closes. Everything is inlined into the caller, whose
 * name the marker events carry; no symbol of these names is defined in the program.
 */
#ifndef MADT_H
#define MADT_H

#include <dlfcn.h>
#include <stddef.h>

#define MADT_INLINE static __inline__ __attribute__((always_inline, unused))

struct madt_markers {
	void (*start)(void);
	void (*stop)(void);
	int known;
};

static __thread struct madt_markers madt_markers __attribute__((unused));

/*
 * The handle is RTLD_DEFAULT, which <dlfcn.h> names only with _GNU_SOURCE; the union spares a cast
 * that ISO C forbids.
 */
MADT_INLINE void madt_markers_find(void)
{
	union {
		void *object;
		void (*function)(void);
	} found;

	found.object = dlsym(NULL, "MadT_stop");
	madt_markers.stop = found.function;
	found.object = dlsym(NULL, "MadT_start");
	madt_markers.start = found.function;
	if (found.object == NULL)
		(void)dlerror(); /* a failed look-up leaves a message behind */
	madt_markers.known = 1;
}

/* The empty asm keeps the call from becoming a jump, which would hide the caller. */
MADT_INLINE void MadT_start(void)
{
	if (!madt_markers.known)
		madt_markers_find();
	if (madt_markers.start)
		madt_markers.start();
	__asm__ volatile("" : : : "memory");
}

MADT_INLINE void MadT_stop(void)
{
	if (!madt_markers.known)
		madt_markers_find();
	if (madt_markers.stop)
		madt_markers.stop();
	__asm__ volatile("" : : : "memory");
}

/* The spelling of the MadT paper. */
MADT_INLINE void MadT__start(void)
{
	MadT_start();
}

MADT_INLINE void MadT__stop(void)
{
	MadT_stop();
}

/* ---------------------------------------------------------------- triggers */

/* How the bits of a value are meant: what a note says of it behind its size. */
enum madt_value_form {
	MADT_VALUE_UNSIGNED = 0,
	MADT_VALUE_SIGNED = 1,
	MADT_VALUE_FLOAT = 2,
	MADT_VALUE_TEXT = 3, /* the address of a text that a NUL ends */
	MADT_VALUE_POINTER = 4
};

#ifdef __cplusplus

/* Never defined: the size of what one returns, less 1, is the form of a value. */
template <int Form> struct madt_form {
	char bytes[Form + 1];
};
template <typename T> madt_form<MADT_VALUE_UNSIGNED> madt_form_of(T);
template <typename T> madt_form<MADT_VALUE_POINTER> madt_form_of(T *);
madt_form<MADT_VALUE_TEXT> madt_form_of(const char *);
madt_form<MADT_VALUE_TEXT> madt_form_of(char *);
madt_form<MADT_VALUE_FLOAT> madt_form_of(float);
madt_form<MADT_VALUE_FLOAT> madt_form_of(double);
madt_form<((char)-1 < 0) ? MADT_VALUE_SIGNED : MADT_VALUE_UNSIGNED> madt_form_of(char);
madt_form<MADT_VALUE_SIGNED> madt_form_of(signed char);
madt_form<MADT_VALUE_SIGNED> madt_form_of(short);
madt_form<MADT_VALUE_SIGNED> madt_form_of(int);
madt_form<MADT_VALUE_SIGNED> madt_form_of(long);
__extension__ madt_form<MADT_VALUE_SIGNED> madt_form_of(long long);
template <typename T> T madt_taken(T);

template <typename T>
static __inline__ __attribute__((always_inline, unused)) unsigned long madt_bits_of(T value)
{
	typedef char values_have_up_to_8_bytes[sizeof(T) <= 8 ? 1 : -1] __attribute__((unused));
	unsigned long bits = 0;
	__builtin_memcpy(&bits, &value, sizeof value);
	return bits;
}

#define MADT_FORM(value) (sizeof(madt_form_of(value)) - 1)
#define MADT_SIZE(value) sizeof(madt_taken(value))
#define MADT_BITS(value) madt_bits_of(value)

#else

/* As it is passed on: arrays are addresses, and small integers have become int. */
#define MADT_TAKEN(value) __typeof__(0 ? (value) : (value))
#define MADT_FORM(value) \
	__extension__ _Generic((MADT_TAKEN(value))0, \
			float: MADT_VALUE_FLOAT,                   \
			double: MADT_VALUE_FLOAT,                  \
			char *: MADT_VALUE_TEXT,                   \
			const char *: MADT_VALUE_TEXT,             \
			int: MADT_VALUE_SIGNED,                    \
			long: MADT_VALUE_SIGNED,                   \
			long long: MADT_VALUE_SIGNED,              \
			unsigned: MADT_VALUE_UNSIGNED,             \
			unsigned long: MADT_VALUE_UNSIGNED,        \
			unsigned long long: MADT_VALUE_UNSIGNED,   \
			default: MADT_VALUE_POINTER)
#define MADT_SIZE(value) sizeof(MADT_TAKEN(value))
#define MADT_BITS(value)                                              \
	__extension__({                                                   \
		MADT_TAKEN(value) madt_value = (value);                       \
		unsigned long madt_bits = 0;                                  \
		__builtin_memcpy(&madt_bits, &madt_value, sizeof madt_value); \
		madt_bits;                                                    \
	})

#endif

/*
 * The jump, the room behind it, and a note of owner "madt", type 1: the jump's address, two words
 * of 0, "", the name, and of each value SIZE:FORM@PLACE in the assembler's spelling. Notes take no
 * memory of the program. A section that is dropped takes its notes along ("?").
 */
#define MADT_TRIGGER(name, places, ...)                                 \
	__asm__ volatile("990:\t.byte 0xeb, 992f - 991f\n"                  \
					 "991:\t.byte 0x0f, 0x1f, 0x80, 0, 0, 0, 0\n"       \
					 "992:\t.pushsection .note.madt, \"?\", \"note\"\n" \
					 "\t.balign 4\n"                                    \
					 "\t.4byte 994f - 993f, 996f - 995f, 1\n"           \
					 "993:\t.asciz \"madt\"\n"                          \
					 "994:\t.balign 4\n"                                \
					 "995:\t.8byte 990b, 0, 0\n"                        \
					 "\t.asciz \"\"\n"                                  \
					 "\t.asciz \"" #name "\"\n"                         \
					 "\t.asciz \"" places "\"\n"                        \
					 "996:\t.balign 4\n"                                \
					 "\t.popsection"                                    \
					 :                                                  \
					 : __VA_ARGS__                                      \
					 : "memory")

#define MADT_PLACE(n) "%c[size" #n "]:%c[form" #n "]@%[bits" #n "]"
#define MADT_OPERANDS(n, value)                                        \
	[bits##n] "nr"(MADT_BITS(value)), [size##n] "n"(MADT_SIZE(value)), \
			[form##n] "n"(MADT_FORM(value))

#define MADT_EVENT_0(name) MADT_TRIGGER(name, "", )
#define MADT_EVENT_1(name, a) MADT_TRIGGER(name, MADT_PLACE(1), MADT_OPERANDS(1, a))
#define MADT_EVENT_2(name, a, b) \
	MADT_TRIGGER(name, MADT_PLACE(1) " " MADT_PLACE(2), MADT_OPERANDS(1, a), MADT_OPERANDS(2, b))
#define MADT_EVENT_3(name, a, b, c)                                                            \
	MADT_TRIGGER(name, MADT_PLACE(1) " " MADT_PLACE(2) " " MADT_PLACE(3), MADT_OPERANDS(1, a), \
			MADT_OPERANDS(2, b), MADT_OPERANDS(3, c))
#define MADT_EVENT_4(name, a, b, c, d)                                                      \
	MADT_TRIGGER(name, MADT_PLACE(1) " " MADT_PLACE(2) " " MADT_PLACE(3) " " MADT_PLACE(4), \
			MADT_OPERANDS(1, a), MADT_OPERANDS(2, b), MADT_OPERANDS(3, c), MADT_OPERANDS(4, d))
#define MADT_EVENT_5(name, a, b, c, d, e)                                                          \
	MADT_TRIGGER(name,                                                                             \
			MADT_PLACE(1) " " MADT_PLACE(2) " " MADT_PLACE(3) " " MADT_PLACE(4) " " MADT_PLACE(5), \
			MADT_OPERANDS(1, a), MADT_OPERANDS(2, b), MADT_OPERANDS(3, c), MADT_OPERANDS(4, d),    \
			MADT_OPERANDS(5, e))
#define MADT_EVENT_6(name, a, b, c, d, e, f)                                                    \
	MADT_TRIGGER(name,                                                                          \
			MADT_PLACE(1) " " MADT_PLACE(2) " " MADT_PLACE(3) " " MADT_PLACE(4) " " MADT_PLACE( \
					5) " " MADT_PLACE(6),                                                       \
			MADT_OPERANDS(1, a), MADT_OPERANDS(2, b), MADT_OPERANDS(3, c), MADT_OPERANDS(4, d), \
			MADT_OPERANDS(5, e), MADT_OPERANDS(6, f))

#define MADT_EVENT_OF(name, a, b, c, d, e, f, macro, ...) macro
#define MADT_EVENT(...)                                                                \
	MADT_EVENT_OF(__VA_ARGS__, MADT_EVENT_6, MADT_EVENT_5, MADT_EVENT_4, MADT_EVENT_3, \
			MADT_EVENT_2, MADT_EVENT_1, MADT_EVENT_0, )                                \
	(__VA_ARGS__)

#endif
