package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that what MadT maps in a target is in no trace; what the target maps is, by whatever name:
 * the address space that the trace of a fork's child begins with is the one that the kernel shows
 * of that child when the program runs alone.
 */
class OwnMappingsIT {
    /**
     * Files with the names of MadT's, mapped by the program, by the child of its fork and by the
     * image that its exec makes.
     */
    private static final String SOURCE =
            """
            #define _GNU_SOURCE
            #include <fcntl.h>
            #include <pthread.h>
            #include <stdio.h>
            #include <sys/mman.h>
            #include <sys/wait.h>
            #include <unistd.h>
            static void touch(int descriptor, int count)
            {
                volatile long *words = mmap(0, 12288, PROT_READ | PROT_WRITE, MAP_SHARED, \
            descriptor, 0);
                if (ftruncate(descriptor, 12288))
                    _exit(9);
                for (int i = 0; i < count; i++)
                    words[i] = i;
            }
            static void touch_all(void)
            {
                char name[64];
                int shared;
                snprintf(name, sizeof name, "/dev/shm/%d.codemap", getpid());
                shared = open(name, O_RDWR | O_CREAT, 0600);
                unlink(name);
                touch(shared, 1019);
                touch(open("p0.b0", O_RDWR | O_CREAT, 0600), 1009);
                touch(memfd_create("p0.ctl", 0), 1013);
            }
            static void copy_maps(void)
            {
                char text[4096];
                int from = open("/proc/self/maps", O_RDONLY), to = open("child.maps", O_WRONLY | \
            O_CREAT | O_TRUNC, 0600);
                for (long n; (n = read(from, text, sizeof text)) > 0;)
                    if (write(to, text, n) != n)
                        _exit(9);
            }
            static void *nothing(void *none)
            {
                return none;
            }
            int main(int argc, char **argv)
            {
                pthread_t thread;
                touch_all();
                if (argc > 1)
                    return 0;
                pthread_create(&thread, 0, nothing, 0);
                pthread_join(thread, 0);
                if (fork() == 0) {
                    copy_maps();
                    touch_all();
                    _exit(0);
                }
                wait(0);
                execl(argv[0], argv[0], "again", (char *)0);
                return 9;
            }
            """;

    /**
     * Unmaps what bears MadT's name, and goes on; but for the text of its own modules, which may be
     * mapped from plans.
     */
    private static final String SWEEPER =
            """
            #include <stdio.h>
            #include <string.h>
            #include <sys/mman.h>
            static volatile long words[1021];
            int main(int argc, char **argv)
            {
                static struct { unsigned long start, end; char rest[400]; } maps[4000];
                FILE *from = fopen("/proc/self/maps", "r");
                int count = 0, unmapped = 0, failed = 0;
                while (count < 4000 && fscanf(from, "%lx-%lx %399[^\\n]", &maps[count].start,
                        &maps[count].end, maps[count].rest) == 3)
                    count++;
                fclose(from);
                for (int i = 0; i < count; i++)
                    if (strstr(maps[i].rest, "madt") && !strstr(maps[i].rest, ".plan")) {
                        failed += munmap((void *)maps[i].start, maps[i].end - maps[i].start) != 0;
                        unmapped++;
                    }
                for (int i = 0; i < 1021; i++)
                    words[i] = i;
                fprintf(stderr, "%d unmapped, %d failed\\n", unmapped, failed);
                return 0;
            }
            """;

