package dev.madt.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Programs that others wrote, with work for them: interpreters, a database, a compiler, printf. */
final class TrappingPrograms {
    /**
     * One of them.
     *
     * @param command the first word is a file with its path
     * @param input what it reads
     */
    record Case(String name, List<String> command, Path input) {}

    private static final int LINES = 1000;
    private static final String QUERIES =
            """
            create table t(a integer primary key, b text, c real);
            with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)
                insert into t select i, 'name' || (i % 977), i * 0.37 from n;
            create index tb on t(b);
            select count(*), max(s) from (select b, sum(c) s from t group by b);
            """;
    private static final String PERL =
            """
            my (%h, @w);
            for my $i (1 .. 60000) {
                my $s = "key" . ($i % 4999);
                $h{$s} += $i;
                push @w, $s if $s =~ /9(\\d)7$/;
            }
            my $t = 0;
            $t += $h{$_} * length($_) for sort keys %h;
            print scalar(@w), " $t ", join(",", map { sprintf "%.3f", $_ / 7 } 1 .. 50), "\\n";
            """;
    private static final String PYTHON =
            """
            d = {}
            for i in range(60000):
                k = "key%d" % (i % 4999)
                d[k] = d.get(k, 0) + i
            class P:
                def __init__(self, x): self.x = x
                def f(self): return self.x * 2 + 1
            print(sum(P(i).f() for i in range(30000)))
            print(sum(v * len(k) for k, v in sorted(d.items())))
            print([float(x) / 7 for x in range(20)], sorted(str(x) for x in range(100))[:5])
            """;
    private static final String LUA =
            """
            local t, keys, s = {}, {}, 0
            for i = 1, 60000 do local k = "key" .. (i % 4999); t[k] = (t[k] or 0) + i end
            for k in pairs(t) do keys[#keys + 1] = k end
            table.sort(keys)
            for _, k in ipairs(keys) do s = s + t[k] * #k end
            print(s, string.format("%.3f", s / 7), ("hello world"):gsub("o", "0"))
            """;

    private final Path home;
    private final Path folder;

    /** The files of the programs' work go into the folder. */
    TrappingPrograms(Path home, Path folder) {
        this.home = home;
        this.folder = folder;
    }

    /** All, in the order of the report. The first words of commands need not exist. */
    List<Case> all() throws IOException {
        Path doubles = home.resolve("madt-native/target/bench/traps_doubles");
        Path queries = file("queries.sql", QUERIES);
        Path nothing = file("nothing", "");
        return List.of(
                new Case("sqlite3", List.of("/usr/bin/sqlite3", ":memory:"), queries),
                new Case("printf", List.of(doubles.toString(), "100000"), nothing),
                script("perl", "/usr/bin/perl", PERL),
                script("python3", "/usr/bin/python3", PYTHON),
                script("lua", "/usr/bin/lua5.4", LUA),
                new Case("gcc -O2", compiler(file("work.c", source())), nothing));
    }

    private Case script(String name, String interpreter, String text) throws IOException {
        Path script = file("work." + name, text);
        return new Case(name, List.of(interpreter, script.toString()), folder.resolve("nothing"));
    }

    private static List<String> compiler(Path source) throws IOException {
        return List.of(compiler(), "-quiet", "-O2", "-o", "/dev/null", source.toString());
    }

    /** The compiler proper, without the driver, which only starts it. */
    static String compiler() throws IOException {
        Process asked = new ProcessBuilder("gcc", "-print-prog-name=cc1")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        asked.getOutputStream().close();
        return new String(asked.getInputStream().readAllBytes()).strip();
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** C of a thousand lines: functions with a loop, a switch and a call of the one before. */
    private static String source() {
        StringBuilder text = new StringBuilder();
        text.append("int printf(const char *, ...);\n");
        text.append("static int f0(int a, const char *s) { return a + *s; }\n");
        for (int i = 1, lines = 3; lines < LINES; i++, lines += 18) {
            text.append(function(i));
        }
        return text.append("int main(void) { return g1(3) + f0(3, \"hello\"); }\n")
                .toString();
    }

    private static String function(int number) {
        return """
            static int f%1$d(int a, const char *s)
            {
                int r = a;
                for (int i = 0; s[i]; i++)
                    switch (s[i] & 7) {
                    case 0: r += i * %2$d; break;
                    case 1: r ^= a << (i & 3); break;
                    case 2: r -= f%3$d(i, s + i); break;
                    case 3: r = r / 3; break;
                    case 5: r *= 7; break;
                    default: r++;
                    }
                double d = r * 0.5;
                if (d > %2$d.5)
                    printf("%%d %%g\\n", r, d);
                return r;
            }
            int g%1$d(int n) { return f%1$d(n, "text"); }
            """
                .formatted(number, number * 37 % 101, number - 1);
    }
}
