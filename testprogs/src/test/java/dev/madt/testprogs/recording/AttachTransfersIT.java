package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code madt run -p PID}: bulk transfers, and the calls that make them before and afterwards. */
class AttachTransfersIT {
    @TempDir
    Path directory;

    private Process process;

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private ProcessBuilder prepared(String output, String... command) {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(output).toFile());
    }

    private void await(String output, String text) throws Exception {
        Path file = directory.resolve(output);
        for (int looks = 0; looks < 3000 && !Files.readString(file).contains(text); looks++) {
            Thread.sleep(10);
        }
        assertTrue(Files.readString(file).contains(text), () -> output + " has no " + text);
    }

    private void feed(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
    }

    /**
     * Bound or not, calls of functions that copy memory lead to MadT as long as it is there: those
     * that the loader binds when they are called first as well.
     */
    @ParameterizedTest
    @ValueSource(strings = {"-Wl,-z,lazy", "-Wl,-z,now"})
    void shouldGiveCallsBack(String binding) throws Exception {
        String source = MadtRun.root() + "/testprogs/attach/transfers.c";
        MadtRun.command(
                        directory,
                        List.of("gcc", "-O1", "-fno-builtin", binding, "-o", "transfers", source))
                .expect(0);
        process = prepared("output", "./transfers").start();
        String pid = Long.toString(process.pid());
        Process madt = prepared(
                        "said", MadtRun.launcher().toString(), "run", "-p", pid, "-o", "a.madt")
                .start();
        await("said", "attached to process");
        feed("cst");
        await("output", "cst");
        MadtRun.madt(directory, "ctl", pid, "detach").expect(0);
        assertTrue(madt.waitFor(60, TimeUnit.SECONDS));
        feed("cswa.");
        assertEquals(0, process.waitFor());
        assertEquals(
                "Y:to+0,from+0,100,[.bss],[.bss],act W:from+0,100,[.bss],act"
                        + " Y:to+0,from+0,101,[.bss],[.bss],act",
                MadtRun.madt(directory, "print", "a.madt")
                        .expect(0)
                        .text()
                        .lines()
                        .filter(line -> line.matches("[YW]\\$.*,(act|main)\\+\\d+"))
                        .map(line -> line.replaceFirst("\\$\\d+", "")
                                .replaceFirst("(act|main)\\+\\d+$", "act"))
                        .collect(Collectors.joining(" ")));
    }
}
