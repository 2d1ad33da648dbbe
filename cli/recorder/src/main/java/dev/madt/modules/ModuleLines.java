package dev.madt.modules;

import dev.madt.resolver.demangle.ShortNames;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.SourceFrame;
import dev.madt.resolver.type.Type;
import dev.madt.trace.codec.DeclarationsFrame;
import dev.madt.trace.codec.SourcesFrame;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.SourceLevel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The source lines of a module's code, kept or read in its debug information. Not for use by
 * several threads.
 */
public final class ModuleLines {
    private final DebugInfo info;
    private final KeptLines kept;
    /** Null if nothing is kept. */
    private final Path file;

    private final Map<String, Boolean> sources = new HashMap<>();

    /** @param file where it is kept; null if nothing is */
    ModuleLines(DebugInfo info, Path file) {
        this.info = info;
        this.file = file;
        this.kept = KeptLines.of(file);
    }

    /**
     * Everything known of an instruction.
     *
     * @param levels its functions and lines as a frame of source lines has them; empty where
     *     nothing is known
     * @param declarations where those of the functions are that the source gives no name, as a
     *     frame of declarations has it; or empty
     */
    public record Lines(ByteBuffer levels, ByteBuffer declarations) {
        private static final Lines NONE = new Lines(ByteBuffer.allocate(0), ByteBuffer.allocate(0));

        /** In front are the declarations, and their length u32. */
        private static Lines of(ByteBuffer entry) {
            if (!entry.hasRemaining()) {
                return NONE;
            }
            int length = entry.getInt(0);
            int end = Integer.BYTES + length;
            return new Lines(
                    entry.slice(end, entry.limit() - end), entry.slice(Integer.BYTES, length));
        }
    }

    /** Says what is known of an instruction. */
    public Lines lines(LoadedModule module, long code) {
        long address = code - module.bias();
        ByteBuffer known = kept.find(address);
        if (known != null) {
            return Lines.of(known);
        }
        byte[] read = read(module, code);
        kept.add(address, read);
        return Lines.of(ByteBuffer.wrap(read).order(ByteOrder.LITTLE_ENDIAN));
    }

    private byte[] read(LoadedModule module, long code) {
        List<SourceFrame> frames = info.frames(code - module.bias());
        List<SourceLevel> levels = levels(frames, module, code);
        if (levels.isEmpty()) {
            return new byte[0];
        }
        byte[] declarations = declarations(frames, levels, module, code);
        byte[] lines = SourcesFrame.levels(levels, callers(levels, module, code));
        return ByteBuffer.allocate(Integer.BYTES + declarations.length + lines.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(declarations.length)
                .put(declarations)
                .put(lines)
                .array();
    }

    private static byte[] declarations(
            List<SourceFrame> frames, List<SourceLevel> levels, LoadedModule module, long code) {
        DeclarationsFrame declarations = new DeclarationsFrame();
        SourceFrame.Closure called = null;
        for (int i = 0; i < frames.size(); i++) {
            SourceFrame.Closure closure = frames.get(i).closure();
            called = closure == null ? called : closure;
            if (closure != null) {
                String function = levels.get(i).function();
                declarations.add(new Definition.Declared(function, closure.file(), closure.line()));
            }
        }
        String symbol = called == null ? "" : symbol(module, code);
        if (ShortNames.isCaller(symbol)) {
            declarations.add(new Definition.Declared(symbol, called.file(), called.line()));
        }
        return declarations.entries();
    }

    /**
     * Returns who calls code that is not the author's; only where the debug information is in the
     * module's own file: a system's library is called by others.
     */
    private List<SourceLevel> callers(List<SourceLevel> levels, LoadedModule module, long code) {
        boolean wanted = !OwnSource.USUAL.isSettled(levels, List.of())
                && info.path().equals(module.elf().file());
        return wanted ? levels(info.callers(code - module.bias()), module, code) : List.of();
    }

    private static List<SourceLevel> levels(
            List<SourceFrame> frames, LoadedModule module, long code) {
        List<SourceLevel> levels = new ArrayList<>(frames.size());
        for (SourceFrame frame : frames) {
            boolean outermost = levels.size() == frames.size() - 1;
            levels.add(new SourceLevel(
                    function(frame, outermost, module, code),
                    text(frame.file()),
                    frame.line(),
                    frame.column()));
        }
        return levels;
    }

    /**
     * The symbol's name where the debug information has none, as that of split files, or of a
     * lambda. One that was inlined is called by its place.
     */
    private static String function(
            SourceFrame frame, boolean outermost, LoadedModule module, long code) {
        boolean lambda = frame.closure() != null && frame.linkageName() == null;
        if (!lambda && frame.symbol() != null) {
            return frame.symbol();
        }
        String symbol = lambda && !outermost ? "" : symbol(module, code);
        return lambda && symbol.isEmpty() ? frame.closure().name() : symbol;
    }

    private static String symbol(LoadedModule module, long code) {
        ElfSymbol symbol = module.function(code);
        return symbol == null ? "" : symbol.name();
    }

    private static String text(String nullable) {
        return nullable == null ? "" : nullable;
    }

    /**
     * {@link DebugInfo#allocated}, which needs the source but in Rust: where that is not there, the
     * debug information is not asked.
     */
    public Type allocated(LoadedModule module, long code) {
        ByteBuffer levels = lines(module, code).levels();
        boolean readable = levels.hasRemaining()
                && sources.computeIfAbsent(SourcesFrame.firstFile(levels), ModuleLines::isReadable);
        return readable ? info.allocated(code - module.bias()) : null;
    }

    private static boolean isReadable(String source) {
        try {
            return source.endsWith(".rs") || Files.isReadable(Path.of(source));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /**
     * Keeps what this session has asked for. What debug information says that is damaged in part,
     * is not kept: it is to be told in each session.
     */
    void keep(CodeMapCache cache) {
        if (file != null && kept.hasGrown() && !info.isDoubtful()) {
            cache.keepLines(file, this::write);
        }
    }

    private void write(Path out) throws IOException {
        kept.write(out);
    }
}
