package dev.madt.view.locality;

import dev.madt.resolver.type.RecordType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Counts how often each member of a type is accessed, and how often near each other one of the same
 * value. Members are those of the type itself: what is in a part counts as the part.
 */
final class TypeUse {
    /** Members that are told apart; those that are accessed first, if a type has more. */
    static final int MOST = Long.SIZE;

    /** Part of the accesses to two members that have to be near each other in one group. */
    private static final double HALF = 0.5;

    private final String name;
    private final RecordType type;
    private final List<String> members = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private long[] accesses = new long[4];
    private long[][] near = new long[4][4];
    private boolean guess;

    /** @param name of the type, which may be another one's, as by a typedef */
    TypeUse(String name, RecordType type) {
        this.name = name;
        this.type = type;
    }

    /** Notes that values were found by a guess of what blocks hold. */
    void guessed() {
        guess = true;
    }

    String name() {
        return name + (guess ? "?" : "");
    }

    /** Returns the number of a member; -1 of one too many. */
    int member(String name) {
        Integer known = numbers.get(name);
        if (known != null || members.size() == MOST) {
            return known == null ? -1 : known;
        }
        int number = members.size();
        numbers.put(name, number);
        members.add(name);
        if (number == accesses.length) {
            accesses = Arrays.copyOf(accesses, 2 * number);
            near = Arrays.copyOf(near, 2 * number);
            for (int i = 0; i < near.length; i++) {
                near[i] = i < number ? Arrays.copyOf(near[i], 2 * number) : new long[2 * number];
            }
        }
        return number;
    }

    void access(int member) {
        accesses[member]++;
    }

    /** An access to a member is near one to another. */
    void near(int member, int other) {
        near[member][other]++;
    }

    int members() {
        return members.size();
    }

    String member(int number) {
        return members.get(number);
    }

    long accesses(int member) {
        return accesses[member];
    }

    /** Returns how many accesses to a member are near one to another. */
    long of(int member, int other) {
        return near[member][other];
    }

    /** Returns which part of the accesses to two members are near each other: 0 to 1. */
    double together(int member, int other) {
        double all = Math.max(1, accesses[member] + accesses[other]);
        return (near[member][other] + near[other][member]) / all;
    }

    /** Returns the member that most accesses to a member are near; -1 if there is none. */
    int nearest(int member) {
        return IntStream.range(0, members.size())
                .filter(other -> near[member][other] > 0)
                .boxed()
                .max(Comparator.comparingLong((Integer other) -> near[member][other])
                        .thenComparing(other -> -other))
                .orElse(-1);
    }

    long sum() {
        return Arrays.stream(accesses).sum();
    }

    /** Returns the numbers of the members, those with most accesses first. */
    List<Integer> hottest() {
        return IntStream.range(0, members.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer member) -> -accesses[member])
                        .thenComparing(member -> members.get(member)))
                .toList();
    }

    /**
     * Returns the groups of members that are used together, that with most accesses first: each has
     * half of its accesses near another one of the group, and those of the other one.
     */
    List<List<Integer>> groups() {
        List<List<Integer>> groups = new ArrayList<>();
        for (int member : hottest()) {
            List<Integer> joined = new ArrayList<>(List.of(member));
            for (List<Integer> group : List.copyOf(groups)) {
                if (group.stream().anyMatch(other -> together(member, other) >= HALF)) {
                    joined.addAll(group);
                    groups.remove(group);
                }
            }
            joined.sort(Comparator.comparingInt(hottest()::indexOf));
            groups.add(joined);
        }
        groups.sort(Comparator.comparingLong(group -> -sum(group)));
        return groups;
    }

    long sum(List<Integer> group) {
        return group.stream().mapToLong(member -> accesses[member]).sum();
    }

    long size() {
        return type.size();
    }

    /** Returns where a member begins, by its name; null where several share a place. */
    RecordType.Field field(String member) {
        return field(type, 0, member);
    }

    private static RecordType.Field field(RecordType record, long start, String member) {
        for (RecordType.Field field : record.parts()) {
            if (field.isTransparent() && field.type().bare() instanceof RecordType part) {
                RecordType.Field found = field(part, start + field.offset(), member);
                if (found != null) {
                    return found;
                }
            } else if (field.name().equals(member)) {
                return new RecordType.Field(
                        field.name(),
                        field.type(),
                        start + field.offset(),
                        field.bitOffset(),
                        field.bitSize(),
                        false);
            }
        }
        return null;
    }

    /** Returns the bytes of members of which that is known. */
    long bytes(List<Integer> group) {
        return group.stream()
                .map(member -> field(members.get(member)))
                .filter(field -> field != null)
                .mapToLong(RecordType.Field::size)
                .sum();
    }

    /** Returns the members that were never accessed. */
    List<RecordType.Field> untouched() {
        List<RecordType.Field> all = new ArrayList<>();
        untouched(type, 0, all);
        return all;
    }

    private void untouched(RecordType record, long start, List<RecordType.Field> to) {
        for (RecordType.Field field : record.parts()) {
            if (field.isTransparent() && field.type().bare() instanceof RecordType part) {
                untouched(part, start + field.offset(), to);
            } else if (!field.name().isEmpty() && members.stream().noneMatch(of(field.name()))) {
                to.add(field(field.name()));
            }
        }
    }

    /** Returns what says whether a member is one of this name, or several that may be meant. */
    private static Predicate<String> of(String name) {
        return member -> member.equals(name)
                || member.startsWith("{")
                        && List.of(member.substring(1, member.length() - 1).split("[,|]"))
                                .contains(name);
    }
}
