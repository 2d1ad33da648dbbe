package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text that a program moves to other memory, or changes: it stays the program's. */
class MovedTextIT {
    private static final String PROGRAM = MadtRun.program("attach/moved_text").toString();

    /** Sums of executable memory, and how much of it is no file's, by the process's own files. */
    private static final String TEXTS =
            """
            import hashlib, sys
            pid = sys.argv[1]
            memory = open(f"/proc/{pid}/mem", "rb")
            for line in open(f"/proc/{pid}/smaps"):
                words = line.split()
                if "-" in words[0] and len(words[1]) == 4:
                    code = "x" in words[1] and words[-1] != "[vsyscall]"
                    start, end = (int(n, 16) for n in words[0].split("-"))
                    if code:
                        memory.seek(start)
                        print(line.strip(), hashlib.sha256(memory.read(end - start)).hexdigest())
                    clean = "/ld-linux" not in line  # which has a breakpoint meanwhile
                elif code and clean and words[0] == "Anonymous:":
                    print(line.strip())
            """;

    @TempDir
    Path directory;

    private Process process;

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("output"), StandardCharsets.UTF_8);
    }

    private void start(String how) throws Exception {
        process = new ProcessBuilder(PROGRAM, how)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        await(1);
    }

    private void await(int lines) throws Exception {
        for (int looks = 0; looks < 3000 && output().lines().count() < lines; looks++) {
            Thread.sleep(10);
        }
        assertTrue(output().lines().count() >= lines, output());
    }

    private void feed(String text) throws Exception {
        int lines = (int) output().lines().count();
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        await(lines + 2 * text.length());
    }

    private String texts() throws Exception {
        return MadtRun.command(
                        Path.of("/"),
                        List.of("/usr/bin/python3", "-c", TEXTS, Long.toString(process.pid())))
                .expect(0)
                .text();
    }

    private String alone(String how, String told) throws Exception {
        return MadtRun.command(
                        directory,
                        List.of("sh", "-c", "printf " + told + " | " + PROGRAM + " " + how))
                .expect(0)
                .text();
    }

    private Process attach(String... options) throws Exception {
        String command = MadtRun.launcher() + " run -f -o a.madt -p " + process.pid() + " "
                + String.join(" ", options);
        Process madt = new ProcessBuilder(command.split(" "))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        for (int looks = 0; looks < 3000 && said().isEmpty(); looks++) {
            Thread.sleep(10);
        }
        return madt;
    }

    private String said() throws IOException {
        return Files.readString(directory.resolve("said"), StandardCharsets.UTF_8);
    }

    private void detach(Process madt) throws Exception {
        MadtRun.told(directory, "ctl", "" + process.pid(), "detach").expect(0);
        assertEquals(0, madt.waitFor(), said());
    }

    /** Of the functions, all pages are anonymous memory, or one of them, or none. */
    @ParameterizedTest
    @CsvSource({"moved", "page"})
    @SoakCases("kept")
    void shouldLeaveTextAsItWas(String how) throws Exception {
        start(how);
        feed("r");
        String before = texts();
        for (int round = 0; round < 2; round++) {
            Process madt = attach();
            feed("r");
            detach(madt);
            assertEquals(before, texts());
        }
        assertTrue(
                MadtRun.madt(directory, "print", "--symbol", "table*", "a.madt")
                                .expect(0)
                                .text()
                                .lines()
                                .count()
                        > 2_000,
                "moved text is recorded like any other");
        feed("r");
        process.getOutputStream().close();
        assertEquals(0, process.waitFor(), this::text);
        assertEquals(alone(how, "rrrr"), output());
    }

    private String text() {
        try {
            return output() + said();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Keeps what the program edits while it is recorded. */
    @ParameterizedTest
    @CsvSource({"moved", "kept", "open"})
    void shouldLeaveWhatTheProgramEdits(String how) throws Exception {
        start(how);
        Process madt = attach();
        feed("re");
        detach(madt);
        feed("r");
        process.getOutputStream().close();
        assertEquals(0, process.waitFor(), this::text);
        assertEquals(alone(how, "rer"), output());
        assertTrue(output().endsWith("constant 9\n"), output());
        TraceFile.check(directory.resolve("a.madt"));
    }

    /** A window that closes takes patches away; the next one brings them. */
    @Test
    void shouldEditBetweenWindows() throws Exception {
        String command = "printf rerer | " + MadtRun.launcher()
                + " run -f -o w.madt --start func:work --stop func:set_rights -- " + PROGRAM;
        for (String how : List.of("moved", "kept", "open")) {
            assertEquals(
                    alone(how, "rerer"),
                    MadtRun.command(directory, List.of("sh", "-c", command + " " + how))
                            .expect(0)
                            .text());
        }
    }

    /** Moved text is counted, and named. */
    @Test
    void shouldSayWhatIsNotRecorded() throws Exception {
        for (String how : List.of("moved", "kept")) {
            MadtRun run = MadtRun.command(
                    directory,
                    List.of(
                            "sh",
                            "-c",
                            "printf rr | " + MadtRun.launcher() + " run -f -o m.madt -- " + PROGRAM
                                    + " " + how));
            assertEquals(alone(how, "rr"), run.expect(0).text());
            boolean says = run.errors()
                    .matches("(?s).*, complete but for unpatched code\n.*could not be patched,"
                            + " their accesses are missing: moved_text 2[48],[0-9]{3}\\..*");
            assertEquals(how.equals("moved"), says, run.errors());
            String info = MadtRun.madt(directory, "info", "m.madt").expect(0).text();
            assertEquals(
                    says,
                    info.contains("  moved_text: moved or changed by the program as it ran\n"),
                    info);
        }
    }
}