    private static final Pattern KERNELS_LINE =
            Pattern.compile("([0-9a-f]+)-([0-9a-f]+) .{4} \\S+ \\S+ \\d+ *(.*)");
    private static final Pattern TRACES_LINE = Pattern.compile(
            "  add 0x([0-9a-f]+)-0x([0-9a-f]+) .* origin 0x[0-9a-f]+ [a-z ]+ (\\[.*\\])");
    /**
     * Says what a library more may change of the loader's own memory; MadT's anonymous memory is
     * more than 1 MiB.
     */
    private static final long LOADERS_OWN = 65_536;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldBeInNoTrace(String engine) throws Exception {
        Path program = compile("own", SOURCE);
        MadtRun.command(directory, List.of(program.toString())).expect(0);
        Map<String, Long> alone =
                sizes(KERNELS_LINE, Files.readString(directory.resolve("child.maps")));
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "-o",
                        "own.madt",
                        "--",
                        program.toString())
                .expect(0);
        int children = 0;
        for (Path trace : traces()) {
            String dump =
                    MadtRun.madt(directory, "dump", trace.toString()).expect(0).text();
            shouldHoldTheProgramsFiles(trace);
            shouldTellOfNothingElse(dump, trace);
            if (dump.lines()
                            .filter(line -> line.startsWith("frame "))
                            .limit(3)
                            .anyMatch(line -> line.contains("MAPS"))
                    && first(dump).contains("p0.b0")) {
                assertSameSizes(alone, sizes(TRACES_LINE, first(dump)), engine);
                children++;
            }
        }
        assertEquals(1, children, "traces that begin with the mappings of a parent");
    }

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldStayWhereAProgramUnmapsWhatItDoesNotKnow(String engine) throws Exception {
        String program = compile("sweeper", SWEEPER).toString();
        MadtRun run = MadtRun.madt(
                        directory, "run", "--engine", engine, "-o", "own.madt", "--", program)
                .expect(0);
        assertTrue(
                Pattern.compile("[1-9]\\d* unmapped, 0 failed")
                        .matcher(run.errors())
                        .find(),
                run.errors());
        String rows = MadtRun.madt(
                        directory, "report", "--by", "block", "--format", "csv", "own.madt")
                .expect(0)
                .text();
        assertTrue(Pattern.compile("(?m)^[0-9.]+,0,1021,.*words").matcher(rows).find(), rows);
    }

    private Path compile(String name, String text) throws Exception {
        Path source = Files.writeString(directory.resolve(name + ".c"), text);
        Path program = directory.resolve(name);
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-pthread",
                                "-o",
                                program.toString(),
                                source.toString()))
                .expect(0);
        return program;
    }

    private List<Path> traces() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> traces = files.filter(
                            file -> file.getFileName().toString().startsWith("own.madt"))
                    .sorted()
                    .toList();
            assertEquals(3, traces.size(), traces.toString());
            return traces;
        }
    }

    private void shouldHoldTheProgramsFiles(Path trace) throws Exception {
        String rows = MadtRun.madt(
                        directory, "report", "--by", "region", "--format", "csv", trace.toString())
                .expect(0)
                .text();
        for (String expected : List.of(
                "0,1009,8072,0,0,\\d+,2,\\[file:p0.b0",
                "0,1013,8104,0,0,\\d+,2,\\[file:memfd:p0.ctl",
                "0,1019,8152,0,0,\\d+,2,\\[file:\\d+.codemap")) {
            assertTrue(Pattern.compile(expected).matcher(rows).find(), expected + " in " + rows);
        }
    }

    private void shouldTellOfNothingElse(String dump, Path trace) throws Exception {
        for (String line : dump.lines().filter(line -> line.contains("-0x")).toList()) {
            assertFalse(
                    line.contains("madt")
                            || line.contains(".plan")
                            || line.contains("session")
                            || line.contains("0x20000"),
                    line);
        }
        String picture =
                MadtRun.madt(directory, "heatmap", trace.toString()).expect(0).text();
        for (String line : picture.lines().skip(1).toList()) {
            assertFalse(line.contains("madt") || line.contains("0x20000"), line);
        }
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        assertFalse(info.contains("libmadt"), info);
    }

    /** The first MAPS frame: the address space at the start. */
    private static String first(String dump) {
        int start = dump.indexOf(": MAPS ");
        return dump.substring(start, dump.indexOf("\nframe ", start));
    }

    /** Bytes mapped by the name that regions have; the stack has no size of its own. */
    private static Map<String, Long> sizes(Pattern form, String text) {
        Map<String, Long> sizes = new TreeMap<>();
        text.lines()
                .map(form::matcher)
                .filter(Matcher::matches)
                .forEach(line -> sizes.merge(
                        region(line.group(3)),
                        Long.parseUnsignedLong(line.group(2), 16)
                                - Long.parseUnsignedLong(line.group(1), 16),
                        Long::sum));
        sizes.keySet().removeAll(List.of("[stack]", "[vsyscall]"));
        return sizes;
    }

    private static String region(String name) {
        String known = name.replace(" (deleted)", "").replaceFirst("\\d+\\.codemap", "PID.codemap");
        return known.isEmpty()
                ? "[anon]"
                : known.startsWith("/")
                        ? "[file:" + known.substring(known.lastIndexOf('/') + 1) + "]"
                        : known;
    }

    private static void assertSameSizes(
            Map<String, Long> alone, Map<String, Long> told, String engine) {
        System.out.printf("mappings of a fork's child under engine %s: %s%n", engine, told);
        long difference = told.getOrDefault("[anon]", 0L) - alone.getOrDefault("[anon]", 0L);
        assertTrue(
                Math.abs(difference) <= LOADERS_OWN,
                "anonymous memory: " + told + " instead of " + alone);
        alone.remove("[anon]");
        told.remove("[anon]");
        assertEquals(alone, told);
    }
}
