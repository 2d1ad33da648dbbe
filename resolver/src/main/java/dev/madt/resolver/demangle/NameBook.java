package dev.madt.resolver.demangle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Says how the symbols and source files of some traces are shown: each in short, but for what tells
 * it from the others. A name that is shown stands for one name of the linker's in one module:
 *
 * <ul>
 *   <li>where shortened names are the same, template arguments are shown, as few levels of them as
 *       tell the names apart, then parameters, then all of the name;
 *   <li>where modules have symbols of one name, be it the linker's or that of the source, the
 *       program's own keeps it, and the others have their module in front: {@code
 *       libshop.so:price};
 *   <li>source files of one name have the last of their folders in front.
 * </ul>
 *
 * <p>All symbols and files are added before the first name is asked for. Memory grows with them.
 */
public final class NameBook implements Demangler {
    private static final String NO_MODULE = "";

    private static final String UNKNOWN = "?";
    /** Functions that only the unwind table knows: their names say nothing without a module. */
    private static final String ADDRESS = "func@0x";

    /** Of one symbol all names that it has. */
    private record Names(String linker, String source, String brief, String shown) {
        private boolean isPlain() {
            return source.equals(linker);
        }
    }

    private static final Pattern OF_TYPE = Pattern.compile("(^| )(for|to) |^_Z[TG]");

    private final Demangler source;
    private final Set<String> programs = new HashSet<>();
    /** A library that has a symbol, or the empty name of a program, by the symbol's linker name. */
    private final Map<String, String> libraries = new HashMap<>();
    /** Of symbols of several: all. */
    private final Map<String, Set<String>> several = new HashMap<>();
    /** Linker's names of symbols that only their modules tell from others of one source name. */
    private final Set<String> ofModules = new HashSet<>();

    private final Set<String> types = new HashSet<>();
    /** By the names for the linker. */
    private final Map<String, Names> known = new HashMap<>();
    /** The symbols of each shortened name; null while symbols are added. */
    private Map<String, List<Names>> alike;
    /** Of each symbol its shortened name. */
    private final Map<String, String> briefs = new HashMap<>();

    private boolean allShown;

    private boolean typesAreShown;
    /** By the names that are shown, those with a module in front included. */
    private final Map<String, String> linkerNames = new HashMap<>();

    private final FileNames files = new FileNames();
    private final Closures closures;

    /** @param source makes whole names of the source of mangled ones */
    public NameBook(Demangler source) {
        this.source = source;
        this.closures = new Closures(source);
    }

    /** A program, by the name of its file: its own symbols have no module in front. */
    public void program(String name) {
        programs.add(name);
    }

    /**
     * Adds a symbol.
     *
     * @param label of the region that it lies in, as in {@code [libshop.so]} or {@code [.bss]}
     */
    public void symbol(String name, String label) {
        String library = library(label);
        String other = libraries.putIfAbsent(name, library);
        if (other != null && !other.equals(library)) {
            several.computeIfAbsent(name, absent -> new TreeSet<>(Set.of(other)))
                    .add(library);
        }
        alike = null;
    }

    /** Adds a source file. */
    public void path(String path) {
        files.add(path);
    }

    @Override
    public void declared(String name, String path, int line) {
        files.add(path);
        closures.add(name, path, line);
        alike = null;
    }

    /** Adds the name of a type. */
    public void type(String name) {
        types.add(name);
    }

    /** Returns whether a type has this name. */
    public boolean isType(String name) {
        return types.contains(name);
    }

    /** The module that a region is of; empty for the program's own data. */
    public static String module(String label) {
        String bare = label.startsWith("[") && label.endsWith("]")
                ? label.substring(1, label.length() - 1)
                : label;
        int colon = bare.indexOf(':');
        return bare.startsWith(".") ? NO_MODULE : colon < 0 ? bare : bare.substring(0, colon);
    }

    /** The module that a name needs in front; empty for a program. */
    private String library(String label) {
        String module = module(label);
        return programs.contains(module) ? NO_MODULE : module;
    }

