package dev.madt.modules;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.Signature;
import dev.madt.trace.event.Argument;
import dev.madt.trace.event.Definition;
import java.util.List;

/**
 * Says which values are recorded where a function is entered and left. Of one whose parameters
 * nobody tells these are the six general registers that may hold arguments, and the one that may
 * hold the result.
 */
public final class FunctionValues {
    /** rdi, rsi, rdx, rcx, r8, r9 */
    private static final int REGISTERS = 1 << 7 | 1 << 6 | 1 << 2 | 1 << 1 | 1 << 8 | 1 << 9;

    private static final int RAX = 1;

    private FunctionValues() {}

    /** The signature of a function; null if it is not known. */
    static Signature signature(ElfModule elf, DebugInfo debug, ElfSymbol function) {
        boolean other = debug == null || elf.isClone(function.address());
        return other ? null : debug.signature(function.address());
    }

    static int entering(Signature signature) {
        return signature == null ? REGISTERS : signature.entering();
    }

    static int leaving(Signature signature) {
        return signature == null ? RAX : signature.leaving();
    }

    /**
     * Returns what the words of a template are that tells of a call of a function; null if that is
     * not known.
     *
     * @param enters whether the function is entered there
     */
    public static Definition.Arguments words(
            LoadedModule module,
            DebugInfo debug,
            ElfSymbol function,
            int template,
            boolean enters) {
        Signature signature = signature(module.elf(), debug, function);
        if (signature == null) {
            return null;
        }
        List<Argument> result =
                signature.result() == null ? List.of() : List.of(signature.result());
        return new Definition.Arguments(
                template, enters && signature.more(), enters ? signature.arguments() : result);
    }
}
