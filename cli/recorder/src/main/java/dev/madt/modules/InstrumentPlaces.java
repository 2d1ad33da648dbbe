package dev.madt.modules;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.elf.StaticOperand;
import dev.madt.resolver.elf.StaticProbe;
import dev.madt.resolver.local.SourceFrame;
import dev.madt.trace.code.CodePlaces;
import dev.madt.trace.instrument.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Finds the places of instruments in one module. */
final class InstrumentPlaces {
    /**
     * An instruction at which an instrument stands.
     *
     * @param label how people call it
     * @param hindrance why it cannot stand there; null: it can
     * @param operands the values that the source names; null: it does not name the place
     */
    record At(
            long address,
            boolean after,
            String label,
            String hindrance,
            List<StaticOperand> operands) {
        At(long address, boolean after, String label, String hindrance) {
            this(address, after, label, hindrance, null);
        }
    }

    /** Is the name of a function of C++ with the arguments of templates. */
    private static final int WHOLE = 3;

    private final String module;
    private final ElfModule elf;
    private final FunctionNames names;
    private final Supplier<DebugInfo> debug;
    private final Instruments.PlaceSource source;
    private final Set<String> seen;
    /** Null until it is needed. */
    private CodePlaces places;
    /** By what they are called, the numbers of functions; null until it is needed. */
    private Map<String, SortedSet<Integer>> called;

    private List<ElfSymbol> functions;
    private final List<Integer> every = new ArrayList<>();

    /** @param seen takes the names of functions, for who asks what could have been meant */
    InstrumentPlaces(
            String module,
            ElfModule elf,
            FunctionNames names,
            Supplier<DebugInfo> debug,
            Instruments.PlaceSource source,
            Set<String> seen) {
        this.module = module;
        this.elf = elf;
        this.names = names;
        this.debug = debug;
        this.source = source;
        this.seen = seen;
    }

    /** Returns whether some function is called so. */
    static boolean isKnown(Place place, Set<String> seen) {
        var pattern = Scope.pattern(place.function());
        return seen.stream().anyMatch(name -> pattern.matcher(name).matches());
    }

    /** Returns what a function lacks. */
    static String missing(Place place) {
        return switch (place.kind()) {
            case LINE ->
                "no code of '" + place.function() + "' comes from line " + place.number()
                        + ", as far as the debug information tells.";
            case OFFSET -> "no instruction of '" + place.function() + "' begins at this distance.";
            case BLOCK -> "'" + place.function() + "' has no block " + place.number() + ".";
            case RETURN -> "'" + place.function() + "' has no instruction that returns.";
            default -> "'" + place.function() + "' has no known code.";
        };
    }

    private CodePlaces places() throws IOException {
        places = places == null ? source.read() : places;
        return places;
    }

    /** Returns the instructions of a place in this module. */
    List<At> of(Place place) throws IOException {
        List<At> found = new ArrayList<>();
        FunctionGlob glob = new FunctionGlob(
                "",
                place.function(),
                place.module() == null ? null : Scope.pattern(place.module()),
                Scope.pattern(place.function()));
        if (place.kind() == Place.Kind.STATIC) {
            addStatic(place, found);
            return found;
        }
        if (place.kind() == Place.Kind.FILE_LINE) {
            addLines(place, found);
            return found;
        }
        functions = functions == null ? elf.functions() : functions;
        List<ElfSymbol> all = functions;
        for (int i : candidates(place, all)) {
            ElfSymbol function = all.get(i);
            String name = matching(glob, elf.functionNames(function.address()));
            if (name != null) {
                long next = i + 1 < all.size() ? all.get(i + 1).address() : Long.MAX_VALUE;
                long end = Math.min(Math.max(function.end(), function.address() + 1), next);
                add(place, name, function.address(), end, found);
            }
        }
        return found;
    }

    /** Returns the numbers of functions that a place may mean, ascending. */
    private Collection<Integer> candidates(Place place, List<ElfSymbol> all) {
        if (called == null) {
            called = new HashMap<>();
            for (int i = 0; i < all.size(); i++) {
                for (String symbol : elf.functionNames(all.get(i).address())) {
                    List<String> spellings = names.of(symbol);
                    if (!isLeftOut(symbol)) {
                        seen.add(spellings.get(spellings.size() - 1));
                        seen.add(spellings.get(Math.min(WHOLE, spellings.size() - 1)));
                    }
                    for (String spelling : spellings) {
                        called.computeIfAbsent(spelling, absent -> new TreeSet<>())
                                .add(i);
                    }
                }
            }
            for (int i = 0; i < all.size(); i++) {
                every.add(i);
            }
        }
        boolean pattern = place.function().matches(".*[*?].*");
        return pattern ? every : called.getOrDefault(place.function(), new TreeSet<>());
    }

    private static boolean isLeftOut(String symbol) {
        return ElfSymbol.isStub(symbol) || symbol.contains(".cold");
    }

    /** Returns the name to show of a function that the user means; null: it is another one. */
    private String matching(FunctionGlob glob, List<String> symbols) {
        String shown = null;
        for (String symbol : symbols) {
            if (isLeftOut(symbol)) {
                continue;
            }
            List<String> spellings = names.of(symbol);
            if (glob.matches(module, spellings)) {
                shown = spellings.get(spellings.size() - 1);
            }
        }
        return shown;
    }

