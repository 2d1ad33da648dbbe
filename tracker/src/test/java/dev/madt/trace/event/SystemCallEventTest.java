package dev.madt.trace.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SystemCallEventTest {
    private static final List<Path> HEADERS = List.of(
            Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
            Path.of("/usr/include/asm/unistd_64.h"));
    /** Of the kernel from which the table is; a newer one has more. */
    private static final int LAST = 450;

    @Test
    void shouldHaveTheNamesOfTheKernel() throws Exception {
        List<Path> headers = HEADERS.stream().filter(Files::exists).toList();
        assumeTrue(!headers.isEmpty(), "the kernel's headers are not installed");
        List<MatchResult> defined = Pattern.compile("#define __NR_(\\w+) (\\d+)")
                .matcher(Files.readString(headers.get(0)))
                .results()
                .toList();
        assertTrue(defined.size() > 300, headers + " defines " + defined.size());
        for (MatchResult call : defined) {
            long number = Long.parseLong(call.group(2));
            if (number <= LAST) {
                assertEquals(call.group(1), SystemCallEvent.name(number));
            }
        }
    }

    @Test
    void shouldShowTheNumberOfWhatHasNoName() {
        assertEquals("set_mempolicy_home_node", SystemCallEvent.name(LAST));
        assertEquals("400", SystemCallEvent.name(400));
        assertEquals("-1", SystemCallEvent.name(-1));
    }
}
