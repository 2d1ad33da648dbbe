package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockTracker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Go's blocks are those that the program says it has got, with their sizes and types. */
class GoBlocksIT {
    private static final int ROUNDS = 9;
    private static final int WORKERS = 8;
    private static final String OWN = "main.(*worker).of";

    /** One for all builds: Go compiles its library into it. */
    @TempDir
    private static Path cache;

    @TempDir
    private Path directory;

    /** Follows blocks as the trace tells them. */
    private static final class Blocks extends QuietConsumer {
        private final MemberTypes types = new MemberTypes();
        private final BlockTracker tracker = new BlockTracker();
        private final TreeMap<Long, String> functions = new TreeMap<>();
        /** As the program writes them: function, type, address, size. */
        private final List<String> told = new ArrayList<>();
        /** By function and offset, the stores of such functions to blocks that they have got. */
        private final Map<String, Integer> stores = new TreeMap<>();

        private String functionAt(long code) {
            Map.Entry<Long, String> function = functions.floorEntry(code);
            return function == null ? "" : function.getValue();
        }

        @Override
        public void define(Definition definition) {
            types.define(definition);
            if (definition instanceof Definition.Symbol symbol && symbol.code()) {
                functions.put(symbol.address(), symbol.name());
            }
        }

        @Override
        public void ring(TraceEvent event) {
            tracker.apply(event);
            if (event.type() == RingEventType.GO_ALLOC) {
                TraceEvent.Allocation block = (TraceEvent.Allocation) event;
                told.add(functionAt(block.code()).replace("main.(*worker).", "") + " "
                        + types.nameOfTold(block.goType(), block.size()) + " "
                        + Long.toHexString(block.address()) + " " + block.size());
            }
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            String by = functionAt(site.address());
            Block block = store && by.startsWith(OWN) ? tracker.find(address) : null;
            String got = block == null ? "" : functionAt(block.code());
            if (got.equals(by) || got.equals("reflect.New")) {
                stores.merge(
                        by.substring(OWN.length()) + "+" + (address - block.address()),
                        1,
                        Integer::sum);
            }
        }
    }

    private void build(String environment, String flags) throws Exception {
        assumeTrue(
                MadtRun.command(Path.of("/"), List.of("sh", "-c", "command -v go"))
                                .status()
                        == 0,
                "golang-go");
        Files.copy(MadtRun.root().resolve("testprogs/go/blocks.go"), directory.resolve("main.go"));
        String build = environment + " GO111MODULE=off GOCACHE=" + cache + " go build " + flags
                + " -o program main.go";
        MadtRun.command(directory, List.of("sh", "-c", build)).expect(0);
    }

    private MadtRun record(int processors, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-q", "-f", "-o", "t.madt"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "./program", "" + ROUNDS, "" + processors));
        return MadtRun.madt(directory, words.toArray(String[]::new)).expect(0);
    }

    @ParameterizedTest
    @CsvSource({"4, CGO_ENABLED=0, ''", "1, CGO_ENABLED=0, -ldflags='-s -w'"})
    @SoakCases({"4, CGO_ENABLED=1, -ldflags=-linkmode=external", "2, '', -buildmode=pie"})
    void shouldTellTheBlocksThatTheProgramHasGot(int processors, String environment, String flags)
            throws Exception {
        build(environment, flags);
        List<String> said = record(processors).text().lines().toList();
        Blocks blocks = TraceFile.read(directory.resolve("t.madt"), new Blocks());
        List<String> missing = new ArrayList<>(said);
        blocks.told.forEach(missing::remove);
        assertEquals(List.of(), missing, () -> String.join("\n", blocks.told));
        int all = ROUNDS * WORKERS;
        assertEquals(all, blocks.stores.get("Tiny+1"));
        assertEquals(all, blocks.stores.get("Node+24"));
        assertEquals(all, blocks.stores.get("Reflect+8"));
        assertEquals(4 * all + WORKERS, said.size());
    }

    /** Looks whether what was worked out of the code is found sound, and not made again. */
    @Test
    void shouldKeepWhatItKnowsOfTheCode() throws Exception {
        build("CGO_ENABLED=0", "");
        Map<String, FileTime> made = kept();
        for (String name : made.keySet()) {
            if (name.endsWith(".symbols")) {
                Files.delete(directory.resolve("kept/madt/" + name));
            }
        }
        made.keySet().removeIf(name -> !name.endsWith(".codemap"));

        Map<String, FileTime> again = kept();

        again.keySet().retainAll(made.keySet());
        assertEquals(made, again);
        assertTrue(!made.isEmpty());
    }

    /** Records with a cache of its own, and returns when the files of that were made. */
    private Map<String, FileTime> kept() throws Exception {
        List<String> words = List.of(
                "env",
                "XDG_CACHE_HOME=" + directory.resolve("kept"),
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "-f",
                "-o",
                "t.madt",
                "./program",
                "1",
                "1");
        MadtRun.command(directory, words).expect(0);
        Map<String, FileTime> made = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory.resolve("kept/madt"))) {
            for (Path file : files.toList()) {
                made.put(file.getFileName().toString(), Files.getLastModifiedTime(file));
            }
        }
        return made;
    }

    @Test
    void shouldClaimNothingOfEnds() throws Exception {
        build("CGO_ENABLED=0", "");
        record(4);
        MadtRun leaks = MadtRun.madt(directory, "report", "--leaks", "t.madt").expect(0);
        assertTrue(leaks.errors().contains("Go's blocks are left out"), leaks.errors());
        assertTrue(!leaks.text().contains("mallocgc"), leaks.text());
        String defects = MadtRun.madt(directory, "defects", "t.madt").expect(0).text();
        assertTrue(defects.startsWith("No defect"), defects);
        assertTrue(defects.contains("what is wrong with Go's blocks"), defects);
        String sites = MadtRun.madt(
                        directory, "report", "--by", "site", "--format", "csv", "t.madt")
                .expect(0)
                .text();
        assertTrue(sites.contains("<mallocgc@main.(*worker).ofNode+"), sites);
        assertTrue(sites.contains("<mallocgc@main.(*worker).ofReflect+"), sites);
        String types = MadtRun.madt(
                        directory, "report", "--by", "type", "--format", "csv", "t.madt")
                .expect(0)
                .text();
        assertTrue(types.contains(",main.node\n"), types);
        assertTrue(types.contains(",[]main.pair[int32]\n"), types);
    }
}
