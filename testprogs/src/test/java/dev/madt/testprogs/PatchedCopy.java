package dev.madt.testprogs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A copy of the sources, to which patches are applied, with a build of its own: objects and
 * libraries that have not changed are those of the build at hand, which stays as it is. Nothing is
 * fetched.
 */
public final class PatchedCopy implements AutoCloseable {
    /** Folders that no build needs, or that it makes. */
    private static final Set<String> PASSED_OVER = Set.of("target", ".git");

    private static final List<String> PARTS = List.of(
            "tracker",
            "resolver",
            "cli/base",
            "cli/analysis",
            "cli/render",
            "cli/recorder",
            "cli/sql",
            "cli/bench",
            "cli/command");
    /** Compiles once, so that the optimising compiler would not pay. */
    private static final List<String> QUICK =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

    private final Path home;

    /** Copies the sources into a folder, which is empty. */
    public PatchedCopy(Path folder) throws IOException {
        home = folder.resolve("madt");
        copy(MadtRun.root(), home, PASSED_OVER);
        copy(
                MadtRun.root().resolve("madt-native/target"),
                home.resolve("madt-native/target"),
                Set.of("test"));
    }

    /** Times are copied, too, by which make knows what has changed. */
    private static void copy(Path from, Path to, Set<String> passedOver) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                    throws IOException {
                if (!folder.equals(from)
                        && passedOver.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                if (attributes.isRegularFile()) {
                    Files.copy(
                            file,
                            to.resolve(from.relativize(file)),
                            StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Returns a file of the copy. */
    public Path file(String name) {
        return home.resolve(name);
    }

    /** Applies a patch of {@code docs/walks}. */
    public void apply(String walk) throws IOException, InterruptedException {
        String patch = "docs/walks/" + walk + ".patch";
        MadtRun run =
                command("git", "apply", "-C1", MadtRun.root().resolve(patch).toString());
        if (run.status() != 0) {
            throw new AssertionError(patch + " no longer applies to the sources:\n" + run.errors()
                    + "Make its change anew, in a checkout without others: 'git apply --reject "
                    + patch + "', then what is left by hand; 'git add -N .' for new files; 'git "
                    + "diff >" + patch + "'. Leave out what the schema of events makes.");
        }
    }

    /** Writes what is made of the schema of events. */
    public void writeSchema() throws IOException, InterruptedException {
        Path classes = home.resolve("tracker/target/schema");
        List<String> sources = new ArrayList<>();
        for (String name : List.of("EventSchema", "EventSources", "SchemaFiles")) {
            sources.add("tracker/src/test/java/dev/madt/trace/schema/" + name + ".java");
        }
        compile(classes, "", sources);
        List<String> command = new ArrayList<>(List.of(java("java")));
        command.addAll(QUICK);
        command.addAll(List.of("-cp", classes.toString(), "dev.madt.trace.schema.SchemaFiles"));
        command(command.toArray(String[]::new)).expect(0);
    }

    /** Returns the files that differ from those of the build at hand, or that it does not have. */
    public Set<String> changed() throws IOException {
        Set<String> changed = new TreeSet<>();
        Path root = MadtRun.root();
        for (Path file : files(home)) {
            String name = home.relativize(file).toString();
            boolean made = Arrays.asList(name.split("/")).contains("target");
            Path before = root.resolve(name);
            if (!made && (!Files.exists(before) || Files.mismatch(file, before) >= 0)) {
                changed.add(name);
            }
        }
        return changed;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Builds what {@link #madt} needs. */
    public void build() throws IOException, InterruptedException {
        make("target/libmadt.so", "target/libmadtcode.so", "target/libmadtencode.so");
        List<String> sources = new ArrayList<>();
        for (String part : PARTS) {
            for (Path file : files(home.resolve(part).resolve("src/main/java"))) {
                sources.add(file.toString());
            }
            Path resources = home.resolve(part).resolve("src/main/resources");
            Path classes = Files.createDirectories(home.resolve(part).resolve("target/classes"));
            if (Files.isDirectory(resources)) {
                copy(resources, classes, Set.of());
            }
        }
        Path libraries = MadtRun.root().resolve("cli/command/target/lib");
        Files.createSymbolicLink(link(), libraries);
        compile(home.resolve("tracker/target/classes"), libraries.toString(), sources);
        Files.createFile(
                link().resolveSibling(".built")); // the launcher builds where this is older
    }

    /** Makes parts of {@code madt-native}, in half the time that all optimisations take. */
    public void make(String... targets) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("make", "-s", "-j2", "-C", "madt-native", "OPTIMISE=-O1"));
        command.addAll(List.of(targets));
        command(command.toArray(String[]::new)).expect(0);
    }

    private void compile(Path classes, String libraries, List<String> sources)
            throws IOException, InterruptedException {
        Path list = Files.write(home.resolve("target-sources"), sources);
        List<String> command = new ArrayList<>(List.of(java("javac")));
        QUICK.forEach(flag -> command.add("-J" + flag));
        command.addAll(List.of(
                "-proc:none", "-nowarn", "-cp", libraries, "-d", classes.toString(), "@" + list));
        command(command.toArray(String[]::new)).expect(0);
        Files.delete(list);
    }

    /** The libraries of the build at hand, where the launcher looks for them. */
    private Path link() {
        return home.resolve("cli/command/target/lib");
    }

    /** The rest goes with its folder. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(link());
    }

    private static String java(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    private MadtRun command(String... command) throws IOException, InterruptedException {
        return MadtRun.command(home, List.of(command));
    }

    /** Runs the copy's {@code madt} in a folder, with plans of its own. */
    public MadtRun madt(Path directory, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "XDG_CACHE_HOME=" + home.resolve("target"),
                home.resolve("madt").toString()));
        command.addAll(List.of(arguments));
        return MadtRun.command(directory, command);
    }
}
