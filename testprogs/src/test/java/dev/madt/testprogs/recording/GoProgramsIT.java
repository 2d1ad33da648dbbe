package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Go's own tests, its goroutines and its signals: recorded, all is as alone. */
@Soak
class GoProgramsIT {
    /** A test of Go's that has ended, as {@code -test.v} tells it. */
    private static final Pattern ENDED = Pattern.compile("(?m)^ *--- (PASS|FAIL|SKIP): (\\S+) \\(");

    @TempDir
    Path directory;

    private MadtRun shell(Path folder, String script) throws Exception {
        return MadtRun.command(
                folder,
                List.of(
                        "sh",
                        "-c",
                        "export CGO_ENABLED=0 GOCACHE=" + directory + "/cache; " + script));
    }

    private List<String> recorded(Path program) {
        return List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "-f",
                "--no-hottest",
                "-o",
                directory.resolve("t.madt").toString(),
                "--",
                program.toString());
    }

    /**
     * Most tests of the package; not those that have gdb read a program, which take an hour where
     * gdb is recorded. One that fails when all are recorded may have been too slow, and gets
     * another chance by itself.
     */
    @ParameterizedTest
    @ValueSource(strings = {"sync", "os/signal", "net", "runtime"})
    void shouldPassTheTestsOfGo(String name) throws Exception {
        Path source = Path.of(shell(directory, "go env GOROOT").expect(0).text().strip())
                .resolve("src")
                .resolve(name);
        Path program = directory.resolve("tests");
        shell(source, "go test -c -o " + program + " " + name).expect(0);
        String few = String.join(
                "|",
                MadtRun.command(source, List.of(program.toString(), "-test.list", "."))
                        .expect(0)
                        .text()
                        .lines()
                        .filter(test -> test.startsWith("Test") && !test.startsWith("TestGdb"))
                        .toList());
        Map<String, String> alone = results(source, List.of(program.toString()), few);
        Map<String, String> recorded = results(source, recorded(program), few);
        List<String> passed = alone.keySet().stream()
                .filter(test -> alone.get(test).equals("PASS"))
                .toList();
        List<String> wrong = new ArrayList<>();
        for (String test : passed) {
            if (!"PASS".equals(recorded.get(test))) {
                String whole = test.split("/")[0];
                if (!"PASS".equals(results(source, recorded(program), whole).get(test))) {
                    wrong.add(test);
                }
            }
        }
        System.out.println(name + ": " + passed.size() + " tests of Go pass alone");
        assertEquals(List.of(), wrong);
        assertTrue(passed.size() > 20, () -> "passed alone: " + passed);
    }

    private static Map<String, String> results(Path folder, List<String> command, String tests)
            throws Exception {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("-test.v", "-test.short", "-test.run", "^(" + tests + ")$"));
        Map<String, String> results = new TreeMap<>();
        Matcher ended = ENDED.matcher(MadtRun.command(folder, words).text());
        while (ended.find()) {
            results.put(ended.group(2), ended.group(1));
        }
        return results;
    }

    private Path build(String name) throws Exception {
        Path source = MadtRun.root().resolve("testprogs/go/" + name + ".go");
        shell(directory, "go build -o " + name + " " + source).expect(0);
        return directory.resolve(name);
    }

    @Test
    void shouldHaveAMillionGoroutines() throws Exception {
        MadtRun run = MadtRun.command(directory, recorded(build("million"))).expect(0);
        assertEquals("20100000\n", run.text());
    }

    /** Ten thousand a second; those that come while another one waits are lost, as alone. */
    @Test
    void shouldTakeTenThousandSignalsASecond() throws Exception {
        Files.writeString(
                directory.resolve("send.pl"),
                """
                use Time::HiRes qw(time usleep);
                my ($pid, $began, $sent) = ($ARGV[0], time, 0);
                while (time < $began + 4) {
                    for (my $due = (time - $began) * 10000; $sent < $due; $sent++) {
                        kill URG => $pid or exit 1;
                    }
                    usleep 100;
                }
                print $sent, "\\n";
                """);
        String script = String.join(" ", recorded(build("urgent")))
                + """
                 >said & madt=$!
                until [ -s said ]; do sleep 0.05; done
                perl send.pl $(head -n 1 said) && wait $madt && cat said
                """;
        MadtRun run = shell(directory, script).expect(0);
        List<String> lines = run.text().lines().toList();
        System.out.println("SIGURG: " + lines);
        assertTrue(Integer.parseInt(lines.get(0)) > 39_000, run.text());
        assertTrue(lines.get(2).matches("0 wrong, [1-9]\\d{2,} seen"), run.text());
    }
}
