package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what the script {@code madt} hands over to Java, by a Java that tells it. */
class LauncherScriptIT {
    private static final String TELLING_JAVA =
            """
            #!/bin/sh
            ls -A "$TMPDIR"
            for argument; do
                case $argument in
                -Djava.io.tmpdir=*) echo "${argument#*=}" ;;
                -Dmadt.environment=*) tr '\\0' '\\n' <"${argument#*=}" | grep '^MARK' ;;
                esac
            done
            """;

    @TempDir
    Path directory;

    @Test
    void shouldKeepTheEnvironmentWithoutAFileThatCouldStayBehind() throws Exception {
        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        Files.writeString(java, TELLING_JAVA);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        ProcessBuilder builder = new ProcessBuilder(MadtRun.launcher().toString(), "run", "true")
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", directory.resolve("java").toString());
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().put("MARK", "two\nMARK lines");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(temporary + "\nMARK=two\nMARK lines\n", said);
        assertEquals(0, process.waitFor());
    }

    @Test
    void shouldSayThatItNeedsProc() throws Exception {
        for (String command : List.of("run true", "info t.madt")) {
            MadtRun run = MadtRun.process(
                            directory,
                            List.of(
                                    "unshare",
                                    "-m",
                                    "sh",
                                    "-c",
                                    "mount -t tmpfs none /proc && exec " + MadtRun.launcher() + " "
                                            + command))
                    .expect(command.startsWith("run") ? 125 : 1);
            assertEquals(
                    "madt: /proc is not mounted, which Java and the recording need: mount -t proc"
                            + " proc /proc, or --proc /proc of bwrap\n",
                    run.errors());
        }
    }

    /** Without it everything is the same but slower, so that nobody would notice. */
    @Test
    void shouldHaveMadeAnArchiveOfClasses() {
        for (String name : List.of("madt.jar", "madt.jsa", "madt.jsa.of")) {
            assertTrue(
                    Files.isRegularFile(
                            MadtRun.root().resolve("cli/command/target").resolve(name)),
                    name);
        }
    }

    /**
     * Checks that what a recording does first must not need parts of Java that take a tenth of it:
     * equals, hashCode and toString of records, which are made at run time, and SecureRandom.
     */
    @Test
    void shouldLoadNothingSlowAtAStart() throws Exception {
        Path loaded = directory.resolve("loaded");
        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        Files.writeString(
                java,
                "#!/bin/sh\nexec '%s/bin/java' -Xlog:class+load:file='%s' \"$@\"\n"
                        .formatted(System.getProperty("java.home"), loaded));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        String command = "JAVA_HOME='%s' \"$@\"".formatted(directory.resolve("java"));
        aloneAndTraced("\"$@\"", "true"); // the plans are there
        aloneAndTraced(command, "true").get(1).expect(0);

        List<String> classes = Files.readAllLines(loaded);

        assertTrue(classes.size() > 1000, classes.size() + " classes");
        assertEquals(
                List.of(),
                classes.stream()
                        .filter(it -> it.contains(" java.lang.runtime.ObjectMethods ")
                                || it.contains(" java.security.SecureRandom "))
                        .toList());
    }

    /** Runs a line of a shell in which {@code "$@"} is a command, alone and under madt. */
    private List<MadtRun> aloneAndTraced(String line, String... command) throws Exception {
        return aloneAndRecorded("run", line, command);
    }

