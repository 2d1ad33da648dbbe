package dev.madt.testprogs.oracle;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes out what Valgrind shows and MadT does not record, by design. Every rule takes accesses out
 * of Lackey's sequence, by what Valgrind itself says of them, before the comparison. But for
 * {@link Rule#CLONE} none takes anything out of MadT's: an access that MadT makes itself, or
 * records twice, remains whatever the rules say. Where Valgrind splits or reorders the accesses of
 * an instruction, see {@link ValgrindRules}.
 */
final class AllCodeRules {
    /** A rule, with its reason. */
    enum Rule {
        /**
         * The loader relocates, binds and finds symbols; how much it does depends on the number of
         * modules, which libmadt.so raises by one.
         */
        LOADER_CODE("code of the loader"),
        /** The loader's variables, likewise. Its lists of modules on the heap are recorded. */
        LOADER_DATA("data of the loader"),
        /**
         * libc's allocator walks its lists at a thread's end, where no interposed function runs:
         * docs/FORMAT.md.
         */
        ALLOCATOR("allocator at the end of threads"),
        /**
         * bt, bts, btr, btc of two registers, which Valgrind carries out in memory below the stack.
         */
        BITS_IN_REGISTERS("bits of registers"),
        /**
         * Valgrind has no clone3, so that libc calls clone instead. The one rule that takes out
         * MadT's accesses too: those of the three functions.
         */
        CLONE("clone or clone3"),
        /**
         * Takes out what the oracle itself adds: oracle/frames.c and Valgrind's preloaded object.
         */
        VALGRIND("code of Valgrind's run");

        private final String text;

        Rule(String text) {
            this.text = text;
        }
    }

    /** Bytes of the longest instruction. */
    private static final int LONGEST = 15;

    static final int SEGMENT_FS = 0x64;
    private static final Set<Integer> LEGACY_PREFIXES =
            Set.of(0x26, 0x2e, 0x36, 0x3e, SEGMENT_FS, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3);
    /** Behind 0f: bt, bts, btr, btc with the number in a register. */
    private static final Set<Integer> BIT_OPCODES = Set.of(0xa3, 0xab, 0xb3, 0xbb);

    /** Says how glibc's resolvers of indirect functions are named. */
    private static final String INDIRECT = "_ifunc";

    private static final Set<String> CLONES = Set.of(
            "libc.so.6 __GI___clone_internal", "libc.so.6 __clone3", "libc.so.6 __GI___clone");

    private static final Set<String> ALLOCATOR = Set.of(
            "libc.so.6 __malloc_arena_thread_freeres",
            "libc.so.6 __free",
            "libc.so.6 _int_free",
            "libc.so.6 malloc_consolidate",
            "libc.so.6 unlink_chunk.constprop.0",
            "libc.so.6 systrim.constprop.0");

    private final Map<Rule, Long> excused = new EnumMap<>(Rule.class);
    private final Map<ModulePlace, Optional<Rule>> byInstruction = new HashMap<>();

    /**
     * Returns whether a rule takes an access of Lackey's out. {@code target} is null outside of
     * modules.
     */
    boolean excuses(
            ValgrindModules modules, ModulePlace code, ValgrindModules.Image target, int accesses) {
        Rule rule = rule(modules, code, target);
        if (rule != null) {
            excused.merge(rule, (long) accesses, Long::sum);
        }
        return rule != null;
    }

    /**
     * Returns whether MadT's accesses by this instruction are taken out: {@link Rule#CLONE} alone.
     */
    static boolean takesOut(ValgrindModules modules, ModulePlace code) {
        return CLONES.contains(modules.functionAt(code));
    }

    /**
     * Leaves open where on the stack the resolver of an indirect function works. The loader calls
     * it at the function's first call, below the area into which it saves the processor's
     * registers, and the area of Valgrind's processor is smaller where the machine's has AVX-512.
     */
    static PlacedAccess settled(ValgrindModules modules, PlacedAccess access) {
        ModulePlace data = access.data();
        boolean open =
                (data.module().equals(ModulePlace.STACK) || data.module().equals(ModulePlace.PAGE))
                        && modules.functionAt(access.code()).endsWith(INDIRECT);
        return open
                ? new PlacedAccess(
                        access.code(),
                        access.store(),
                        access.size(),
                        new ModulePlace(data.module(), 0))
                : access;
    }

    private Rule rule(ValgrindModules modules, ModulePlace code, ValgrindModules.Image target) {
        if (isLoader(code.module())) {
            return Rule.LOADER_CODE;
        }
        if (code.module().equals("libframes.so") || code.module().startsWith("vgpreload_")) {
            return Rule.VALGRIND;
        }
        if (target != null && isLoader(target.name())) {
            return Rule.LOADER_DATA;
        }
        return byInstruction
                .computeIfAbsent(code, place -> byInstruction(modules, place))
                .orElse(null);
    }

    /** Prefixes come before the opcode; a REX prefix is the last of them. */
    private static Optional<Rule> byInstruction(ValgrindModules modules, ModulePlace code) {
        ValgrindModules.Image module = modules.named(code.module());
        if (module == null) {
            return Optional.empty();
        }
        if (takesOut(modules, code)) {
            return Optional.of(Rule.CLONE);
        }
        if (ALLOCATOR.contains(modules.functionAt(code))) {
            return Optional.of(Rule.ALLOCATOR);
        }
        byte[] bytes = module.file().bytes(code.offset(), LONGEST);
        int at = 0;
        while (at < bytes.length && isPrefix(bytes[at] & 0xff)) {
            at++;
        }
        boolean bit = at + 2 < bytes.length
                && bytes[at] == 0x0f
                && BIT_OPCODES.contains(bytes[at + 1] & 0xff);
        boolean registers = bit && (bytes[at + 2] & 0xc0) == 0xc0;
        return registers ? Optional.of(Rule.BITS_IN_REGISTERS) : Optional.empty();
    }

    /** Returns whether an instruction has an operand relative to FS. */
    static boolean isThreadLocal(ValgrindModules modules, ModulePlace code) {
        ValgrindModules.Image module = modules.named(code.module());
        if (module == null) {
            return false;
        }
        byte[] bytes = module.file().bytes(code.offset(), LONGEST);
        boolean relative = false;
        for (int at = 0; at < bytes.length && isPrefix(bytes[at] & 0xff); at++) {
            relative |= bytes[at] == SEGMENT_FS;
        }
        return relative;
    }

    private static boolean isPrefix(int value) {
        return value >= 0x40 && value <= 0x4f || LEGACY_PREFIXES.contains(value);
    }

    private static boolean isLoader(String module) {
        return module.startsWith("ld-linux");
    }

    /** Returns how many accesses each rule took out. */
    String tally() {
        StringBuilder text = new StringBuilder();
        excused.forEach((rule, count) -> text.append(
                String.format("%s%s %,d", text.isEmpty() ? "" : ", ", rule.text, count)));
        return text.toString();
    }
}
