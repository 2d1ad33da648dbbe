package dev.madt.resolver;

import dev.madt.trace.code.CodeFunctions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Stands for whoever has analysed modules: one table says where functions begin and end, for names
 * and probes.
 */
@FunctionalInterface
public interface FunctionSource {
    /** Has analysed nothing: only what symbol tables list is known. */
    FunctionSource NONE = (module, buildId) -> CodeFunctions.NONE;

    /**
     * Returns the functions of a module.
     *
     * @param buildId of the module; may be empty
     * @throws IOException with the reason if it cannot be analysed
     */
    CodeFunctions functions(Path module, byte[] buildId) throws IOException;

    /** Returns the same source; of a module that cannot be analysed, symbol tables tell some. */
    default FunctionSource orNone() {
        return (module, buildId) -> {
            try {
                return functions(module, buildId);
            } catch (IOException e) {
                return CodeFunctions.NONE;
            }
        };
    }
}
