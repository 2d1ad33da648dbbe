package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Go program that does the same in each run, but for Go's own work: its scheduler and allocator
 * work by the time and by the environment, its maps by a seed of each run.
 */
final class GoProgram {
    static final String NAME = "words";
    /**
     * Callgrind ends where a thread gets the signal that takes its processor from a goroutine, and
     * at RDTSCP on processors without it, of which it says that they have it.
     */
    static final List<String> VARIABLES =
            List.of("GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off");

    private static final Pattern PACKAGES = Pattern.compile(
            "(main|errors|fmt|io|math|os|reflect|sort|strconv|strings|unicode/utf8)\\..*");

    private static final Pattern HEADER = Pattern.compile("([0-9a-f]+) <(.*)>:");
    private static final Pattern INSTRUCTION = Pattern.compile(" *([0-9a-f]+):\\t(.*)");
    /** Leads to the growth of the stack, behind the comparison with where it ends. */
    private static final Pattern GROWS = Pattern.compile("jbe +([0-9a-f]+) .*");

    private final Path directory;

    /** Builds the program {@code words} in a directory. */
    GoProgram(Path directory) throws Exception {
        this.directory = directory;
        MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                "CGO_ENABLED=0 GOCACHE=$PWD/cache go build -o words "
                                        + MadtRun.root() + "/testprogs/go/words.go"))
                .expect(0);
    }

    /** Returns the program's file. */
    Path file() {
        return directory.resolve(NAME);
    }

    /**
     * Returns which instructions are executed as often in each run, and have accesses that are
     * recorded: not in thread-local storage. The first instructions of a function, up to the jump
     * for a larger stack, and what it leads to, are executed again whenever the stack grows, and
     * where the scheduler asks for the processor.
     */
    LongPredicate compared() throws Exception {
        TreeMap<Long, Boolean> ranges = new TreeMap<>();
        boolean within = false;
        boolean begins = false;
        long grows = 0;
        ranges.put(0L, false);
        for (String line : MadtRun.command(
                        directory, List.of("objdump", "-d", "--no-show-raw-insn", "words"))
                .expect(0)
                .text()
                .lines()
                .toList()) {
            Matcher header = HEADER.matcher(line);
            Matcher instruction = INSTRUCTION.matcher(line);
            if (header.matches()) {
                begins = true;
                within = PACKAGES.matcher(header.group(2)).matches();
                ranges.put(Long.parseLong(header.group(1), 16), false);
            } else if (instruction.matches()) {
                long address = Long.parseLong(instruction.group(1), 16);
                String text = instruction.group(2);
                Matcher jump = GROWS.matcher(text);
                if (!begins) {
                    ranges.put(address, within && address < grows && !text.contains("%fs:"));
                } else if (jump.matches()) {
                    grows = Long.parseLong(jump.group(1), 16);
                    begins = false;
                }
            }
        }
        return address -> ranges.floorEntry(address).getValue();
    }
}
