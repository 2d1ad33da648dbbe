package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.madt.testing.Tier;
import dev.madt.testprogs.Comparison;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of the distribution, of one process and of many, recorded from main: same stdout,
 * stderr, files and status as alone, no line filtered.
 */
@Order(1)
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class WholeProgramsIT {
    @Parameter
    String engine;

    private static final long LEAST_ACCESSES = 1_000;
    private static final String FILES = "printf 'the quick brown fox\n"
            + "jumps over\n"
            + "the lazy dog\n"
            + "' > text; mkdir -p sub/deep; cp text sub/one; seq 1 300 > sub/deep/numbers; ";
    /** Ends the recording by engine trap early, but with the soak profile. */
    private static final List<String> ALL = Tier.SOAK ? List.of() : List.of("--max-events", "8000");
    /** Ends it early with that too, where the whole one would take minutes. */
    private static final List<String> CUT = List.of("--max-events", Tier.SOAK ? "200000" : "8000");

    /** Holds what engine trap runs in every verification; in the soak profile it runs all. */
    private static final Set<String> TRAP = Set.of("bash", "sqlite3", "xz");

    @TempDir
    Path directory;

    static Stream<Arguments> commands() {
        return Tier.SOAK ? Stream.of(kinds(), more(), compilers()).flatMap(all -> all) : kinds();
    }

    private static Stream<Arguments> compilers() {
        return Stream.of(
                of(
                        "printf '#include <stdio.h>\n"
                                + "int main(void) { puts(\"hello\"); return 0; }\n"
                                + "' > hello.c",
                        CUT,
                        "gcc",
                        "-c",
                        "hello.c"),
                of(
                        "printf 'all: a.o b.o\n"
                                + "%%.o: %%.c\n"
                                + "\t$(CC) -c $<\n"
                                + "' > Makefile; echo 'int a(void) { return 1; }' > a.c; echo"
                                + " 'int b;'"
                                + " > b.c",
                        CUT, "make", "-j2", "-s"));
    }

    /** A shell with many children, interpreters, a database, threads, and what builds others. */
    private static Stream<Arguments> kinds() {
        return Stream.of(
                shell(
                        "echo one | sed s/one/two/ | cat; (exit 3); echo $?; echo $(ls sub) > out;"
                                + " wc -l < sub/deep/numbers",
                        ALL),
                of(
                        "",
                        ALL,
                        "perl",
                        "-e",
                        "my %h; $h{$_ % 7} .= $_ for 1..50; print join(',', map {\"$_=$h{$_}\"}"
                                + " sort keys %h), \"\\n"
                                + "\"; exit 5"),
                of(
                        FILES,
                        ALL,
                        "sqlite3",
                        "file.db",
                        "create table t(a, b); begin; insert into t values(1, 'x'), (2, 'y');"
                                + " commit; begin; delete from t; rollback; select a, b from t"
                                + " order by"
                                + " a desc"),
                of(FILES, ALL, "xz", "-T2", "-k", "-0", "text"),
                of("", ALL, "env", "-i", "A=1", "B=two words", "env"),
                of(
                        "printf 'all: a.o b.o\n"
                                + "%%.o: %%.c\n"
                                + "\t@cp $< $@; echo $@; test -s $@\n"
                                + "' > Makefile; echo 'int a(void) { return 1; }' > a.c; echo"
                                + " 'int b;' > b.c",
                        CUT, "make", "-s"));
    }

    private static Stream<Arguments> more() {
        return Stream.of(
                of(
                        "",
                        ALL,
                        "lua5.4",
                        "-e",
                        "local t = {} for i = 1, 200 do t[i] = tostring(i * i) end"
                                + " print(#table.concat(t)) os.exit(4)"),
                shell("gzip -k text; gunzip -c text.gz; gzip -t text.gz", ALL),
                shell("tar c --sort=name --mtime=@0 sub | tar t", ALL),
                of(
                        FILES,
                        ALL,
                        "find",
                        ".",
                        "-name",
                        "*e*",
                        "-newermt",
                        "2000-01-01",
                        "-size",
                        "-9k"),
                of(
                        FILES,
                        ALL,
                        "awk",
                        "{ n += length($0); w[$1]++ } END { for (k in w) c++; print n, c, NR }",
                        "text"),
                of(
                        "git init -q . && git config user.email a@b && git config user.name n &&"
                                + " echo x > f && git add f && git commit -qm one && echo y >> f &&"
                                + " echo z > g",
                        ALL,
                        "git",
                        "status"),
                of("", ALL, "env", "-u", "SHLVL", "-u", "_"),
                of("", CUT, "/usr/bin/python3", "-c", "print(1)"));
    }

    private static Arguments of(String files, List<String> options, String... command) {
        return arguments(List.of(command), files, options);
    }

    private static Arguments shell(String line, List<String> options) {
        return of(FILES, options, "bash", "-c", line);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldBehaveAsAloneAndBeRecordedWhole(
            List<String> command, String files, List<String> options) throws Exception {
        assumeTrue(
                engine.equals("splice") || Tier.SOAK || TRAP.contains(command.get(0)),
                "engine trap takes minutes for all");
        List<String> all = new ArrayList<>(List.of("--engine", engine));
        all.addAll(engine.equals("trap") ? options : List.of());
        List<Path> traces =
                new Comparison(directory, files.isEmpty() ? "true" : files, all).check(command);
        long accesses = Comparison.accesses(traces);
        System.out.printf(
                "%s: %,d accesses in %d traces%n", command.get(0), accesses, traces.size());
        assertTrue(accesses >= LEAST_ACCESSES, accesses + " accesses");
    }
}