    private List<MadtRun> aloneAndRecorded(String madt, String line, String... command)
            throws Exception {
        List<String> traced = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                madt,
                "-q",
                "-f",
                "-o",
                directory.resolve("t.madt").toString(),
                "--"));
        traced.addAll(List.of(command));
        return List.of(shell(line, List.of(command)), shell(line, traced));
    }

    private MadtRun shell(String line, List<String> command) throws Exception {
        List<String> words = new ArrayList<>(List.of("sh", "-c", line, "sh"));
        words.addAll(command);
        return MadtRun.process(directory, words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<&- >&- 2>&-", "7</etc/passwd 9>&1", "<&- 3</etc/passwd"})
    @SoakCases({"<&-", ">&-", "2>&-", "<&- >&-"})
    void shouldGiveTheProgramTheDescriptorsOfTheCaller(String redirections) throws Exception {
        Path list = directory.resolve("list");
        String[] tell = {
            "sh", "-c", "for d in /proc/$$/fd/*; do echo ${d##*/} $(readlink $d); done >" + list
        };
        String line = "\"$@\" " + redirections + "; cat " + list;
        List<MadtRun> runs = aloneAndTraced(line, tell);
        assertEquals(descriptors(runs.get(0)), descriptors(runs.get(1)));
        assertTrue(TraceFile.check(directory.resolve("t.madt")).accesses() > 100);
    }

    /** Pipes and files of this test have other numbers and names each time. */
    private static String descriptors(MadtRun run) {
        return run.expect(0)
                .text()
                .replaceAll("pipe:\\S+", "pipe")
                .replaceAll("/\\S+\\.(bin|txt)", "file");
    }

    @Test
    void shouldFailAsAloneWhereAStandardDescriptorIsClosed() throws Exception {
        List<MadtRun> runs = aloneAndTraced("\"$@\" <&-", "cat");
        assertEquals(1, runs.get(0).status());
        assertEquals(runs.get(0).errors(), runs.get(1).expect(1).errors());
        MadtRun run = shell(
                        "\"$@\" >&-",
                        List.of(
                                MadtRun.launcher().toString(),
                                "print",
                                directory.resolve("t.madt").toString()))
                .expect(1);
        assertEquals("madt: cannot write to standard output: bad file descriptor\n", run.errors());
    }

    @Test
    void shouldWorkInADeletedDirectory() throws Exception {
        String enter = "mkdir gone; cd gone; rmdir ../gone; \"$@\"";
        List<MadtRun> runs = aloneAndTraced(enter, "readlink", "/proc/self/cwd");
        assertEquals(
                directory.toRealPath().resolve("gone") + " (deleted)\n",
                runs.get(0).expect(0).text());
        assertEquals(runs.get(0).text(), runs.get(1).expect(0).text());
        assertTrue(TraceFile.check(directory.resolve("t.madt")).accesses() > 100);
        MadtRun relative = shell(
                        enter,
                        List.of(MadtRun.launcher().toString(), "run", "-o", "t.madt", "--", "true"))
                .expect(125);
        List<String> said = relative.errors()
                .lines()
                .filter(text -> !text.contains("getcwd() failed"))
                .toList(); // the shell's own
        assertEquals(
                List.of("madt: cannot write t.madt: the current directory has been deleted. Choose"
                        + " another place with -o FILE."),
                said);
        MadtRun usual = shell(enter, List.of(MadtRun.launcher().toString(), "run", "--", "true"));
        assertEquals(125, usual.status());
        assertTrue(
                usual.errors().contains(".madt: the current directory has been deleted. Choose"),
                usual.errors());
        assertFalse(usual.errors().contains("main was never reached"), usual.errors());
    }

    /**
     * Checks that the program gets what disturbs shells, their commands, the loader or a JVM, and
     * nothing else is disturbed by it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"run", "trace"})
    void shouldKeepWhatDisturbsToTheProgram(String madt) throws Exception {
        String set = "env LD_PRELOAD=/nonexistent.so LD_LIBRARY_PATH=/nonexistent LD_BIND_NOW=1"
                + " CDPATH=/usr IFS=/ ENV=/nonexistent BASH_ENV=/nonexistent POSIXLY_CORRECT=1"
                + " GREP_OPTIONS=--color=always JAVA_TOOL_OPTIONS=-nonsense"
                + " _JAVA_OPTIONS=-nonsense JDK_JAVA_OPTIONS=-nonsense TMPDIR=/nonexistent"
                + " PATH="
                + directory
                + ": \"$@\"";
        for (String name : List.of("find", "cat", "mktemp", "readlink", "flock")) {
            Path wrong = Files.writeString(
                    directory.resolve(name), "#!/bin/sh\necho wrong " + name + " >&2\n");
            Files.setPosixFilePermissions(wrong, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        List<MadtRun> runs = aloneAndRecorded(madt, set, "/usr/bin/env");
        assertEquals(runs.get(0).expect(0).text(), runs.get(1).expect(0).text());
        List<String> noise = runs.get(1).errors().lines().distinct().toList();
        assertEquals(runs.get(0).errors().lines().distinct().toList(), noise);
    }

    /** A program that is examined is found and begun as alone, too. */
    @Test
    void shouldExamineTheProgramThatTheCallerMeans() throws Exception {
        Path own = Files.writeString(
                directory.resolve("nproc"), "#!/bin/sh\necho mine $LD_LIBRARY_PATH\n");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        MadtRun run = shell(
                        "LD_LIBRARY_PATH=/nonexistent PATH=" + directory + ":$PATH \"$@\"",
                        List.of(MadtRun.launcher().toString(), "defects", "--", "nproc"))
                .expect(0);
        assertEquals("mine /nonexistent", run.text().lines().findFirst().orElse(""));
    }

    @Test
    void shouldTakeNoMessageForAChangedSource() throws Exception {
        MadtRun run = shell(
                        "LD_PRELOAD=/nonexistent.so \"$@\"",
                        List.of(MadtRun.launcher().toString(), "--version"))
                .expect(0);
        assertTrue(
                run.errors().lines().allMatch(line -> line.startsWith("ERROR: ld.so: ")),
                run.errors());
        assertEquals(1, run.errors().lines().count(), run.errors());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "31m", "99999g"})
    @SoakCases({"0", "1", "-5g", "8 g", "1e9", "99999999999999999999", "8t"})
    void shouldNameMadtMemoryWhereItIsNoSize(String size) throws Exception {
        for (String command : List.of("run", "trace", "print")) {
            ProcessBuilder builder = new ProcessBuilder(
                            MadtRun.launcher().toString(), command, "true")
                    .redirectErrorStream(true);
            builder.environment().put("MADT_MEMORY", size);
            Process process = builder.start();
            assertEquals(
                    "madt: MADT_MEMORY is a size from 32m to 8192g, for instance 8g, not '" + size
                            + "'.\n",
                    new String(process.getInputStream().readAllBytes()));
            assertEquals(command.equals("print") ? 2 : 125, process.waitFor());
        }
    }

    private void script(Path file, String text) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /**
     * One would say on stderr that the archive of another is of no use. The file of classes is for
     * all, since what is kept of symbols goes by it.
     */
    @Test
    void shouldGiveTheArchiveOfClassesToTheJavaThatMadeItAlone() throws Exception {
        Path java = directory.resolve("java");
        script(java.resolve("bin/java"), "printf '%s\\n' \"$@\"\n");
        ProcessBuilder builder = new ProcessBuilder(MadtRun.launcher().toString(), "--version");
        builder.environment().put("JAVA_HOME", java.toString());
        Process process = builder.start();
        List<String> options =
                new String(process.getInputStream().readAllBytes()).lines().toList();
        assertTrue(options.contains("dev.madt.cli.Main"), options::toString);
        String classes = options.get(options.indexOf("-cp") + 1);
        assertTrue(classes.endsWith("/madt.jar"), classes);
        assertFalse(
                options.stream().anyMatch(option -> option.contains("SharedArchiveFile")),
                options::toString);
    }

    /** A Maven that takes its time, and a clock that runs faster. */
    @Test
    void shouldSayHowFarABuildIs() throws Exception {
        Path home = directory.resolve("home");
        Files.createDirectories(home.resolve("cli/command/target"));
        Files.copy(MadtRun.launcher(), home.resolve("madt"));
        Files.createFile(home.resolve("pom.xml"));
        script(home.resolve(".ci/setup"), "exit 0\n");
        script(home.resolve("bin/sleep"), "exec /bin/sleep 0.1\n");
        script(home.resolve("java/bin/java"), "echo started\n");
        script(
                home.resolve("bin/mvn"),
                """
                await() { # waits until what has been said so far holds something
                    for i in $(seq 600); do
                        grep -q "$1" said && return
                        /bin/sleep 0.1
                    done
                    exit 1
                }
                case $1 in
                -o)
                    echo "[INFO] Building MadT tracker 0.1.0            [2/5]"
                    await "now: MadT tracker (2 of 5)"
                    exit 1
                    ;;
                esac
                echo "Downloading from central: https://repo.maven.apache.org/a/foo-1.0.jar"
                await "now: fetching foo-1.0.jar"
                """);
        ProcessBuilder builder = new ProcessBuilder(home.resolve("madt").toString(), "--help")
                .directory(home.toFile())
                .redirectError(home.resolve("said").toFile());
        builder.environment().put("JAVA_HOME", home.resolve("java").toString());
        builder.environment().merge("PATH", home + "/bin:", (old, own) -> own + old);
        Process process = builder.start();
        assertEquals("started\n", new String(process.getInputStream().readAllBytes()));
        assertEquals(0, process.waitFor());
        List<String> said = Files.readAllLines(home.resolve("said"));
        assertEquals("madt: building (once; the first time fetches libraries)", said.get(0));
        assertTrue(
                said.stream().skip(1).allMatch(line -> line.startsWith("madt: building for ")),
                said.toString());
    }

    /** The JVM passes over options that it does not know, mistyped ones too. */
    @ParameterizedTest
    @ValueSource(strings = {"run true", "run --text - true", "info t.madt", "report t.madt"})
    void shouldGiveTheJvmOptionsThatItKnows(String command) throws Exception {
        script(directory.resolve("java/bin/java"), "printf '%s\\n' \"$@\"\n");
        List<String> words = new ArrayList<>(List.of(MadtRun.launcher().toString()));
        words.addAll(List.of(command.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("JAVA_HOME", directory.resolve("java").toString());
        Process process = builder.start();
        List<String> options = new String(process.getInputStream().readAllBytes())
                .lines()
                .filter(line -> line.startsWith("-X") || line.startsWith("--"))
                .takeWhile(line -> !line.equals("--text"))
                .filter(line -> !line.equals("-XX:+IgnoreUnrecognizedVMOptions"))
                .filter(line -> !line.startsWith("-XX:SharedArchiveFile="))
                .toList();
        assertTrue(options.contains("-XX:ArchiveRelocationMode=0"), options.toString());
        List<String> java = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        java.addAll(options);
        java.add("-version");
        MadtRun run = MadtRun.process(directory, java).expect(0);
        assertTrue(run.errors().lines().noneMatch(line -> line.contains("warning")), run.errors());
    }

    @Test
    void shouldStartWithinALimitOfAddressesOrSayThatItCannot() throws Exception {
        assertEquals(
                "0 madt " + version(),
                limited(3_000_000, "--version"),
                "what is enough for a small heap");
        for (String command : List.of("run true", "trace true", "print t.madt")) {
            String said = limited(400_000, command);
            assertTrue(
                    said.startsWith(command.startsWith("print") ? "1 " : "125 ")
                            && said.contains("madt: Java cannot start: the limits of this shell")
                            && said.contains("ulimit -v 400000")
                            && said.lines().count() == 1,
                    said);
        }
    }

    @Test
    void shouldNameTheLimitOfDescriptorsOrOfFilesThatItMeets() throws Exception {
        for (String command : List.of("run true", "trace true", "print t.madt")) {
            String said = under("-n 12", command);
            assertTrue(
                    said.startsWith(command.startsWith("print") ? "1 " : "125 ")
                            && said.contains("madt: Java cannot work: the limits of this shell")
                            && said.contains("ulimit -n 12")
                            && said.lines().count() == 1,
                    said);
        }
        assertEquals("0 madt " + version(), under("-n 40", "--version"));
        String said = under("-f 4", "run -o /dev/null -- true");
        assertTrue(
                said.startsWith("125 ")
                        && said.contains("file too large (ulimit -f). To limit the program alone:"),
                said);
    }

    @Test
    void shouldNameTheLimitOfThreads() throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        for (String command : List.of("run", "report")) {
            MadtRun run = user.command(List.of(
                    "bash",
                    "-c",
                    "ulimit -u 30; exec \"$0\" \"$@\"",
                    MadtRun.launcher().toString(),
                    command,
                    "true"));
            run.expect(command.equals("run") ? 125 : 1);
            assertTrue(
                    run.errors()
                                    .startsWith("madt: Java cannot work: the limits of this shell"
                                            + " leave it too few threads (ulimit -u 30;")
                            && run.errors().lines().count() == 1,
                    run.errors());
        }
    }

    private static String version() throws Exception {
        return limited(4_000_000, "--version").replaceFirst("\\A0 madt ", "");
    }

    /** The status and what is said under a limit in KiB. */
    private static String limited(long limit, String command) throws Exception {
        return under("-v " + limit, command);
    }

    private static String under(String limit, String command) throws Exception {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit " + limit + "; exec \"$0\" " + command,
                        MadtRun.launcher().toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        return process.waitFor() + " " + said;
    }
}
