package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types of blocks that templates allocate: the arguments of the templates tell them. */
class TemplateTypesIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"g++, -O0", "g++, -O2", "clang++, -O0", "clang++, -O1"})
    void shouldKnowTheArgumentsOfTemplates(String compiler, String level) throws Exception {
        Path program = directory.resolve("pools");
        Path source = MadtRun.root().resolve("testprogs/names/pools.cpp");
        MadtRun.command(
                        directory,
                        List.of(
                                compiler,
                                "-g",
                                level,
                                "-std=c++17",
                                "-o",
                                program.toString(),
                                source.toString()))
                .expect(0);
        String trace = directory.resolve("pools.madt").toString();
        MadtRun.madt(directory, "run", "-qf", "-o", trace, "--", program.toString())
                .expect(0);
        assertEquals(Map.of("Leaf?", 4, "unsigned int?", 1, "short?", 1, "long?", 1), types(trace));
    }

    /** Counts the allocating calls of the program by the types of their blocks. */
    private Map<String, Integer> types(String trace) throws Exception {
        Map<String, Integer> types = new TreeMap<>();
        for (List<String> cells : BlockTypes.of(directory, trace)) {
            if (cells.get(0).startsWith("<malloc")) {
                types.merge(cells.get(1), 1, Integer::sum);
            }
        }
        return types;
    }
}
