package dev.madt.resolver.dwarf;

import dev.madt.resolver.debug.DebugSections;
import dev.madt.resolver.guess.AllocatedType;
import dev.madt.resolver.guess.FortranAllocation;
import dev.madt.resolver.guess.RustContainers;
import dev.madt.resolver.guess.SourceText;
import dev.madt.resolver.guess.StringText;
import dev.madt.resolver.local.Constant;
import dev.madt.resolver.local.Local;
import dev.madt.resolver.local.Signature;
import dev.madt.resolver.local.SourceFrame;
import dev.madt.resolver.local.Variable;
import dev.madt.resolver.type.PointerType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import dev.madt.resolver.type.TypePlaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Says what the debug information of a module (DWARF 2 to 5) says of its addresses, which are ELF
 * virtual addresses. Units are read when they are asked for. Malformed information costs a warning
 * and the answer that would have come of it, never an exception. Not for use by several threads.
 */
public final class DebugInfo {
    private static final int MOST_ROWS = 4 << 20;
    private static final int MOST_WARNINGS = 3;
    private static final int MOST_LOCALS = 1 << 9;

    /**
     * Answers that were given, for the other processes of a session, which ask the same; when there
     * are many, all are forgotten.
     */
    private static final class Given<T> {
        private static final int MOST = 1 << 15;

        private final LongObjectHashMap<T> answers = new LongObjectHashMap<>();

        private T at(long address, LongFunction<T> answer) {
            T given = answers.get(address);
            if (given == null) {
                given = answer.apply(address);
                if (answers.size() >= MOST) {
                    answers.clear();
                }
                answers.put(address, given);
            }
            return given;
        }
    }

    private final Given<List<SourceFrame>> framesGiven = new Given<>();
    private final Given<Optional<Type>> typesGiven = new Given<>();
    private final DebugSections sections;
    private final DwarfFile file;
    private final Consumer<String> warnings;
    private final Set<String> warned = new HashSet<>();
    private final Map<Unit, Functions> functions = new HashMap<>();
    private final Map<Unit, LineTable> lines = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Unit, Scopes> scopes = new HashMap<>();
    /** By unit and offset of the function; when there are many, all are forgotten. */
    private final Map<List<Object>, Locals> locals = new HashMap<>();

    private final TypeReader types;
    private final SourceText source = new SourceText();
    private Variables variables;
    private Variables threadVariables;
    private KnownCallers callers;
    private CallSites sites;
    private long rows;
    private boolean doubtful;
    private UnitIndex units;

    private DebugInfo(DebugSections sections, Consumer<String> warnings, TypePlaces places) {
        this.warnings = warnings;
        this.types = new TypeReader(new TypeNames(this::place, this::scope, places));
        this.sections = sections;
        this.file = new DwarfFile(sections, this::warn);
    }

    /**
     * Opens the debug information of a module, in its file or a separate one; null if it has none.
     *
     * @param warnings takes a sentence for each of the first things that cannot be read
     * @throws IOException if the module cannot be read or is no ELF file
     */
    public static DebugInfo open(Path module, Consumer<String> warnings) throws IOException {
        return of(DebugSections.of(module), warnings, new TypePlaces());
    }

    /**
     * As {@link #open}, of sections that are found already; null for null.
     *
     * @param places tells types of one name apart, in all modules that share it
     */
    public static DebugInfo of(
            DebugSections sections, Consumer<String> warnings, TypePlaces places) {
        return sections == null ? null : new DebugInfo(sections, warnings, places);
    }

    /**
     * The functions that the instruction at an address belongs to, the innermost inlined one first;
     * their lines are those of the instruction and of the calls that were inlined. Empty if nothing
     * is known.
     */
    public List<SourceFrame> frames(long address) {
        return framesGiven.at(address, this::readFrames);
    }

    /**
     * Returns the addresses at which code of a line begins, in ascending order; none if nothing is
     * known.
     *
     * @param name of the file, or the end of its path
     */
    public SortedSet<Long> starts(String name, long line) {
        SortedSet<Long> starts = new TreeSet<>();
        for (Unit unit : file.wholeUnits()) {
            try {
                if (!unit.isType() && LineTable.mayHave(unit, name)) {
                    LineTable.addStarts(lines(unit), name, line, starts);
                }
            } catch (RuntimeException e) {
                file.warn("lines of the unit at byte 0x" + Integer.toHexString(unit.offset()), e);
            }
        }
        return starts;
    }

    /**
     * The line of the author from which a function of a library around an address is called, where
     * the debug information knows of one alone: one level, or none. The first call reads all units,
     * if that are not many bytes.
     */
    public List<SourceFrame> callers(long address) {
        try {
            if (callers == null) {
                callers = new KnownCallers(file, this::frames, this::function);
            }
            return callers.of(address);
        } catch (RuntimeException e) {
            file.warn("no callers of the function at 0x" + Long.toHexString(address), e);
            return List.of();
        }
    }

