package dev.madt.modules;

import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.dwarf.SourceFrame;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.type.Type;
import dev.madt.trace.codec.SourcesFrame;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.SourceLevel;
import java.io.IOException;
import java.nio.ByteBuffer;
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
     * The functions and lines of an instruction as a frame of source lines has them; none where
     * nothing is known.
     */
    public ByteBuffer levels(LoadedModule module, long code) {
        long address = code - module.bias();
        ByteBuffer known = kept.find(address);
        if (known != null) {
            return known;
        }
        byte[] read = read(module, code);
        kept.add(address, read);
        return ByteBuffer.wrap(read);
    }

    private byte[] read(LoadedModule module, long code) {
        List<SourceLevel> levels = levels(info.frames(code - module.bias()), module, code);
        return levels.isEmpty()
                ? new byte[0]
                : SourcesFrame.levels(levels, callers(levels, module, code));
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
            levels.add(new SourceLevel(
                    function(frame, module, code),
                    text(frame.file()),
                    frame.line(),
                    frame.column()));
        }
        return levels;
    }

    /** The symbol's name where the debug information has none, as that of split files. */
    private static String function(SourceFrame frame, LoadedModule module, long code) {
        if (frame.symbol() != null) {
            return frame.symbol();
        }
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
        ByteBuffer levels = levels(module, code);
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
