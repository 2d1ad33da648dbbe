package dev.madt.generated;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The functions that a process has made as it ran, as far as its runtime tells perf of them: in
 * {@code /tmp/perf-PID.map}, and in a jitdump file, which the process has mapped. The files are
 * looked for when somebody asks for an address, and followed as they grow.
 */
public final class GeneratedCode {
    /** Says how long no other file is looked for. */
    private static final long MOMENT_NANOS = 100_000_000;

    private static final Pattern DUMP = Pattern.compile("(?m) (/.*/jit-\\d+\\.dump)$");
    private static final Pattern NUMBERS = Pattern.compile("(?m)^NSpid:.*\\s(\\d+)$");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FunctionsByAddress functions = new FunctionsByAddress();
    private final FunctionsByAddress told = new FunctionsByAddress();
    private final List<GrowingSource> sources = new ArrayList<>();
    private final Set<Path> known = new HashSet<>();
    private final Path process;
    private final Path temporary;
    private final int pid;
    private long looked;
    private boolean begun;

    public GeneratedCode(int pid) {
        this(pid, Path.of("/tmp"));
    }

    /** @param temporary where perf maps are if the process's own root is not to be seen */
    GeneratedCode(int pid, Path temporary) {
        this.pid = pid;
        this.temporary = temporary;
        this.process = Path.of("/proc", Integer.toString(pid));
    }

    /** Returns the function around an address as it is now, or null. */
    public GeneratedFunction at(long address) {
        look();
        for (Iterator<GrowingSource> all = sources.iterator(); all.hasNext(); ) {
            try {
                all.next().follow();
            } catch (IOException e) {
                all.remove(); // it is none, or has been cut: what was read stays
            }
        }
        return functions.at(address);
    }

    /**
     * Returns the function around an address, if it is another one than was returned for this
     * address before; else null.
     */
    public GeneratedFunction newAt(long address) {
        GeneratedFunction function = at(address);
        if (function == null || function.equals(told.at(address))) {
            return null;
        }
        told.add(function);
        return function;
    }

    /** The process has mapped a file: a jitdump is mapped so that perf knows of it. */
    public void mapped(String file) {
        if (DUMP.matcher(" " + file).find()) {
            add(process.resolve("root" + file), JitDump::new);
            add(Path.of(file), JitDump::new); // it has ended
        }
    }

    private void look() {
        if (begun && System.nanoTime() - looked < MOMENT_NANOS) {
            return;
        }
        begun = true;
        looked = System.nanoTime();
        try {
            perfMaps().forEach(file -> add(file, PerfMap::new));
            Matcher dumps = DUMP.matcher(text("maps"));
            while (dumps.find()) {
                add(process.resolve("root" + dumps.group(1)), JitDump::new);
            }
        } catch (IOException e) {
            add(temporary.resolve("perf-" + pid + ".map"), PerfMap::new); // it has ended
        }
    }

    /** In the root that the process has, by the number that it has there itself. */
    private List<Path> perfMaps() throws IOException {
        Matcher numbers = NUMBERS.matcher(text("status"));
        String own = numbers.find() ? numbers.group(1) : Integer.toString(pid);
        return List.of(
                process.resolve("root/tmp/perf-" + own + ".map"),
                temporary.resolve("perf-" + pid + ".map"));
    }

    private String text(String name) throws IOException {
        return new String(Files.readAllBytes(process.resolve(name)), StandardCharsets.ISO_8859_1);
    }

    private interface Opening {
        GrowingSource open(Path file, FunctionsByAddress functions) throws IOException;
    }

    private void add(Path file, Opening opening) {
        try {
            Path real = file.toRealPath();
            if (isOwn(real) && known.add(real)) {
                sources.add(opening.open(real, functions));
            }
        } catch (IOException e) {
            // it is not there, or nobody may read it
        }
    }

    /**
     * Returns whether a file is the process's: of its user or of root, as perf asks for, and not
     * left behind by a process that had its number before.
     */
    private boolean isOwn(Path file) throws IOException {
        if (!Files.exists(process)) {
            return true;
        }
        UserPrincipal owner = Files.getOwner(file);
        Instant begin = ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().startInstant())
                .orElse(Instant.MIN);
        return (owner.equals(Files.getOwner(process)) || owner.getName().equals("root"))
                && !Files.getLastModifiedTime(file).toInstant().isBefore(begin.minus(SECOND));
    }
}