    private Die function(long address) {
        Unit unit = unit(address);
        return unit == null ? null : functions(unit).find(address);
    }

    private List<SourceFrame> readFrames(long address) {
        try {
            Unit unit = unit(address);
            return unit == null ? List.of() : frames(unit, address);
        } catch (RuntimeException e) {
            file.warn("no line for address 0x" + Long.toHexString(address), e);
            return List.of();
        }
    }

    /**
     * The variable that holds an address; null if none does or nothing is known. The first call
     * reads all units that have variables.
     */
    public Variable variable(long address) {
        try {
            variables = variables == null ? new Variables(file, false) : variables;
            Die die = variables.before(address);
            return die == null ? null : covering(die, address);
        } catch (RuntimeException e) {
            file.warn("no variable for address 0x" + Long.toHexString(address), e);
            return null;
        }
    }

    /** Returns whether a function is known around an address. */
    public boolean hasFunction(long address) {
        try {
            return function(address) != null;
        } catch (RuntimeException e) {
            file.warn("no function for address 0x" + Long.toHexString(address), e);
            return false;
        }
    }

    /**
     * The parameters and local variables in scope at an instruction, the innermost first; empty if
     * nothing is known.
     */
    public List<Local> locals(long address) {
        try {
            Die function = function(address);
            return function == null ? List.of() : localsOf(function).at(address);
        } catch (RuntimeException e) {
            file.warn("no local variables for address 0x" + Long.toHexString(address), e);
            return List.of();
        }
    }

    /** Returns what callers give to functions; they are read when that is asked for. */
    public CallSites callSites() {
        sites = sites == null ? new CallSites(file, this::function, this::localsOf) : sites;
        return sites;
    }

    /**
     * Returns what names are looked up in at an instruction, from its function on: {@code
     * a::C::f::}, {@code a::C::}, {@code a::} and nothing.
     *
     * @param inlined whether the innermost function is meant, and not the one that it is inlined in
     */
    public List<String> scopes(long address, boolean inlined) {
        try {
            Die function = function(address);
            if (function == null) {
                return List.of("");
            }
            List<Die> chain = Functions.chain(function, address);
            return Scopes.around(chain.get(inlined ? chain.size() - 1 : 0), this::scopes);
        } catch (RuntimeException e) {
            file.warn("no scopes at 0x" + Long.toHexString(address), e);
            return List.of("");
        }
    }

    /**
     * Returns the enumerators and constant members with a name that the unit around an address
     * declares, by their whole names: an enumerator has that of its enumeration in front, and is
     * also there without it where the language allows that.
     */
    public Map<String, Constant> constants(long address, String name) {
        Map<String, Constant> all = new LinkedHashMap<>();
        try {
            Unit unit = unit(address);
            if (unit != null) {
                Scopes.constants(unit, name, this::scopes)
                        .forEach((whole, one) ->
                                all.put(whole, new Constant(one.value(), types.of(one.type()))));
            }
        } catch (RuntimeException e) {
            file.warn("no constants at 0x" + Long.toHexString(address), e);
        }
        return all;
    }

    /**
     * Returns where the source has a function, as {@code file:line}, that has no code but where it
     * was inlined; null: none is called so.
     */
    public String inlined(String name) {
        for (Unit unit : file.wholeUnits()) {
            try {
                Die found = unit.isType() ? null : Scopes.inlined(unit, name, this::scopes);
                if (found != null) {
                    return place(found);
                }
            } catch (RuntimeException e) {
                file.warn("inlined functions", e);
            }
        }
        return null;
    }

    private Locals localsOf(Die function) {
        if (locals.size() >= MOST_LOCALS) {
            locals.clear();
        }
        return locals.computeIfAbsent(
                List.of(function.unit(), function.offset()), absent -> new Locals(types, function));
    }

    /**
     * Returns what the function around an address is given and returns; null if that is not known.
     */
    public Signature signature(long address) {
        try {
            Die function = function(address);
            return function == null ? null : Signatures.of(function);
        } catch (RuntimeException e) {
            file.warn("no parameters of the function at 0x" + Long.toHexString(address), e);
            return null;
        }
    }

    /**
     * Returns what the memory seems to hold that the call at an address allocates: what the pointer
     * on the left side of its source line points to, or in Rust the type that the functions around
     * it are of. A guess, for which the source file is read; null if nothing can be said.
     */
    public Type allocated(long address) {
        return typesGiven.at(address, code -> Optional.ofNullable(guess(code))).orElse(null);
    }

