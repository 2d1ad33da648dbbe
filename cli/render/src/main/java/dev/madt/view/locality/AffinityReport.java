package dev.madt.view.locality;

import dev.madt.console.Numbers;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Members;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.TypeMember;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.report.DataMembers;
import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.ChartAxis;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Members that are used together: of one value, by one thread, within a window of its accesses. A
 * value is a variable, a block, or an element of either. Structs whose members fall into groups can
 * be split (Chilimbi, Davidson, Larus, "Cache-conscious structure definition", PLDI 1999). Memory
 * is that of the blocks and of a window for each thread.
 */
public final class AffinityReport implements Analysis {
    /** Headings of the members, each with its group. */
    public static final List<String> MEMBERS = List.of(
            "type", "member", "offset", "size", "accesses", "share", "group", "with", "together");

    /** Headings of the pairs. */
    public static final List<String> PAIRS = List.of(
            "type", "member", "other", "accesses", "of other", "near", "near of other", "together");

    private static final int SIZES = 7;
    private static final int KEPT = 1 << 16;
    private static final int LETTERS = 26;
    private static final int MOST_SAID = 3;
    /** Of the path of a place: the member of the value itself. */
    private static final Pattern FIRST = Pattern.compile("[.%](\\{[^}]*}|[^.%\\[(+]+).*");

    /** Says of a place in data which member of which type it is, and where in the value. */
    private record Found(TypeUse type, int member, long inValue) {}

    /** Data whose places are alike. */
    private record Shape(long type, long size) {}

    /** Holds what is known of the places of data. */
    private static final class Known {
        private final Members members;
        private final LongObjectHashMap<Found> places = new LongObjectHashMap<>();

        Known(Members members) {
            this.members = members;
        }
    }

    private static final Found NOTHING = new Found(null, -1, 0);

    private final int window;
    private final MemberTypes types;
    private final Notes<Known> notes = new Notes<>();
    private final Map<Shape, Known> shapes = new HashMap<>();
    private final Map<String, TypeUse> uses = new HashMap<>();
    private final Map<RecordType, TypeUse> byType = new IdentityHashMap<>();
    private final Map<Integer, NearAccesses> threads = new HashMap<>();
    private NearAccesses last;
    private int lastThread;
    private long accesses;

    /**
     * @param window accesses of a thread within which two are near each other
     * @param types what is known of them; may become more while the trace is read
     */
    public AffinityReport(int window, MemberTypes types) {
        this.window = window;
        this.types = types;
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.living(BlockLives.UNHEEDED).keeping(notes);
    }

    /** Returns whether there were accesses. */
    public boolean isOfAccesses() {
        return accesses > 0;
    }

    @Override
    public void accesses(Accesses batch) {
        accesses += batch.count();
        if (last == null || batch.thread() != lastThread) {
            lastThread = batch.thread();
            last = threads.computeIfAbsent(lastThread, absent -> new NearAccesses(window));
        }
        for (int i = 0; i < batch.count(); i++) {
            DataObject object = batch.object(i);
            Found found = found(object, batch.address(i) - object.start(), batch.size(i));
            if (found.member < 0) {
                last.other();
            } else {
                last.access(found.type, object, batch.address(i) - found.inValue, found.member);
            }
        }
    }

    private Found found(DataObject object, long offset, int size) {
        Known known = notes.of(object);
        if (known == null) {
            known = known(object);
            notes.keep(object, known);
        }
        if (known.members == null || offset < 0) {
            return NOTHING;
        }
        long twin = known.members.twin(offset, 0);
        long key = twin << SIZES | Math.min(size, (1 << SIZES) - 1);
        Found found = known.places.get(key);
        if (found == null) {
            found = find(known.members, twin, size);
            if (known.places.size() == KEPT) {
                known.places.clear();
            }
            known.places.put(key, found);
        }
        return found;
    }

    private Known known(DataObject object) {
        return switch (object.kind()) {
            case BLOCK ->
                shapes.computeIfAbsent(
                        new Shape(object.typeCode(), object.block().size()),
                        shape -> new Known(DataMembers.of(object, types)));
            default -> new Known(DataMembers.of(object, types));
        };
    }

    private Found find(Members members, long offset, int size) {
        TypeMember.Value value = members.value(offset);
        if (!(value.type().bare() instanceof RecordType record)
                || value.type().name().isEmpty()) {
            return NOTHING;
        }
        Matcher first = FIRST.matcher(value.path(offset, size));
        if (!first.matches()) {
            return NOTHING;
        }
        TypeUse use = byType.computeIfAbsent(
                record,
                absent -> uses.computeIfAbsent(
                        value.type().name(), name -> new TypeUse(name, record)));
        if (members.isGuess()) {
            use.guessed();
        }
        return new Found(use, use.member(first.group(1)), offset - value.start());
    }

    /** Returns the types of which several members were accessed, the hottest first. */
    private List<TypeUse> all() {
        List<TypeUse> all = new ArrayList<>(uses.values());
        all.removeIf(use -> use.members() + use.untouched().size() < 2);
        all.sort(
                Comparator.comparingLong((TypeUse use) -> -use.sum()).thenComparing(TypeUse::name));
        return all;
    }

