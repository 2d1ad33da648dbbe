package dev.madt.resolver.dwarf;

import dev.madt.resolver.CommandOutput;
import dev.madt.testing.RequiredOracles;
import dev.madt.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Test programs compiled in every way that the tests compare, and the addresses of their
 * instructions.
 */
record SampleProgram(String source, String compiler, String level, String version) {
    private static final Path SOURCES = Path.of("../testprogs/src");
    /** Holds what is compiled already, without more options. */
    private static final Map<SampleProgram, byte[]> BUILT = new ConcurrentHashMap<>();

    /** Compilers that are installed, or must be; gcc always is. */
    static List<String> compilers() {
        List<String> found = new ArrayList<>(List.of("gcc"));
        if (RequiredOracles.areRequired() || installed("clang")) {
            found.add("clang");
        }
        return found;
    }

    static boolean installed(String tool) {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, tool))) {
                return true;
            }
        }
        return false;
    }

    /** The given sources as {@link #all}; in the soak profile all test programs besides. */
    static Stream<SampleProgram> allAnd(String... sources) throws IOException {
        if (!Tier.SOAK) {
            return all(sources);
        }
        Set<String> names = new TreeSet<>(List.of(sources));
        try (Stream<Path> files = Files.list(SOURCES)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".c") || name.endsWith(".cpp"))
                    .forEach(names::add);
        }
        return all(names.toArray(String[]::new));
    }

    /**
     * Returns each source at -O0 and -O2 by each compiler, with DWARF 4 and 5 in the soak profile;
     * otherwise with one of them, so that each meets either level and compiler.
     */
    static Stream<SampleProgram> all(String... sources) {
        List<SampleProgram> all = new ArrayList<>();
        for (String source : sources) {
            for (String compiler : compilers()) {
                for (String level : new String[] {"-O0", "-O2"}) {
                    boolean earlier = compiler.equals("gcc") == level.equals("-O0");
                    if (Tier.SOAK || earlier) {
                        all.add(new SampleProgram(source, compiler, level, "-gdwarf-4"));
                    }
                    if (Tier.SOAK || !earlier) {
                        all.add(new SampleProgram(source, compiler, level, "-gdwarf-5"));
                    }
                }
            }
        }
        return all.stream();
    }

    /** Compiles it into a folder; without more options, once for all tests. */
    Path build(Path folder, String... more) throws IOException, InterruptedException {
        Path program = folder.resolve("program");
        if (more.length > 0) {
            return compile(program, more);
        }
        byte[] built = BUILT.get(this);
        if (built == null) {
            BUILT.put(this, Files.readAllBytes(compile(program)));
            return program;
        }
        return Files.write(program, built);
    }

    private Path compile(Path program, String... more) throws IOException, InterruptedException {
        boolean plusPlus = source.endsWith(".cpp");
        String driver =
                plusPlus ? compiler.replace("gcc", "g++").replace("clang", "clang++") : compiler;
        List<String> command = new ArrayList<>(List.of(
                driver,
                "-g",
                version,
                level,
                plusPlus ? "-std=gnu++17" : "-std=gnu11",
                "-w",
                "-fno-stack-protector",
                "-I",
                "../madt-native/include",
                "-o",
                program.toString()));
        command.addAll(List.of(more));
        command.add(file().toString());
        command.add("-lpthread");
        CommandOutput.lines(command.toArray(String[]::new));
        return program;
    }

    private Path file() throws IOException {
        Path own = Path.of("src/test/c", source);
        return Files.exists(own) ? own : SOURCES.resolve(source);
    }

    /** Every instruction of a file, as objdump finds them. */
    static List<Long> instructions(Path program) throws IOException, InterruptedException {
        List<Long> addresses = new ArrayList<>();
        for (String line : CommandOutput.lines(
                "objdump", "-d", "--no-show-raw-insn", "-j", ".text", program.toString())) {
            int colon = line.indexOf(":\t");
            if (colon > 0) {
                addresses.add(Long.parseUnsignedLong(line.substring(0, colon).strip(), 16));
            }
        }
        return addresses;
    }

    @Override
    public String toString() {
        return source + " " + compiler + " " + level + " " + version;
    }
}