    /**
     * Returns what a function of a library allocates, by its name for the linker alone; null if
     * that does not tell.
     */
    public static Type allocatedBy(String function) {
        return StringText.of(function);
    }

    private Type guess(long address) {
        try {
            List<SourceFrame> frames = frames(address);
            Unit unit = unit(address);
            Die function =
                    frames.isEmpty() || unit == null ? null : functions(unit).find(address);
            if (function == null) {
                return null;
            }
            List<Die> chain = Functions.chain(function, address);
            Type text = text(chain);
            if (text != null) {
                return text;
            }
            if (Language.isRust(unit)) {
                return ofContainer(chain);
            }
            List<Local> locals = localsOf(function).at(address);
            Function<String, Type> local = name -> local(locals, name);
            if (Language.isFortran(unit)) {
                return new FortranAllocation(local, name -> typeOf(Scopes.variableType(unit, name)))
                        .guess(source.fortran(
                                frames.get(0).file(), frames.get(0).line()));
            }
            return ofLines(unit, frames, chain, local);
        } catch (RuntimeException e) {
            file.warn("no type for the allocation at 0x" + Long.toHexString(address), e);
            return null;
        }
    }

    /**
     * Returns what the line of the innermost function says; where that returns a pointer to
     * anything and is inlined, what the line says that calls it.
     */
    private Type ofLines(
            Unit unit, List<SourceFrame> frames, List<Die> chain, Function<String, Type> local) {
        Type guess = null;
        boolean passesOn = true;
        int levels = Math.min(frames.size(), chain.size());
        for (int i = 0; i < levels && guess == null && passesOn; i++) {
            List<Die> functions = chain.subList(0, chain.size() - i);
            Type returned = types.of(functions.get(functions.size() - 1).type());
            guess = new AllocatedType(
                            local,
                            name -> typeOf(Scopes.variableType(unit, name)),
                            name -> typeOf(Scopes.meant(unit, name, functions, this::scopes)),
                            returned)
                    .guess(source.statement(frames.get(i).file(), frames.get(i).line()));
            passesOn = returned.bare() instanceof PointerType pointer
                    && pointer.target().size() <= 0;
        }
        return guess;
    }

    private Type typeOf(Die type) {
        return type == null ? null : types.of(type);
    }

    /** Returns what a function of a string allocates that is among these; or null. */
    private static Type text(List<Die> chain) {
        for (Die function : chain) {
            Type text = StringText.of(function.linkageName());
            if (text != null) {
                return text;
            }
        }
        return null;
    }

    /** Returns what Rust's box, vector or table holds that is among these; or null. */
    private Type ofContainer(List<Die> chain) {
        for (int i = chain.size() - 1; i >= 0; i--) {
            String name = Scopes.qualified(chain.get(i), this::scopes);
            Die held = RustContainers.isOne(name)
                    ? Functions.templateType(chain.get(i), RustContainers.HELD)
                    : null;
            if (held != null) {
                return types.of(held);
            }
        }
        return null;
    }

    /** The type of the innermost variable of this name, or null. */
    private static Type local(List<Local> locals, String name) {
        var named = locals.stream().filter(local -> local.name().equals(name));
        return named.findFirst().map(Local::type).orElse(null);
    }

    /** Returns what is not read, since it was split off to files of its own; null: nothing. */
    public String split() {
        String other = file.oldSplitFile();
        return other == null
                ? null
                : "the debug information of " + path().getFileName() + " is in " + other
                        + " and others, as -gsplit-dwarf has it before DWARF 5, which MadT does not"
                        + " read: lines are known, variables and types are not (-gdwarf-5)";
    }

    /** The file that the debug information is in. */
    public Path path() {
        return sections.file();
    }

    /**
     * Returns what the memory of a symbol holds: the variable that begins with it, or a record of
     * those that lie in it, as a common block of Fortran has them; null if nothing is known.
     *
     * @param size bytes of the symbol, 0 if that is not known
     */
    public Variable symbol(long address, long size) {
        Variable first = variable(address);
        if (first == null || first.start() != address) {
            return null;
        }
        try {
            Die die = variables.before(address);
            return Language.isFortran(die.unit())
                    ? FortranStorage.of(first, variables.inside(address, size), size, types)
                    : first;
        } catch (RuntimeException e) {
            file.warn("no variables at address 0x" + Long.toHexString(address), e);
            return null;
        }
    }

    /**
     * The thread-local variable at an offset in each thread's copy of the module's
     * storage; null if nothing is known. The first call reads all units that have variables.
     */
    public Variable threadVariable(long offset) {
        try {
            threadVariables = threadVariables == null ? new Variables(file, true) : threadVariables;
            Die die = threadVariables.before(offset);
            String name = die == null ? null : Scopes.qualified(die, this::scopes);
            return name == null || Variables.offset(die) != offset
                    ? null
                    : new Variable(name, types.of(die.type()), offset);
        } catch (RuntimeException e) {
            file.warn("no thread-local variable at offset 0x" + Long.toHexString(offset), e);
            return null;
        }
    }