    /**
     * Returns the members of each type, or pairs of them.
     *
     * @param top rows at most; 0: all
     */
    public Table table(boolean pairs, int top) {
        List<Object[]> rows = new ArrayList<>();
        for (TypeUse use : all()) {
            rows.addAll(pairs ? pairs(use) : members(use));
        }
        Table table = new Table(pairs ? "pairs" : "members", pairs ? PAIRS : MEMBERS);
        return table.lastSpare(pairs ? List.of("near", "near of other") : List.of("offset"))
                .first(rows, top, row -> row);
    }

    private static List<Object[]> members(TypeUse use) {
        List<Object[]> rows = new ArrayList<>();
        double all = Math.max(1, use.sum());
        int number = 0;
        for (List<Integer> group : use.groups()) {
            String letter = letter(number++);
            for (int member : group) {
                RecordType.Field field = use.field(use.member(member));
                int nearest = use.nearest(member);
                rows.add(new Object[] {
                    use.name(),
                    use.member(member),
                    field == null ? null : field.offset(),
                    field == null ? null : field.size(),
                    use.accesses(member),
                    new Table.Share(use.accesses(member) / all),
                    letter,
                    nearest < 0 ? null : use.member(nearest),
                    nearest < 0
                            ? null
                            : new Table.Share(
                                    use.of(member, nearest) / (double) use.accesses(member))
                });
            }
        }
        for (RecordType.Field field : use.untouched()) {
            rows.add(new Object[] {
                use.name(),
                field.name(),
                field.offset(),
                field.size(),
                0L,
                new Table.Share(0),
                null,
                null,
                null
            });
        }
        return rows;
    }

    /** Returns the letters of a group, from 0: {@code A} to {@code Z}, then {@code AA}. */
    static String letter(int number) {
        String last = String.valueOf((char) ('A' + number % LETTERS));
        return number < LETTERS ? last : letter(number / LETTERS - 1) + last;
    }

    private static List<Object[]> pairs(TypeUse use) {
        List<Object[]> rows = new ArrayList<>();
        List<Integer> hottest = use.hottest();
        for (int i = 0; i < hottest.size(); i++) {
            for (int other : hottest.subList(i + 1, hottest.size())) {
                int member = hottest.get(i);
                if (use.of(member, other) > 0) {
                    rows.add(new Object[] {
                        use.name(),
                        use.member(member),
                        use.member(other),
                        use.accesses(member),
                        use.accesses(other),
                        use.of(member, other),
                        use.of(other, member),
                        new Table.Share(use.together(member, other))
                    });
                }
            }
        }
        rows.sort(Comparator.comparingLong(row -> -((Long) row[5] + (Long) row[6])));
        return rows;
    }

    /**
     * Returns the members of the hottest type as a grid: how much of the accesses to each is near
     * one to each other member.
     */
    public Chart chart(String trace) {
        List<TypeUse> all = all();
        TypeUse use = all.isEmpty() ? null : all.get(0);
        List<Integer> order = new ArrayList<>();
        if (use != null) {
            use.groups().forEach(order::addAll);
        }
        List<String> names = order.stream().map(member -> use.member(member)).toList();
        Chart chart = new Chart(
                Chart.Kind.HEAT,
                (use == null ? "No members" : "Members of " + use.name() + " used together") + ": "
                        + trace,
                ChartAxis.named("other member", names),
                ChartAxis.named("per cent of the accesses to", names));
        for (int y = 0; y < order.size(); y++) {
            for (int x = 0; x < order.size(); x++) {
                int member = order.get(y);
                double near =
                        x == y ? 100 : 100.0 * use.of(member, order.get(x)) / use.accesses(member);
                chart.cell(x, y, Math.round(10 * near) / 10.0);
            }
        }
        return chart;
    }

    /** Returns how the hottest types could be split, and what to know, a sentence each. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        List<TypeUse> all = all();
        if (all.isEmpty()) {
            sentences.add("no members of types were accessed: types come of programs that were"
                    + " compiled with -g.");
        }
        for (TypeUse use : all) {
            if (sentences.size() < MOST_SAID && splits(use)) {
                sentences.add(suggestion(use));
            }
        }
        return sentences;
    }

    private static boolean splits(TypeUse use) {
        return use.groups().size() > 1 || !use.untouched().isEmpty();
    }

    private static String suggestion(TypeUse use) {
        List<List<Integer>> groups = use.groups();
        List<Integer> hot = groups.get(0);
        StringBuilder text = new StringBuilder(use.name() + ": keep together "
                + names(use, hot) + " ("
                + Numbers.share(100.0 * use.sum(hot) / Math.max(1, use.sum()))
                + " of its accesses, "
                + use.bytes(hot) + " of " + Numbers.counted(use.size(), "byte", "bytes") + ")");
        for (List<Integer> group : groups.subList(1, groups.size())) {
            text.append("; apart ").append(names(use, group));
        }
        List<RecordType.Field> untouched = use.untouched();
        if (!untouched.isEmpty()) {
            text.append("; never accessed: ")
                    .append(String.join(
                            ", ", untouched.stream().map(RecordType.Field::name).toList()))
                    .append(" (")
                    .append(Numbers.counted(
                            untouched.stream().mapToLong(RecordType.Field::size).sum(),
                            "byte",
                            "bytes"))
                    .append(')');
        }
        return text.append('.').toString();
    }

    private static String names(TypeUse use, List<Integer> group) {
        return String.join(", ", group.stream().map(use::member).toList());
    }
}
