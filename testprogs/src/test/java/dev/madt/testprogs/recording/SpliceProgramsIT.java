package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.madt.testing.Soak;
import dev.madt.testing.Tier;
import dev.madt.testprogs.Comparison;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole programs, with more input than engine trap has time for, under engine splice, from main to
 * exit, with all their processes: same stdout, stderr, files and status as alone. The large inputs
 * are in the soak profile.
 */
class SpliceProgramsIT {
    private static final String ROWS =
            "create table t(id integer primary key, a text, b real); begin; with recursive c(x) as"
                    + " (select 1 union all select x + 1 from c where x < ROWS) insert into t"
                    + " select x,"
                    + " 'name ' || (x * 7919 % 10007), x / 3.0 from c; commit; create index i"
                    + " on t(a);"
                    + " select count(*), sum(b), min(a), max(a) from t; select a, b from t where a"
                    + " between 'name 50' and 'name 501' order by b desc limit 20";

    /** 1,000 lines, few of which cost the optimiser anything. */
    private static final String SOURCE =
            "seq 0 991 | sed 's/.*/int v& = & * 7 % 311;/' > generated.c; for i in 1 2; do printf"
                    + " 'int f%d(int x)\\n"
                    + "{\\n"
                    + "\\treturn (v%d += x) * v7 + %d;\\n"
                    + "}\\n"
                    + "' $i $i $i; done >> generated.c";

    private static final String PYTHON =
            """
            import json, re, hashlib, subprocess
            d = {str(i): [i] * 3 for i in range(500)}
            s = json.dumps(d)
            print(len(s), hashlib.sha256(s.encode()).hexdigest(), len(re.findall(r'\\d+', s)))
            try:
                1 / 0
            except ZeroDivisionError as e:
                print(e)
            print(subprocess.run(['echo', 'child'], capture_output=True).stdout)
            raise SystemExit(6)
            """;

    @TempDir
    Path directory;

    static List<Arguments> commands() {
        List<Arguments> all = List.of(
                shell(
                        "seq 1 900 > n",
                        "gzip -n n; gunzip -c n.gz | sort -rn | bzip2 | bunzip2 | xz -T2 -0 | xz"
                                + " -dc | gawk '{ s += $1 * NR; w[$1 % 7]++ } END { for (k in"
                                + " w) c++;"
                                + " print s, c; system(\"echo child\") }'; echo 'scale=20; 4*a(1);"
                                + " 2^200' | bc -l"),
                sqlite(300),
                arguments(
                        List.of(
                                "perl",
                                "-e",
                                "my %h; $h{$_ % 97} .= chr(65 + $_ % 26) for 1..900; my $s = join"
                                        + " ',', map {\"$_=$h{$_}\"} sort keys %h; $s =~"
                                        + " s/(A+)/<$1>/g;"
                                        + " print length($s), \"\\n"
                                        + "\"; print \"$1\\n"
                                        + "\" while $s =~ /(=.{10})/g; eval { die \"x\\n"
                                        + "\" }; print $@; exit 5"),
                        "true"),
                arguments(
                        List.of(
                                "lua5.4",
                                "-e",
                                "local t = {} for i = 1, 900 do t[i] = tostring(i * i) end"
                                        + " table.sort(t) print(#table.concat(t), t[77])"
                                        + " print(pcall(error, 'x')) local co ="
                                        + " coroutine.wrap(function() for i = 1, 3 do"
                                        + " coroutine.yield(i) end end) print(co(), co())"
                                        + " os.exit(4)"),
                        "true"));
        return Tier.some(all, 2);
    }

    static Stream<Arguments> largeCommands() {
        String numbers = "seq 1 20000 > n";
        return Stream.of(
                shell(numbers, "gzip -n n; gunzip -c n.gz | cksum"),
                shell(numbers, "bzip2 n; bunzip2 -c n.bz2 | cksum"),
                shell(numbers, "xz -T2 -6 n; xz -dc n.xz | cksum"),
                shell(numbers, "sort -r n | sort -n --parallel=2 -S 1M | cksum"),
                shell(
                        "true",
                        "echo 'scale=200; 4*a(1); 2^2000; define f(n) { if (n < 2) return n; return"
                                + " f(n-1) + f(n-2) }; f(15)' | bc -l"),
                sqlite(10_000),
                shell(SOURCE, "gcc -O2 -c generated.c -o g.o"),
                arguments(List.of("/usr/bin/python3", "-c", PYTHON), "true"));
    }

    private static Arguments shell(String files, String line) {
        return arguments(List.of("bash", "-c", line), files);
    }

    private static Arguments sqlite(int rows) {
        return arguments(
                List.of("sqlite3", "file.db", ROWS.replace("ROWS", Integer.toString(rows))),
                "true");
    }

    private void check(List<String> command, String files, long least) throws Exception {
        List<Path> traces = new Comparison(directory, files, List.of()).check(command);
        long accesses = Comparison.accesses(traces);
        System.out.printf(
                "splice, %s: %,d accesses in %d traces%n", command.get(0), accesses, traces.size());
        assertTrue(accesses >= least, accesses + " accesses");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldBehaveAsAloneAndBeRecordedWhole(List<String> command, String files)
            throws Exception {
        check(command, files, 100_000);
    }

    @ParameterizedTest
    @MethodSource("largeCommands")
    @Soak
    void shouldBehaveAsAloneWithLargeInput(List<String> command, String files) throws Exception {
        check(command, files, 100_000);
    }

    @Test
    @Soak
    void shouldRunTheTestOfManyMappingsAsAlone() throws Exception {
        Path program = MadtRun.root().resolve("madt-native/target/test/many");
        assertTrue(
                Files.exists(program), () -> program + " is not built: make check in madt-native");
        check(List.of(program.toString(), "exec"), "true", 500);
    }
}