    private Variable covering(Die die, long address) {
        String name = Scopes.qualified(die, this::scopes);
        Type type = types.of(die.type());
        Variable variable = new Variable(name == null ? "" : name, type, Variables.address(die));
        boolean open = type.bare() instanceof RecordType record && record.endsOpen();
        return address == variable.start() || address < variable.end() || open ? variable : null;
    }

    /** Returns whether some of it could not be read. */
    public boolean isDoubtful() {
        return doubtful;
    }

    private void warn(String text) {
        doubtful = true;
        if (warned.size() < MOST_WARNINGS && warned.add(text)) {
            warnings.accept(text);
        }
    }

    private Unit unit(long address) {
        if (units == null) {
            units = new UnitIndex(file);
        }
        return units.find(address);
    }

    private List<SourceFrame> frames(Unit unit, long address) {
        LineTable table = lines(unit);
        int row = table == null ? -1 : table.row(address);
        SourceFrame place = row < 0
                ? new SourceFrame(null, null, null, 0, 0)
                : new SourceFrame(null, null, table.path(row), table.line(row), table.column(row));
        List<SourceFrame> frames = new ArrayList<>();
        try {
            Die function = functions(unit).find(address);
            if (function != null) {
                addFrames(Functions.chain(function, address), place, table, frames);
            }
        } catch (RuntimeException e) {
            file.warn("no function for address 0x" + Long.toHexString(address), e);
        }
        return frames.isEmpty() && row >= 0 ? List.of(place) : frames;
    }

    /**
     * The frames of a chain, innermost first: {@code place} is the instruction's, the others are
     * those of the inlined calls.
     */
    private void addFrames(
            List<Die> chain, SourceFrame place, LineTable table, List<SourceFrame> frames) {
        SourceFrame at = place;
        for (int i = chain.size() - 1; i >= 0; i--) {
            Die die = chain.get(i);
            frames.add(new SourceFrame(
                    die.name(),
                    die.linkageName(),
                    at.file(),
                    at.line(),
                    at.column(),
                    closure(die)));
            String path = table == null
                    ? null
                    : table.files().path(die.constant(Attribute.CALL_FILE, -1));
            at = new SourceFrame(null, null, path, (int) die.constant(Attribute.CALL_LINE, 0), (int)
                    die.constant(Attribute.CALL_COLUMN, 0));
        }
    }

    private SourceFrame.Closure closure(Die function) {
        Die unnamed = Scopes.unnamed(function, this::scopes);
        String path = unnamed == null ? null : path(unnamed);
        return path == null
                ? null
                : new SourceFrame.Closure(
                        scope(unnamed), path, (int) unnamed.constant(Attribute.DECL_LINE, 0));
    }

    /** The file of a declaration, or null. */
    private String path(Die die) {
        LineTable table = die.unit().isType() ? null : lines(die.unit());
        return table == null ? null : table.files().path(die.constant(Attribute.DECL_FILE, -1));
    }

    /** The file, without its folders, and line of a declaration. */
    private String place(Die die) {
        try {
            String path = path(die);
            return path == null
                    ? TypePlaces.UNKNOWN
                    : path.substring(path.lastIndexOf('/') + 1) + ":"
                            + die.constant(Attribute.DECL_LINE, 0);
        } catch (RuntimeException e) {
            file.warn("where a type is declared", e);
            return TypePlaces.UNKNOWN;
        }
    }

    private Scopes scopes(Unit unit) {
        return scopes.computeIfAbsent(unit, Scopes::new);
    }

    private String scope(Die die) {
        try {
            return Scopes.of(die, this::scopes);
        } catch (RuntimeException e) {
            file.warn("what a type is in", e);
            return "";
        }
    }

    private Functions functions(Unit unit) {
        return functions.computeIfAbsent(unit, Functions::new);
    }

    /**
     * The line table of a unit, or null; the least used ones are given up when there are many rows.
     */
    private LineTable lines(Unit unit) {
        LineTable known = lines.get(unit);
        if (known != null) {
            return known;
        }
        long offset = unit.head().root().sectionOffset(Attribute.STMT_LIST);
        if (offset < 0) {
            return null;
        }
        LineTable table = LineProgram.run(unit.head(), offset);
        rows += table.size();
        for (var oldest = lines.values().iterator();
                rows > MOST_ROWS && oldest.hasNext();
                oldest.remove()) {
            rows -= oldest.next().size();
        }
        lines.put(unit, table);
        return table;
    }
}