    private void add(Place place, String name, long start, long end, List<At> found)
            throws IOException {
        switch (place.kind()) {
            case ENTRY -> addEntry(name, start, end, found);
            case RETURN -> addReturns(name, start, end, found);
            case OFFSET -> addOffset(place, name, start, end, found);
            case BLOCK -> addBlocks(place, name, start, end, found);
            case LINE -> addLine(place, name, start, end, found);
            default -> throw new IllegalStateException(place.kind().name());
        }
    }

    private void addStatic(Place place, List<At> found) throws IOException {
        if (place.module() != null
                && !Scope.pattern(place.module()).matcher(module).matches()) {
            return;
        }
        Pattern pattern = Scope.pattern(place.function());
        for (StaticProbe probe : elf.staticProbes()) {
            seen.add(probe.place());
            if (!pattern.matcher(probe.place()).matches()) {
                continue;
            }
            int row = places().from(probe.address());
            boolean starts = row < places().count() && places().address(row) == probe.address();
            found.add(new At(
                    probe.address(),
                    false,
                    probe.place(),
                    starts ? places().hindrance(row) : "no proven instruction begins there",
                    probe.operands()));
        }
    }

    /** Behind an endbr64, which stays in its place. */
    private int first(int row) throws IOException {
        boolean passes = row + 1 < places().count()
                && places.lands(row)
                && places.address(row + 1) == places.end(row);
        return passes ? row + 1 : row;
    }

    private void addEntry(String name, long start, long end, List<At> found) throws IOException {
        int row = places().from(start);
        if (row < places.count() && places.address(row) == start) {
            add(first(row), false, name, found);
        } else {
            found.add(new At(start, false, name, "no proven instruction begins there"));
        }
    }

    private void addReturns(String name, long start, long end, List<At> found) throws IOException {
        for (int row = places().from(start); isIn(row, end); row++) {
            if (places.is(row, CodePlaces.RETURNS)) {
                add(row, false, name + ":return", found);
            }
        }
    }

    private boolean isIn(int row, long end) {
        return row < places.count() && places.address(row) < end;
    }

    private void addOffset(Place place, String name, long start, long end, List<At> found)
            throws IOException {
        long address = start + place.number();
        int row = places().from(address);
        if (address < end && isIn(row, end) && places.address(row) == address) {
            String label = name + "+0x" + Long.toHexString(place.number());
            if (place.after() && !places.is(row, CodePlaces.GOES_ON)) {
                found.add(new At(
                        address,
                        true,
                        label,
                        "control goes elsewhere behind this instruction, not on to the next"));
            } else {
                add(row, place.after(), label + (place.after() ? ":after" : ""), found);
            }
        }
    }

    private void addBlocks(Place place, String name, long start, long end, List<At> found)
            throws IOException {
        int block = -1;
        boolean ended = true;
        for (int row = places().from(start); isIn(row, end); row++) {
            boolean begins = places.is(row, CodePlaces.BEGINS_BLOCK);
            block += begins ? 1 : 0;
            boolean padding = ended && !begins; // behind the block, to the next one
            ended = padding || places.is(row, CodePlaces.ENDS_BLOCK);
            boolean wanted = block >= 0 && (place.number() == Place.ALL || place.number() == block);
            if (!wanted) {
                continue;
            }
            String label = name + ":block(" + block + ")";
            if (!place.after() && begins) {
                add(row, false, label, found);
            } else if (place.after() && ended && !padding) {
                boolean behind = places.is(row, CodePlaces.GOES_ON);
                add(row, behind, label + ":after", found);
            }
        }
    }

    /** The first instruction of each piece of code that comes from the line. */
    private void addLine(Place place, String name, long start, long end, List<At> found)
            throws IOException {
        DebugInfo info = debug.get();
        if (info == null) {
            return;
        }
        String file = null;
        for (int row = places().from(start); isIn(row, end); row++) {
            List<SourceFrame> frames = info.frames(places.address(row));
            if (frames.isEmpty()) {
                continue;
            }
            SourceFrame outer = frames.get(frames.size() - 1);
            file = file == null ? outer.file() : file;
            if (comesFrom(frames, file, place.number())) {
                add(first(row), false, name + ":line(" + place.number() + ")", found);
                return;
            }
        }
    }

    private static boolean comesFrom(List<SourceFrame> frames, String file, long line) {
        for (SourceFrame frame : frames) {
            if (frame.line() == line && file != null && file.equals(frame.file())) {
                return true;
            }
        }
        return false;
    }

    /** In each function that has code of the line, the first instruction. */
    private void addLines(Place place, List<At> found) throws IOException {
        DebugInfo info = debug.get();
        long past = -1;
        for (long address :
                info == null ? List.<Long>of() : info.starts(place.function(), place.number())) {
            int row = address < past ? places().count() : places().from(address);
            if (row < places.count() && places.address(row) == address) {
                add(first(row), false, place.function() + ":" + place.number(), found);
                ElfSymbol function = elf.function(address);
                past = function == null ? address + 1 : function.end();
            }
        }
    }

    private void add(int row, boolean after, String label, List<At> found) {
        found.add(new At(places.address(row), after, label, places.hindrance(row)));
    }
}
