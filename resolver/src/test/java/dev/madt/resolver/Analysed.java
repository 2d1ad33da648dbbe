package dev.madt.resolver;

import dev.madt.trace.code.CodeFunctions;
import dev.madt.trace.code.CodeMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Modules as recordings see them: with what the analyser finds in them. */
final class Analysed {
    private static final Path TOOL =
            Path.of("..", "madt-native", "target", "analyser", "make_map").toAbsolutePath();

    private Analysed() {}

    static ElfModule open(Path file) throws IOException {
        return ElfModule.open(file, SymbolStore.NONE, (module, id) -> functions(module));
    }

    static ElfModule open(Path file, Path debugRoot) throws IOException {
        FunctionSource source = (module, id) -> functions(module);
        return ElfModule.open(file, debugRoot, SymbolStore.NONE, source.orNone());
    }

    /** Has the analyser make a code map. */
    static CodeFunctions functions(Path module) throws IOException {
        Path map = Files.createTempFile("madt", ".codemap");
        try {
            Process tool = new ProcessBuilder(TOOL.toString(), module.toString(), map.toString())
                    .redirectErrorStream(true)
                    .start();
            String text = new String(tool.getInputStream().readAllBytes());
            if (!tool.waitFor(1, TimeUnit.MINUTES) || tool.exitValue() != 0) {
                throw new IOException(text);
            }
            return CodeMap.open(map).functions();
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            Files.deleteIfExists(map);
        }
    }
}
