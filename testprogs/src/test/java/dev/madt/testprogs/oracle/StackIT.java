package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accesses to stacks, with {@code --stack}: Lackey judges that none is missing, the source where in
 * its frame each one is.
 */
class StackIT {
    /**
     * Offsets count from the stack pointer before the call of f, where the return address is
     * pushed.
     */
    private static final String SOURCE =
            """
            .globl main
            .type main, @function
            main:   .cfi_startproc
                    subq $24, %rsp
                    .cfi_adjust_cfa_offset 24
                    movl $1, 12(%rsp)
                    call f
                    movl 12(%rsp), %eax
                    addq $24, %rsp
                    .cfi_adjust_cfa_offset -24
                    xorl %eax, %eax
                    ret
                    .cfi_endproc
            .size main, .-main
            .type f, @function
            f:      .cfi_startproc
                    pushq %rbp
                    .cfi_def_cfa_offset 16
                    .cfi_offset 6, -16
                    movq %rsp, %rbp
                    .cfi_def_cfa_register 6
                    movq %rdi, -40(%rbp)
                    movl $3, %ecx
                    movb -40(%rbp, %rcx), %al
                    leaq -40(%rbp), %rdx
                    movb (%rdx), %al
                    movq 16(%rbp), %rax
                    popq %rbp
                    .cfi_def_cfa 7, 8
                    ret
                    .cfi_endproc
            .size f, .-f
            .section .note.GNU-stack,"",@progbits
            """;

    private static final List<String> PLACES = List.of(
            "S main:frame-20",
            "S main:frame-40",
            "S f:frame-16",
            "S f:frame-56",
            "L [stack]",
            "L [stack]",
            "L f:frame+0",
            "L [stack]",
            "L f:frame-8",
            "L main:frame-20",
            "L main:frame-8");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "dispatch.O0", "stringops.O2"})
    @SoakCases({"sorting.O2", "cpp.O2", "operands.O0"})
    void shouldSeeAllAccessesThatLackeySees(String name) throws Exception {
        int compared = LackeyOracle.agreeOnStack(directory, MadtRun.program(name));
        System.out.printf(
                "Lackey and MadT agree on %s with its stack: %,d accesses%n", name, compared);
    }

    @Test
    void shouldNameThePlaceInTheFrameWhereItIsKnown() throws Exception {
        Files.writeString(directory.resolve("frames.s"), SOURCE);
        MadtRun.command(directory, List.of("gcc", "-o", "frames", "frames.s")).expect(0);
        MadtRun.madt(directory, "run", "-q", "--stack", "-o", "t.madt", "--", "./frames")
                .expect(0);
        List<String> places = MadtRun.madt(directory, "print", "t.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches(".*,(main|f)\\+\\d+"))
                .map(line -> line.charAt(0) + " "
                        + line.replaceAll("^[^:]*:|,.*", "").replaceAll("]\\+\\d+", "]"))
                .toList();
        assertEquals(PLACES, places);
    }

    @Test
    void shouldSayWhyEngineTrapCannot() throws Exception {
        MadtRun run = MadtRun.madt(directory, "run", "--engine", "trap", "--stack", "--", "true")
                .expect(125);
        assertTrue(run.errors().contains("--stack does not go with --engine trap"), run.errors());
    }
}
