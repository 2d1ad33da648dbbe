package dev.madt.resolver.dwarf;

import dev.madt.resolver.debug.DebugSections;
import dev.madt.resolver.debug.SplitFiles;
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
    /** Ends the names of sections with what was split off. */
    private static final String SPLIT = ".dwo";

    private static final long WIDE = 0xffffffffL;
    private static final int MOST_TABLES = 256;
    private static final long RESERVED = 0xfffffff0L;
    private static final String INFO = ".debug_info";
    private static final String LACKING = "variables and types of a unit are not known";

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
    private SplitFiles splitFiles;
    /** Null but where this was split off. */
    private final Unit skeleton;

    DwarfFile(DebugSections sections, Consumer<String> warnings) {
        this(sections, null, warnings);
    }

    /** @param skeleton the unit that this was split off from, which has its addresses and lines */
    private DwarfFile(DebugSections sections, Unit skeleton, Consumer<String> warnings) {
        this.sections = sections;
        this.skeleton = skeleton;
        this.warnings = warnings;
    }

    /** Returns the unit that this was split off from; null if it was not. */
    Unit skeleton() {
        return skeleton;
    }

    /** The bytes of a section, empty if the file has none. */
    ByteBuffer section(String name) {
        ByteBuffer known = opened.get(name);
        if (known == null) {
            try {
                known = sections.get(skeleton == null ? name : name + SPLIT);
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
            units = scan(INFO, false);
        }
        return units;
    }

    /** The same, each with what was split off from it. */
    List<Unit> wholeUnits() {
        return units().stream().map(Unit::whole).toList();
    }

    /** Returns whether all units together, with what was split off, have so many bytes at most. */
    boolean hasAtMost(long bytes) {
        long all = section(INFO).limit();
        for (Unit unit : units()) {
            if (all > bytes) {
                return false;
            }
            Unit whole = unit.whole();
            all += whole == unit ? 0 : whole.end() - whole.offset();
        }
        return all <= bytes;
    }

    /** Returns the whole of a unit that is a skeleton; itself if that is not to be had. */
    Unit whole(Unit unit) {
        try {
            return find(unit);
        } catch (IOException e) {
            warn(LACKING, new UncheckedIOException(e));
        } catch (RuntimeException e) {
            warn(LACKING, e);
        }
        return unit;
    }

    private Unit find(Unit unit) throws IOException {
        String name = unit.root().string(Attribute.DWO_NAME);
        String cause = name + " is not there";
        String folder = unit.root().string(Attribute.COMP_DIR);
        for (DebugSections part : splitFiles().of(unit.signature(), name, folder)) {
            for (Unit other : new DwarfFile(part, unit, warnings).units()) {
                if (!other.isType() && other.signature() == unit.signature()) {
                    return other;
                }
            }
            cause = part.file() + " is of another compilation";
        }
        throw new IOException(cause);
    }

    private SplitFiles splitFiles() throws IOException {
        if (splitFiles == null) {
            splitFiles = new SplitFiles(sections.file());
        }
        return splitFiles;
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
        if (skeleton != null && !typeUnits.containsKey(signature)) {
            typeUnits.put(signature, packedType(signature));
        }
        Unit unit = typeUnits.get(signature);
        return unit == null ? null : unit.typeEntry();
    }

    /** Returns a type's unit from the package; null if there is none. */
    private Unit packedType(long signature) {
        try {
            DebugSections part = skeleton.file().splitFiles().type(signature);
            List<Unit> found =
                    part == null ? List.of() : new DwarfFile(part, skeleton, warnings).units();
            return found.isEmpty() ? null : found.get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the first file that a unit was split off to before DWARF 5; null if none is. */
    String oldSplitFile() {
        try {
            if (section(".debug_addr").limit() == 0) {
                return null;
            }
            for (Unit unit : units()) {
                Die root = unit.isType() ? null : unit.root();
                if (root != null && root.has(Attribute.GNU_DWO_NAME)) {
                    return root.string(Attribute.GNU_DWO_NAME);
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
