package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.natives.Libc;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessStatusTest {
    private static final int PATIENCE_MILLIS = 10_000;

    /** Awaits the end of the shell's child, whose number it prints, and asks how it ended. */
    private static String ending(String script) throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", script).start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(parent.getInputStream()))) {
            int pid = Integer.parseInt(said.readLine());
            int descriptor = ProcessStatus.openPid(pid);
            parent.getOutputStream().close();
            assertTrue(ProcessStatus.endsWithin(descriptor, PATIENCE_MILLIS));
            String ending = ProcessStatus.ending(pid, descriptor);
            Libc.close(descriptor);
            return ending;
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @CsvSource({"exit 3, exit 3", "kill -TERM $$, signal SIGTERM"})
    void shouldKnowHowAProcessEndedForWhichNobodyHasWaited(String end, String told)
            throws Exception {
        assertEquals(
                told,
                ending("exec 3<&0; sh -c 'read word; " + end + "' <&3 & echo $!; exec sleep 60"));
    }
}
