package dev.madt.testprogs.oracle;

import dev.madt.testprogs.Access;
import dev.madt.testprogs.Disassembly;
import dev.madt.testprogs.MemoryAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Says where Valgrind's translation splits, merges or reorders the accesses of an instruction. Each
 * rule is applied to MadT's and to Lackey's sequence alike; each was found by running the
 * instruction under Lackey 3.19.
 *
 * <ol>
 *   <li><b>Locked instructions and xchg</b> (lock inc, add, or, xadd, btr …): Valgrind loads the
 *       old value, computes, and then does a compare-and-swap, which Lackey counts as another load
 *       and a store: {@code L L S} for {@code L S}. Of two equal loads in a row by such an
 *       instruction one is kept. Compare-exchange itself needs no rule: Lackey prints {@code L S}
 *       for success and failure alike, 16 bytes for cmpxchg16b, and so does MadT (a modify).
 *   <li><b>movs and cmps</b>, the string instructions with two memory operands: the order in which
 *       the two are accessed is not defined by the architecture; Valgrind takes movs's load first
 *       but cmps's second operand first. The two of each iteration are sorted.
 *   <li><b>bt, bts, btr, btc with a register</b>: Valgrind accesses the one byte that holds the
 *       bit; the processor accesses the whole 2, 4 or 8 bytes. The size is left out and the address
 *       rounded down to 8 bytes (the bit strings are aligned).
 * </ol>
 *
 * No rule was needed for 80-bit x87 loads and stores (10 bytes in both), for repeat prefixes (a
 * line per iteration, none when the count is zero), for SSE and AVX, nor for push, pop, call and
 * jmp with a memory operand. Valgrind's optimiser drops loads whose result is overwritten unused;
 * {@link Lackey} turns it off. Lackey stops at xlat: no program has one.
 */
public final class ValgrindRules {
    private static final Pattern LOCKED = Pattern.compile("lock .*|xchg.*\\(.*");
    private static final Pattern TWO_OPERANDS =
            Pattern.compile(".*%ds:\\(%rsi\\),%es:\\(%rdi\\).*|.*%es:\\(%rdi\\),%ds:\\(%rsi\\).*");
    private static final Pattern BIT_BY_REGISTER = Pattern.compile("(lock )?bt[src]?[wlq]? +%.*");

    private final Disassembly disassembly;

    ValgrindRules(Disassembly disassembly) {
        this.disassembly = disassembly;
    }

    List<Access> apply(List<Access> accesses) {
        List<Access> result = new ArrayList<>(accesses.size());
        for (int i = 0; i < accesses.size(); ) {
            int end = i + 1;
            long instruction = accesses.get(i).instruction();
            while (end < accesses.size() && accesses.get(end).instruction() == instruction) {
                end++;
            }
            result.addAll(atInstruction(disassembly.at(instruction), accesses.subList(i, end)));
            i = end;
        }
        return result;
    }

    /**
     * The accesses of one instruction by the rules.
     *
     * @param text the instruction as objdump prints it
     * @param run its accesses, executed once or several times in a row
     */
    static <A extends MemoryAccess<A>> List<A> atInstruction(String text, List<A> run) {
        List<A> kept = run;
        if (BIT_BY_REGISTER.matcher(text).matches()) {
            kept = kept.stream().map(MemoryAccess::ofWholeWord).toList();
        }
        if (LOCKED.matcher(text).matches()) {
            kept = withoutRepeatedLoads(kept);
        }
        if (TWO_OPERANDS.matcher(text).matches() && kept.size() % 2 == 0) {
            kept = sortedPairs(kept);
        }
        return kept;
    }

    private static <A extends MemoryAccess<A>> List<A> withoutRepeatedLoads(List<A> run) {
        List<A> kept = new ArrayList<>();
        for (A access : run) {
            boolean repeated =
                    !kept.isEmpty() && !access.store() && access.equals(kept.get(kept.size() - 1));
            if (!repeated) {
                kept.add(access);
            }
        }
        return kept;
    }

    private static <A extends MemoryAccess<A>> List<A> sortedPairs(List<A> run) {
        List<A> sorted = new ArrayList<>();
        for (int i = 0; i < run.size(); i += 2) {
            A one = run.get(i);
            A two = run.get(i + 1);
            boolean swap = one.store() == two.store() ? one.compareData(two) > 0 : one.store();
            sorted.add(swap ? two : one);
            sorted.add(swap ? one : two);
        }
        return sorted;
    }
}
