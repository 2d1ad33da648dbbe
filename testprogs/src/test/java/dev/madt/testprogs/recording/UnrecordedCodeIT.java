package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Engine splice, the default, says of which code it records nothing. */
class UnrecordedCodeIT {
    @TempDir
    Path directory;

    /** The summary and {@code madt info} of a run. */
    private record Told(String summary, String info) {}

    private Told tell(String output, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                MadtRun.launcher().toString(), "run", "--log", "log", "-o", "t.madt", "--"));
        words.addAll(List.of(command));
        assertEquals(output, MadtRun.command(directory, words).expect(0).text());
        return new Told(
                Files.readString(directory.resolve("log")),
                MadtRun.madt(directory, "info", "t.madt").expect(0).text());
    }

    @Test
    void shouldListCodeThatTheProgramMakes() throws Exception {
        Told told = tell("42\n", MadtRun.program("generated").toString());
        assertTrue(
                told.summary()
                        .matches("(?s).*, complete but for unpatched code\n"
                                + "madt: 8,192 executable bytes \\(0\\.[0-9] %\\) could not be"
                                + " patched, their accesses are missing: code made at run time"
                                + " 8,192\\. They need --engine trap.*"),
                told.summary());
        assertTrue(
                told.info()
                        .matches("(?s).*\n"
                                + "unrecorded code +[0-9.]+ % of [0-9,]+ executable bytes"
                                + " record nothing\n"
                                + ".*"),
                told.info());
        assertTrue(
                told.info().contains("8,192  [anon]: made by the program as it ran"), told.info());
        assertTrue(
                told.info().matches("(?s).* [0-9,]+  libc\\.so\\.6: in no known function\n.*"),
                told.info());
    }

    /** Engine trap, which is advised elsewhere, sees accesses alone. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"calls|calls", "locks|locks", "accesses,locks,calls|accesses, calls and locks"
            })
    void shouldSayThatWhatIsRecordedIsMissing(String kinds, String missing) throws Exception {
        String program = MadtRun.program("generated").toString();
        List<String> words =
                List.of("run", "--record", kinds, "--log", "log", "-o", "t.madt", "--", program);
        MadtRun.told(directory, words.toArray(String[]::new)).expect(0);
        String summary = Files.readString(directory.resolve("log"));
        assertTrue(
                summary.matches("(?s).* could not be patched, their " + missing
                        + " are missing: code made at run time 8,192\\.\n.*"),
                summary);
        assertFalse(summary.contains("--engine trap"), summary);
    }

    private void removePerfMap(String with) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            for (Path file : files.filter(it -> it.toString().matches("/tmp/perf-\\d+[.]map"))
                    .toList()) {
                if (Files.isReadable(file) && Files.readString(file).contains(with)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** By the perf map; and the kernel's samples say how much is missing. */
    @Test
    void shouldNameCodeThatTheProgramMakes() throws Exception {
        Told told = tell("42\n", MadtRun.program("generated_named").toString());
        removePerfMap("made:calls");
        Matcher time = Pattern.compile(
                        "code made at run time 8,192, ([0-9.]+) % of its time \\([0-9,]+ of"
                                + " ([0-9]+) samples\\)\\.")
                .matcher(told.summary());
        assertTrue(time.find(), told.summary());
        assertTrue(Double.parseDouble(time.group(1)) > 50, told.summary());
        assertTrue(Integer.parseInt(time.group(2)) >= 20, told.summary());
        assertTrue(told.info().contains("as it ran, " + time.group(1) + " % of"), told.info());
        String sites = MadtRun.madt(
                        directory, "report", "--by", "site", "--chains", "--min", "0", "t.madt")
                .expect(0)
                .text();
        assertTrue(sites.matches("(?s).*made:calls[^\n]*\n +main\\+.*"), sites);
    }

    /** Of V8 itself, in the chains of what its functions allocate. */
    @Soak
    @Test
    void shouldNameFunctionsOfJavaScript() throws Exception {
        Told told = tell(
                "3000\n",
                "node",
                "--perf-basic-prof",
                "--interpreted-frames-native-stack",
                "-e",
                """
                function keep(n) {
                    const kept = [];
                    for (let i = 0; i < n; i++) kept.push(Buffer.allocUnsafeSlow(50000));
                    return kept.length;
                }
                console.log(keep(3000));
                """);
        removePerfMap(" JS:");
        assertTrue(told.summary().contains("code made at run time"), told.summary());
        String sites = MadtRun.madt(
                        directory, "report", "--by", "site", "--chains", "--min", "0.1", "t.madt")
                .expect(0)
                .text();
        assertTrue(sites.contains(" JS:"), sites);
    }

    /** By a jitdump file, where the code itself is recorded. */
    @Test
    void shouldNameAccessesOfCodeThatTheProgramMakes() throws Exception {
        MadtRun.told(
                        directory,
                        "run",
                        "--engine",
                        "trap",
                        "-o",
                        "t.madt",
                        "--",
                        MadtRun.program("generated_named").toString(),
                        "dump")
                .expect(0);
        String lines = MadtRun.madt(directory, "print", "t.madt").expect(0).text();
        assertTrue(lines.contains(",made:stores /a file.js:7+0\n"), lines);
    }

    /** A library whose code the loader changes has no plan. */
    @Test
    void shouldListModulesWithoutAPlan() throws Exception {
        Files.writeString(
                directory.resolve("relocated.c"),
                "extern int stdin; void *relocated(void) { return &stdin; }\n");
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-shared",
                                "-fno-pic",
                                "-mcmodel=large",
                                "-O2",
                                "-Wl,-z,notext",
                                "-Wno-builtin-declaration-mismatch",
                                "-o",
                                "librelocated.so",
                                "relocated.c"))
                .expect(0);
        Files.writeString(
                directory.resolve("user.c"),
                "void *relocated(void); int main(void) { return !relocated(); }\n");
        MadtRun.command(directory, List.of("gcc", "-o", "user", "user.c", "./librelocated.so"))
                .expect(0);
        Told told = tell("", "./user");
        assertTrue(
                told.summary()
                        .matches("(?s).*madt: [0-9,]+ executable bytes \\(0\\.[0-9] %\\) could not"
                                + " be patched, their accesses are missing: librelocated\\.so"
                                + " [0-9,]+\\. They need --engine trap.*"),
                told.summary());
        assertTrue(
                told.info().matches("(?s).* [0-9,]+  librelocated\\.so: could not be patched\n.*"),
                told.info());
    }

    /**
     * The first place below a library that was loaded before a large one is in that one's midst.
     */
    @Test
    void shouldPatchLibrariesAboveALargeOne() throws Exception {
        Files.writeString(
                directory.resolve("small.c"),
                "int counts[9]; int small(int i) { return counts[i % 9]++; }\n");
        Files.writeString(
                directory.resolve("wide.c"),
                "char wide[600 << 20]; int last(void) { return wide[sizeof wide - 1]; }\n");
        Files.writeString(
                directory.resolve("user.c"),
                "int small(int); int last(void); int main(void) { return small(3) + last(); }\n");
        for (String name : List.of("small", "wide")) {
            MadtRun.command(
                            directory,
                            List.of(
                                    "gcc",
                                    "-shared",
                                    "-fPIC",
                                    "-O2",
                                    "-o",
                                    "lib" + name + ".so",
                                    name + ".c"))
                    .expect(0);
        }
        MadtRun.command(
                        directory,
                        List.of("gcc", "-o", "user", "user.c", "./libsmall.so", "./libwide.so"))
                .expect(0);
        Told told = tell("", "./user");
        assertTrue(
                told.summary()
                        .matches("(?s).* could not be patched, their accesses are missing:"
                                + " libwide\\.so [0-9,]+\\. .*"),
                told.summary());
        String lines = MadtRun.madt(directory, "print", "--symbol", "counts*", "t.madt")
                .expect(0)
                .text();
        assertTrue(lines.contains("counts+12,[libsmall.so:.bss],small+"), lines);
    }

    /** A restartable sequence is left as it is: its accesses are missing wherever it runs. */
    @Test
    void shouldCountInstructionsThatMayNotBePatched() throws Exception {
        String program = MadtRun.program("battery/restartable").toString();
        Told told = tell(MadtRun.command(directory, List.of(program)).text(), program);
        assertTrue(
                told.summary()
                        .matches("(?s).*, complete but for unpatched code\n"
                                + "madt: [0-9]+ instructions may not be patched .*: restartable"
                                + " [0-9]+\\.\n.*"),
                told.summary());
        assertTrue(
                told.info()
                        .matches("(?s).* [0-9]+ instructions  restartable: may not be patched\n.*"),
                told.info());
        MadtRun.madt(directory, "info", "--strict", "t.madt").expect(3);
    }

    /** The program has neither unwind tables nor symbols, so nothing shows where main is. */
    @Test
    void shouldSayThatTheProgramsCodeIsInNoKnownFunction() throws Exception {
        Files.writeString(
                directory.resolve("bare.c"),
                "volatile long counts[64]; int main(void) {"
                        + " for (int i = 0; i < 6000; i++) counts[i % 64] += counts[i % 7];"
                        + " return 0; }\n");
        compile("-fno-asynchronous-unwind-tables", "-s", "-o", "bare", "bare.c");
        Told told = tell("", "./bare");
        assertTrue(
                told.summary()
                        .matches("(?s).*, complete but for code in no known function\n"
                                + "madt: code in no known function is not recorded, its accesses"
                                + " are missing: bare [0-9]+ bytes \\([0-9.]+ %\\)\\. It needs"
                                + " unwind tables \\(-fasynchronous-unwind-tables\\), symbols"
                                + " or --engine trap, which is far slower\\.\n.*"),
                told.summary());
        assertTrue(
                told.info().contains("complete but for code in no known function\n"), told.info());
        MadtRun.madt(directory, "info", "--strict", "t.madt").expect(3);
        compile("-s", "-o", "bare", "bare.c");
        MadtRun.command(directory, List.of("rm", "t.madt")).expect(0);
        assertTrue(tell("", "./bare").summary().contains(", complete\n"), told.summary());
    }

    /** A process that runs already cannot be recorded by engine trap. */
    @Test
    void shouldAdviseWhatCanBeDoneWhereTheFileIsGone() throws Exception {
        Files.writeString(
                directory.resolve("gone.c"),
                "#include <unistd.h>\nint main(void) { for (;;) usleep(1000); }\n");
        compile("-o", "gone", "gone.c");
        Process process = new ProcessBuilder(directory.resolve("gone").toString()).start();
        try {
            Files.delete(directory.resolve("gone"));
            String said = MadtRun.told(
                            directory,
                            "run",
                            "-p",
                            "" + process.pid(),
                            "--for",
                            "200ms",
                            "-o",
                            "t.madt")
                    .expect(0)
                    .errors();
            assertTrue(
                    said.contains("missing: gone (deleted) 4,096. Their files were deleted or"
                            + " replaced while the program ran: start it anew.\n"),
                    said);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void compile(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("gcc", "-O2"));
        command.addAll(List.of(words));
        MadtRun.command(directory, command).expect(0);
    }

    /** A library counts if the process uses it, and tables among the code of one do not. */
    @Test
    void shouldNameLibrariesInUseWhoseCodeIsInNoKnownFunction() throws Exception {
        StringBuilder known = new StringBuilder("extern long (*const bare[])(long *);\n");
        known.append("long run(long *a) { long sum = 0;\n");
        StringBuilder bare = new StringBuilder();
        StringBuilder table = new StringBuilder("long (*const bare[])(long *) = {");
        for (int i = 0; i < 400; i++) {
            bare.append("static long f" + i + "(long *a) {");
            for (int k = 0; k < 20; k++) {
                bare.append(" a[" + (i * 20 + k) % 997 + "] += a[" + (i + k) % 991 + "] ^ " + k);
                bare.append(";");
            }
            bare.append(" return a[" + i + "]; }\n");
            table.append(" f" + i + ",");
            known.append("a[" + i + "] += " + i + "; sum += a[" + (i + 7) + "];\n");
        }
        Files.writeString(directory.resolve("bare.c"), bare.append(table).append(" };\n"));
        Files.writeString(
                directory.resolve("known.c"), known.append("return sum + bare[3](a); }\n"));
        Files.writeString(
                directory.resolve("user.c"),
                "long a[1000]; long run(long *); int main(int n, char **v) {"
                        + " return n > 9 && run(a); }\n");
        Files.writeString(
                directory.resolve("uses.c"),
                "long a[1000]; long run(long *); int main(void) { return !run(a); }\n");
        compile("-fPIC", "-c", "-fno-asynchronous-unwind-tables", "bare.c");
        compile("-fPIC", "-shared", "-s", "-o", "libbare.so", "known.c", "bare.o");
        compile("-o", "user", "user.c", "./libbare.so");
        compile("-o", "uses", "uses.c", "./libbare.so");
        Told told = tell("", "./user");
        assertTrue(told.summary().contains(", complete\n"), told.summary());
        MadtRun.command(directory, List.of("rm", "t.madt")).expect(0);
        told = tell("", "./uses");
        assertTrue(
                told.summary()
                        .matches("(?s).*its accesses are missing: libbare\\.so [0-9,]+ bytes"
                                + " \\([0-9.]+ %\\)\\. It needs .*"),
                told.summary());
    }

    @Test
    void shouldSayNothingWhereAllCodeHasAPlan() throws Exception {
        Told told = tell("", "true");
        assertTrue(
                told.summary().contains(", complete\n") && !told.summary().contains("patched"),
                told.summary());
    }

    /**
     * Checks that what the program copies by its own loads, with patches, runs where there is no
     * patched text image.
     */
    @Test
    void shouldRunCopiedCodeOfFewPatches() throws Exception {
        String program = MadtRun.program("copied_sparse").toString();
        for (String engine : List.of("splice", "trap")) {
            MadtRun run = MadtRun.madt(
                    directory, "run", "-f", "--engine", engine, "-o", "t.madt", "--", program);
            assertEquals("321\n", run.expect(0).text());
        }
    }

    /** Node copies its builtin functions by loads, to where a jump ahead leads to no address. */
    @Soak
    @Test
    void shouldRunWhatNodeCopies() throws Exception {
        for (String command : List.of("run", "trace")) {
            MadtRun run = MadtRun.madt(
                    directory,
                    (command + " -f --lossy --no-hottest -o t.madt -- node -p 1+2").split(" "));
            assertEquals("3\n", run.expect(0).text());
        }
    }
}
