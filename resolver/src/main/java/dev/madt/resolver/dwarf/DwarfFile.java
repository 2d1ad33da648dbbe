package dev.madt.resolver.dwarf;

import dev.madt.resolver.debug.DebugSections;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The debug information of one file: its sections and the list of its units, of which only the
 * headers are read. A unit whose header cannot be believed is left out with a warning; what its
 * length says is still passed over.
 */
final class DwarfFile {
    private static final long WIDE = 0xffffffffL;
    private static final int MOST_TABLES = 256;
    private static final long RESERVED = 0xfffffff0L;

    private final DebugSections sections;
    private final Consumer<String> warnings;
    private final Map<String, ByteBuffer> opened = new HashMap<>();
    private final Map<Long, AbbreviationTable> tables = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, AbbreviationTable> eldest) {
            return size() > MOST_TABLES;
        }
    };
    private List<Unit> units;
    private Map<Long, Unit> typeUnits;
    private DwarfFile supplementary;

    DwarfFile(DebugSections sections, Consumer<String> warnings) {
        this.sections = sections;
        this.warnings = warnings;
    }

    /** The bytes of a section, empty if the file has none. */
    ByteBuffer section(String name) {
        ByteBuffer known = opened.get(name);
        if (known == null) {
            try {
                known = sections.get(name);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            opened.put(name, known);
        }
        return known;
    }

    String string(String section, long offset) {
        return new SectionReader(section(section), offset).string();
    }

    /** The table at an offset; some are kept, since neighbouring entries need the same. */
    AbbreviationTable abbreviations(long offset) {
        return tables.computeIfAbsent(
                offset, at -> new AbbreviationTable(section(".debug_abbrev"), at));
    }

    /** The units of {@code .debug_info}, in their order. */
    List<Unit> units() {
        if (units == null) {
            units = scan(".debug_info", false);
        }
        return units;
    }

    private List<Unit> scan(String name, boolean types) {
        ByteBuffer section = section(name);
        List<Unit> found = new ArrayList<>();
        long at = 0;
        try {
            while (at < section.limit()) {
                SectionReader in = new SectionReader(section, at);
                long length = in.u32();
                boolean wide = length == WIDE;
                length = wide ? in.u64() : length;
                long end = in.position() + length;
                if (length < 0 || !wide && length >= RESERVED || end > section.limit()) {
                    throw new MalformedDwarfException(
                            name, at, "a unit of " + Long.toUnsignedString(length) + " bytes");
                }
                addUnit(found, in, section, (int) at, end, wide, types);
                at = end;
            }
        } catch (RuntimeException e) {
            warn(name + " is read up to byte 0x" + Long.toHexString(at), e);
        }
        return found;
    }

    private void addUnit(
            List<Unit> found,
            SectionReader in,
            ByteBuffer section,
            int at,
            long end,
            boolean wide,
            boolean types) {
        try {
            found.add(new Unit(this, in, section, at, end, wide, types));
        } catch (RuntimeException e) {
            warn("a unit is left out", e);
        }
    }

    /** The entry at an offset of {@code .debug_info}. */
    Die entry(long offset) {
        List<Unit> all = units();
        int low = 0;
        int high = all.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Unit unit = all.get(middle);
            if (offset < unit.firstEntry()) {
                high = middle - 1;
            } else if (offset >= unit.end()) {
                low = middle + 1;
            } else {
                return Die.at(unit, offset);
            }
        }
        throw new MalformedDwarfException(
                ".debug_info", offset, "no unit holds the entry that is referred to");
    }

    /** The entry of the type with a signature; null if no unit has it. */
    Die typeEntry(long signature) {
        if (typeUnits == null) {
            typeUnits = new HashMap<>();
            for (List<Unit> some : List.of(units(), scan(".debug_types", true))) {
                some.stream()
                        .filter(Unit::isType)
                        .forEach(unit -> typeUnits.putIfAbsent(unit.signature(), unit));
            }
        }
        Unit unit = typeUnits.get(signature);
        return unit == null ? null : unit.typeEntry();
    }

    /** Returns the first file that a unit was split off to; null if none is known. */
    String splitFile() {
        try {
            if (section(".debug_addr").limit() == 0) {
                return null;
            }
            for (Unit unit : units()) {
                Die root = unit.isType() ? null : unit.root();
                for (int name : new int[] {Attribute.DWO_NAME, Attribute.GNU_DWO_NAME}) {
                    if (root != null && root.has(name)) {
                        return root.string(name);
                    }
                }
            }
        } catch (RuntimeException e) {
            warn("names of split units", e);
        }
        return null;
    }

    /** The file that dwz has moved common entries to. */
    DwarfFile supplementary() {
        if (supplementary == null) {
            DebugSections other = sections.supplementary();
            if (other == null) {
                throw new MalformedDwarfException(
                        ".gnu_debugaltlink", 0, "the file that it names is not there");
            }
            supplementary = new DwarfFile(other, warnings);
        }
        return supplementary;
    }

    /** Tells that something is left out, and why. */
    void warn(String what, RuntimeException cause) {
        Throwable why = cause instanceof UncheckedIOException ? cause.getCause() : cause;
        warnings.accept(sections.file() + ": debug information: " + what + ": " + why.getMessage());
    }
}