    @Override
    public String demangle(String name) {
        Names names = known(name);
        return names != null
                ? names.shown()
                : Demangler.spelled(
                        name, source, isOfType(name) ? text -> text : ShortNames::brief);
    }

    @Override
    public String demangle(String name, String label) {
        return placed(name, library(label), demangle(name));
    }

    /** Returns what is shown of a symbol of a library, with that in front if it is needed. */
    private String placed(String name, String library, String shown) {
        boolean needed =
                several.containsKey(name) || ofModules.contains(name) || name.startsWith(ADDRESS);
        return needed && !library.isEmpty() && !library.equals(UNKNOWN)
                ? library + ':' + shown
                : shown;
    }

    @Override
    public String file(String path) {
        return files.of(path);
    }

    /** Returns whether a source file is shown by this name. */
    public boolean isFile(String name) {
        return files.isShown(name);
    }

    /** Returns whether the linker calls a symbol so. */
    public boolean isLinkerName(String name) {
        return libraries.containsKey(name);
    }

    /** Returns whether a symbol is shown by this name. */
    public boolean isShown(String name) {
        settle();
        showTypes(name);
        return linkerNames.containsKey(name);
    }

    /** All names of a symbol, which is given by the one that is shown or by the linker's. */
    public Set<String> spellings(String name) {
        settle();
        showTypes(name);
        Set<String> all = new LinkedHashSet<>(List.of(name));
        Names names = known.get(linkerNames.getOrDefault(name, name));
        if (names != null) {
            all.addAll(List.of(
                    names.shown(),
                    names.linker(),
                    names.source(),
                    Demangler.spelled(names.linker(), source, ShortNames::of),
                    names.brief()));
        }
        return all;
    }

    /** Puts symbols together whose shortened names are the same. */
    private void gather() {
        if (alike != null) {
            return;
        }
        alike = new HashMap<>();
        briefs.clear();
        known.clear();
        ofModules.clear();
        linkerNames.clear();
        allShown = false;
        typesAreShown = false;
        for (String name : libraries.keySet()) {
            if (!isOfType(name)) {
                Names names = names(name);
                briefs.put(name, names.brief());
                alike.computeIfAbsent(names.brief(), absent -> new ArrayList<>(1))
                        .add(names);
            }
        }
    }

    /** Decides how all symbols are shown. */
    private void settle() {
        gather();
        if (!allShown) {
            allShown = true;
            alike.values().forEach(this::settle);
        }
    }

    private void settle(List<Names> group) {
        if (known.containsKey(group.get(0).linker())) {
            return;
        }
        if (group.size() == 1) {
            show(group.get(0), group.get(0).shown());
        } else {
            tellApart(group);
        }
    }

    /** Returns how a symbol is shown, and what else it is called; null if it was not added. */
    private Names known(String name) {
        gather();
        String brief = briefs.get(name);
        if (brief != null) {
            settle(alike.get(brief));
        }
        return known.get(name);
    }

    /**
     * Returns whether it is what compilers make of a type, as its virtual table: of these there are
     * many, and each is shown as it is.
     */
    private static boolean isOfType(String name) {
        return name.startsWith("_ZT") || name.startsWith("_ZG");
    }

    private Names names(String name) {
        LinkerName parts = LinkerName.of(name);
        String plain = parts.isMangled() ? source.demangle(parts.mangled()) : parts.mangled();
        if (plain.equals(parts.mangled())) {
            return new Names(name, name, name, name);
        }
        String whole = closures.named(name, plain, files::of);
        String brief = parts.with(mangled -> ShortNames.brief(whole));
        return new Names(name, parts.with(mangled -> whole), brief, brief);
    }

    private void show(Names names, String shown) {
        known.put(names.linker(), new Names(names.linker(), names.source(), names.brief(), shown));
        String linker = names.linker();
        for (String library : modules(linker)) {
            linkerNames.put(placed(linker, library, shown), linker);
        }
    }

