package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testprogs.Access;
import dev.madt.testprogs.Disassembly;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValgrindRulesTest {
    private static final Disassembly CODE = Disassembly.parse(List.of(
            "0000000000001000 <main>:",
            "    1000:\tlock xadd %r11,0x3037(%rip)        # 41b0 <g>",
            "    1008:\tmov    %rax,0x2fb6(%rip)        # 40f0 <fp>",
            "    1010:\trep movsb %ds:(%rsi),%es:(%rdi)",
            "    1018:\trepz cmpsb %es:(%rdi),%ds:(%rsi)",
            "    1020:\tbts    %rbp,0x2d3d(%rip)        # 4040 <arr>",
            "    1028:\tbtsq   $0x7,0x2cfd(%rip)        # 4040 <arr>",
            "    1030:\txchg   %r11,0x3025(%rip)        # 41b0 <g>",
            "    1038:\tmovslq (%rax),%rax"));

    @Test
    void shouldDropTheSecondLoadOfALockedInstruction() {
        assertEquals(
                List.of(
                        load(0x1000, 8, 0x41b0),
                        store(0x1000, 8, 0x41b0),
                        load(0x1030, 8, 0x41b0),
                        store(0x1030, 8, 0x41b0)),
                rules(
                        load(0x1000, 8, 0x41b0),
                        load(0x1000, 8, 0x41b0),
                        store(0x1000, 8, 0x41b0),
                        load(0x1030, 8, 0x41b0),
                        load(0x1030, 8, 0x41b0),
                        store(0x1030, 8, 0x41b0)));
    }

    @Test
    void shouldKeepRepeatedLoadsOfOtherInstructions() {
        List<Access> twice = List.of(load(0x1038, 4, 0x4040), load(0x1038, 4, 0x4040));
        assertEquals(twice, new ValgrindRules(CODE).apply(twice));
    }

    @Test
    void shouldBringBothOrdersOfAStringInstructionTogether() {
        List<Access> storesFirst = List.of(
                store(0x1010, 1, 0x4140),
                load(0x1010, 1, 0x4100),
                store(0x1010, 1, 0x4141),
                load(0x1010, 1, 0x4101));
        List<Access> loadsFirst = List.of(
                load(0x1010, 1, 0x4100),
                store(0x1010, 1, 0x4140),
                load(0x1010, 1, 0x4101),
                store(0x1010, 1, 0x4141));
        assertEquals(loadsFirst, new ValgrindRules(CODE).apply(storesFirst));
        assertEquals(loadsFirst, new ValgrindRules(CODE).apply(loadsFirst));
        assertEquals(
                rules(load(0x1018, 1, 0x4100), load(0x1018, 1, 0x4140)),
                rules(load(0x1018, 1, 0x4140), load(0x1018, 1, 0x4100)));
    }

    @Test
    void shouldTakeWholeWordsForBitsByRegisterOnly() {
        assertEquals(rules(load(0x1020, 1, 0x4049)), rules(load(0x1020, 8, 0x4048)));
        List<Access> immediate = List.of(load(0x1028, 8, 0x4049));
        assertEquals(immediate, new ValgrindRules(CODE).apply(immediate));
    }

    @Test
    void shouldNotHideARealDifference() {
        List<Access> right = List.of(load(0x1010, 1, 0x4100), store(0x1010, 1, 0x4140));
        List<Access> wrong = List.of(load(0x1010, 1, 0x4100), store(0x1010, 1, 0x4141));
        assertEquals(
                false,
                new ValgrindRules(CODE).apply(right).equals(new ValgrindRules(CODE).apply(wrong)));
    }

    private static List<Access> rules(Access... accesses) {
        return new ValgrindRules(CODE).apply(new ArrayList<>(List.of(accesses)));
    }

    private static Access load(long instruction, int size, long data) {
        return new Access(instruction, false, size, data);
    }

    private static Access store(long instruction, int size, long data) {
        return new Access(instruction, true, size, data);
    }
}
