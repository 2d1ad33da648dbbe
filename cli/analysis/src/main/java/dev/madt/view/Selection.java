package dev.madt.view;

import dev.madt.resolver.demangle.NameBook;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says which events are wanted; what is null or negative does not select.
 *
 * @param symbol name of the variable or block
 * @param region name of the region
 * @param site call that allocated the block
 * @param type name of the type of the variable, or of what the block holds
 * @param function name of the function that accesses or calls
 * @param file source file that the access or call is charged to
 * @param lines source lines that the access or call is charged to
 * @param letters first characters of their lines
 * @param thread the only threads
 * @param page an address of the only page
 * @param from number of the first access or bulk transfer; what comes before it is left out
 * @param to number of the last access or bulk transfer
 * @param window number of the window of recording, from 1
 * @param count at most so many lines
 */
public record Selection(
        NamePattern symbol,
        NamePattern region,
        NamePattern site,
        NamePattern type,
        NamePattern function,
        NamePattern file,
        LineRange lines,
        String letters,
        ThreadChoice thread,
        long page,
        long from,
        long to,
        long window,
        long count) {
    /** Selects everything. */
    public static final Selection ALL = new Selection(null, null, null, -1, -1, 0, -1);

    /** The site of memory that belongs to no block, in reports and in patterns. */
    public static final String NO_BLOCK = "(no block)";

    /** The type of what has no known type, in reports and in patterns. */
    public static final String NO_TYPE = "(no type)";

    private static final int PAGE_BITS = 12;
    /** Namespaces, classes and functions in front of a type's own name. */
    private static final Pattern SCOPE =
            Pattern.compile("^([^<({: ]+(<[^<>]*>)?(\\([^()]*\\))?::)+");

    private static final Pattern KEYWORD = Pattern.compile("^(struct|class|union|enum) ");

    /**
     * A selection by the paper's terms: variable or block, function, kind of line, thread, page and
     * position.
     */
    public Selection(
            NamePattern symbol,
            NamePattern function,
            String letters,
            long thread,
            long page,
            long from,
            long count) {
        this(
                symbol,
                null,
                null,
                null,
                function,
                null,
                null,
                letters,
                ThreadChoice.of(thread),
                page,
                from,
                -1,
                -1,
                count);
    }

    /** Returns whether something is selected by its name. */
    public boolean selectsNames() {
        return patterns().findAny().isPresent();
    }

    /** Tells all patterns how the symbols of the traces are shown. */
    public void know(NameBook names) {
        patterns().forEach(pattern -> pattern.know(names));
    }

    private Stream<NamePattern> patterns() {
        return Stream.of(
                        symbol,
                        region,
                        site,
                        type,
                        function,
                        file,
                        lines == null ? null : lines.file())
                .filter(Objects::nonNull);
    }

    /** Returns whether it is as {@link #ALL}. */
    public boolean isEverything() {
        return !selectsData() && !selectsAccesses() && count < 0;
    }

    /** As this selection, and a name. */
    public Selection of(NamePattern name) {
        return new Selection(
                name, region, site, type, function, file, lines, letters, thread, page, from, to,
                window, count);
    }

    /** As this selection, and a function. */
    public Selection ofFunction(NamePattern name) {
        return new Selection(
                symbol, region, site, type, name, file, lines, letters, thread, page, from, to,
                window, count);
    }

    /**
     * Returns whether something is wanted that code does to data: an access, or an allocation
     * behind which comes the access with the number. Code is null of what happens to the recording.
     */
    public boolean wants(
            Place code,
            DataObject data,
            long address,
            char letter,
            int byThread,
            long number,
            long inWindow) {
        return thread(byThread)
                && window(inWindow)
                && number(number)
                && letter(letter)
                && (!selectsCode() || code != null && code(code))
                && (!selectsData() || data != null && data(data, address, 1));
    }

    boolean selectsData() {
        return symbol != null || region != null || site != null || type != null || page >= 0;
    }

    /** Returns whether something is selected that the names or types of blocks tell. */
    public boolean selectsBlocks() {
        return symbol != null || site != null || type != null;
    }

    boolean selectsCode() {
        return function != null || file != null || lines != null;
    }

    /** Returns whether some of the accesses to selected data may not be wanted. */
    public boolean selectsAccesses() {
        return selectsCode()
                || letters != null
                || !thread.isAll()
                || page >= 0
                || from > 0
                || to >= 0
                || window >= 0;
    }

    /**
     * Returns whether the instruction and what it accesses tell of an access whether it is wanted.
     */
    boolean isOfPlacesAndData() {
        return letter('L') && letter('S') && isOfKindsAndNames();
    }

    /** Returns whether its kind, its code and its data tell of an access whether it is wanted. */
    public boolean isOfKindsAndNames() {
        return thread.isAll() && page < 0 && from <= 0 && to < 0 && window < 0;
    }

    /** Returns whether {@link #isOfKindsAndNames} holds of this without any data. */
    public boolean isOfKindsAndCode() {
        return isOfKindsAndNames() && !selectsData();
    }

    /**
     * Returns whether a load ({@code L}) or store ({@code S}) is wanted, where
     * {@link #isOfKindsAndNames} holds.
     *
     * @param data that is accessed, null where {@link #isOfKindsAndCode} holds
     */
    public boolean wants(char kind, Place code, DataObject data) {
        return letter(kind) && code(code) && (!selectsData() || data(data));
    }

    /** Returns whether an event of any of these kinds may be in it. */
    public boolean hasAny(String kinds) {
        return kinds.chars().anyMatch(kind -> letter((char) kind));
    }

    boolean letter(char letter) {
        return letters == null || letters.indexOf(letter) >= 0;
    }

    boolean thread(int tid) {
        return thread.holds(tid);
    }

    boolean window(long number) {
        return window < 0 || number == window;
    }

    /** Returns whether events with this number come in front of what is wanted, or behind it. */
    boolean number(long number) {
        return number >= from && (to < 0 || number <= to);
    }

    /** Returns whether the code of an access or call is wanted. */
    boolean code(Place place) {
        return (function == null || function.matches(place.function(), place.module()))
                && (file == null || file.matchesFile(place.source().chargedFile()))
                && (lines == null || lines.holds(place));
    }

    /** Returns whether one of the bytes from an address on is wanted. */
    boolean data(DataObject object, long address, long length) {
        return data(object) && page(address, length);
    }

    /** Returns whether a variable or block is wanted. */
    boolean data(DataObject object) {
        return (symbol == null || symbol.matches(object))
                && (region == null || region(object.region()))
                && (site == null || site(object))
                && (type == null || type(object.type()));
    }

    /**
     * A region's name is taken with and without brackets, and a module's for all of its regions.
     */
    private boolean region(String name) {
        boolean bracketed = name.startsWith("[") && name.endsWith("]");
        String bare = bracketed ? name.substring(1, name.length() - 1) : name;
        int colon = bare.indexOf(':');
        return region.matches(name)
                || bracketed && region.matches(bare)
                || colon > 0 && region.matches(bare.substring(0, colon));
    }

    private boolean site(DataObject object) {
        Place call = object.call();
        if (call == null) {
            return site.matches(NO_BLOCK);
        }
        Place shown = object.shownCall();
        return site.matches(object.commonName(), shown.module())
                || site(shown)
                || shown != call && (site.matches(object.innerName(), call.module()) || site(call));
    }

    private boolean site(Place call) {
        return site.matches(call.name(), call.module())
                || site.matches(call.function(), call.module())
                || !call.ownLine().isEmpty() && site.matches(call.ownLine());
    }

    /**
     * A type's name is taken with and without struct, class, union or enum, and without what it is
     * in, unless another type is called so.
     */
    private boolean type(String name) {
        if (name == null) {
            return type.matches(NO_TYPE);
        }
        if (type.isType()) {
            return type.isText(name);
        }
        String bare = KEYWORD.matcher(name).replaceFirst("");
        return type.matches(name)
                || type.matches(bare)
                || type.matches(SCOPE.matcher(bare).replaceFirst(""));
    }

    private boolean page(long address, long length) {
        long wanted = page >>> PAGE_BITS;
        return page < 0
                || address >>> PAGE_BITS <= wanted
                        && wanted <= address + Math.max(1, length) - 1 >>> PAGE_BITS;
    }
}