    /** Looks through what compilers made of types when a name seems to be of that. */
    private void showTypes(String name) {
        if (!typesAreShown && OF_TYPE.matcher(name).find()) {
            typesAreShown = true;
            for (String linker : libraries.keySet()) {
                if (isOfType(linker)) {
                    Names names = names(linker);
                    show(names, names.source());
                }
            }
        }
    }

    /** Shows as much of each name as no other one of the group has. */
    private void tellApart(List<Names> group) {
        Set<String> taken = new HashSet<>();
        group.sort(Comparator.comparing(Names::linker));
        List<Names> left = new ArrayList<>(group);
        tellByModules(left, taken);
        for (Names names : List.copyOf(left)) {
            if (names.isPlain()) { // there is no more to show
                left.remove(names);
                show(names, names.linker());
            }
        }
        for (int level = 0; level < Spelling.LEVELS && !left.isEmpty(); level++) {
            int at = level;
            Map<String, Integer> counts = new HashMap<>();
            Map<String, String> texts = texts(group, at);
            texts.values().forEach(text -> counts.merge(text, 1, Integer::sum));
            left.removeIf(names -> {
                String shown = texts.get(names.linker());
                boolean alone =
                        counts.get(shown) == 1 && !alike.containsKey(shown) && taken.add(shown);
                if (alone) {
                    show(names, shown);
                }
                return alone;
            });
        }
        List<String> linked = left.stream().map(Names::linker).toList();
        List<String> parts = left.size() < 2 ? linked : Differences.of(linked);
        for (int i = 0; i < left.size(); i++) {
            show(left.get(i), left.get(i).brief() + " [" + parts.get(i) + "]");
        }
    }

    /** Shows symbols whose whole names are the same by their modules, where these differ. */
    private void tellByModules(List<Names> group, Set<String> taken) {
        Map<String, List<Names>> bySource = new TreeMap<>();
        for (Names names : group) {
            bySource.computeIfAbsent(names.source(), absent -> new ArrayList<>(1))
                    .add(names);
        }
        int all = group.size();
        bySource.forEach((source, same) -> {
            String brief = same.get(0).brief();
            String shown = same.size() == all ? brief : source;
            boolean free = shown.equals(brief) || !alike.containsKey(shown);
            if (same.size() > 1 && free && areApart(same)) {
                same.forEach(names -> ofModules.add(names.linker()));
                same.forEach(names -> show(names, shown));
                taken.add(shown);
                group.removeAll(same);
            }
        });
    }

    /** Returns whether no module has two of the symbols, and all modules are known. */
    private boolean areApart(List<Names> symbols) {
        Set<String> modules = new HashSet<>(Set.of(UNKNOWN));
        return symbols.stream()
                .allMatch(names -> modules(names.linker()).stream().allMatch(modules::add));
    }

    /** Returns all modules that have a symbol. */
    private Set<String> modules(String linker) {
        return several.getOrDefault(linker, Set.of(libraries.get(linker)));
    }

    /** The spellings of one level of all names of a group, by the linker's names. */
    private Map<String, String> texts(List<Names> group, int level) {
        Map<String, String> texts = new HashMap<>();
        List<TemplateArguments> arguments = new ArrayList<>();
        for (Names names : group) {
            texts.put(names.linker(), level(names, level));
            arguments.add(TemplateArguments.of(texts.get(names.linker()), names.brief()));
        }
        if (level < Spelling.DEEPEST && !arguments.contains(null)) {
            for (int i = 0; i < group.size(); i++) {
                texts.put(group.get(i).linker(), arguments.get(i).without(arguments));
            }
        }
        return texts;
    }

    /** One of the spellings, from short to long. */
    private static String level(Names names, int level) {
        LinkerName parts = LinkerName.of(names.linker());
        String whole = names.source()
                .substring(
                        parts.front().length(),
                        names.source().length() - parts.end().length());
        return parts.with(mangled -> Spelling.of(whole, level));
    }
}
