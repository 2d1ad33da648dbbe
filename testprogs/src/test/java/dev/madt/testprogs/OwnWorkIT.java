package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What MadT does for itself is in no trace: accesses of all functions of all modules, as far as they come with each round of a loop. */
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class OwnWorkIT {
    /** {@code for (n = atoi(argv[1]); n > 0; n--) delete new int;} Each round has two calls and so two loads of the PLT. */
    private static final String SOURCE = """
            .globl main
            .type main, @function
            main:   .cfi_startproc
                    endbr64
                    pushq %rbx
                    .cfi_adjust_cfa_offset 8
                    movq 8(%rsi), %rdi
                    call atoi@PLT
                    movl %eax, %ebx
            again:  decl %ebx
                    js done
                    movl $4, %edi
                    call _Znwm@PLT
                    movq %rax, %rdi
                    movl $4, %esi
                    call _ZdlPvm@PLT
                    jmp again
            done:   xorl %eax, %eax
                    popq %rbx
                    .cfi_adjust_cfa_offset -8
                    ret
                    .cfi_endproc
            .size main, .-main
            .section .note.GNU-stack,"",@progbits
            """;
    private static final int ROUNDS = 1_000;
    private static final Pattern ACCESS = Pattern.compile("([LSYWG])\\$.*,([^,+]+)\\+\\d+");

    @Parameter
    String engine;

    @TempDir
    Path directory;

    @BeforeEach
    void build() throws Exception {
        Files.writeString(directory.resolve("loop.s"), SOURCE);
        MadtRun.command(directory, List.of("g++", "-Wl,-z,now", "-o", "loop", "loop.s")).expect(0);
    }

    @Test
    void shouldRecordNothingOfItsOwnInNewAndDelete() throws Exception {
        Map<String, Integer> seen = accesses(ROUNDS);
        accesses(0).forEach((name, count) -> seen.merge(name, -count, Integer::sum));
        seen.values().removeIf(count -> count == 0);
        Map<String, Integer> expected = new TreeMap<>(Map.of("L _ZdlPvm@plt", ROUNDS, "L _Znwm@plt", ROUNDS));
        if (engine.equals("splice")) {
            expected.put("S main", 2 * ROUNDS);
        }
        expected.put("M", ROUNDS);
        expected.put("F", ROUNDS);
        assertEquals(expected, seen);
    }

    /** Events by their letter and function; allocations by their letter. */
    private Map<String, Integer> accesses(int rounds) throws Exception {
        Map<String, Integer> counts = new TreeMap<>();
        List<String> stack = engine.equals("splice") ? List.of("--stack") : List.of("--data", "--lib", "--heap");
        MadtRun.command(directory, concat(List.of(MadtRun.launcher().toString(), "run", "-q", "-f", "-o", "t.madt", "--engine", engine),
                stack, List.of("--", "./loop", String.format("%04d", rounds)))).expect(0);
        MadtRun.madt(directory, "print", "t.madt").expect(0).text().lines().forEach(line -> {
            Matcher matcher = ACCESS.matcher(line);
            String key = matcher.matches() ? matcher.group(1) + " " + matcher.group(2) : line.substring(0, 1);
            counts.merge(key, 1, Integer::sum);
        });
        return counts;
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static List<String> concat(List<String>... parts) {
        return java.util.Arrays.stream(parts).flatMap(List::stream).toList();
    }
}
