package dev.madt.modules;

import dev.madt.resolver.ElfModule;
import java.io.IOException;

/** Says which functions of a module are recorded for another purpose than calls are. */
public interface CallSource {
    /** None. */
    CallSource NONE = (module, elf) -> FunctionRanges.NONE;

    /** Returns these functions, in the order of their addresses. */
    FunctionRanges of(String module, ElfModule elf) throws IOException;
}
