package dev.madt.resolver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What MadT needs to know of one ELF file. Immutable once open.
 */
public final class ElfModule {
    private ElfModule() {}

    public static ElfModule open(Path file) throws IOException {
        throw new IOException(file.toString());
    }

    public Path file() { return null; }
    public byte[] buildId() { return null; }
    public boolean fixedAddress() { return false; }
    public boolean hasInterpreter() { return false; }
    public List<ElfSegment> segments() { return null; }
    public List<ElfSection> sections() { return null; }
    public List<ElfSymbol> dataSymbols() { return null; }
    public ElfSymbol function(long vaddr) { return null; }
    public String regionName(long vaddr) { return null; }
    public List<DataRange> dataRanges() { return null; }
    public List<CodeRange> codeRanges() { return null; }
}
