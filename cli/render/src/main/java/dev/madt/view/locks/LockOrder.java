package dev.madt.view.locks;

import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Knows which locks threads asked for while they held others, and where. Threads that ask in a
 * circle may wait for each other for ever, unless a lock that all of them hold keeps them apart.
 */
final class LockOrder implements LockListener {
    static final List<String> HEADINGS =
            List.of("times", "threads", "held lock", "taken at", "asked for", "asked at", "circle");

    /** Ways from one lock to another that are kept apart. */
    static final int MOST_WAYS = 64;
    /** Locks of a circle, and threads that are kept of a way: more of them tell no more. */
    private static final int MOST_LOCKS = 6;

    private static final int MOST_CIRCLES = 1000;

    /**
     * Says how threads asked for a lock while they held another one.
     *
     * @param gates addresses of the locks that they held besides
     */
    private record Way(
            String taken, String asked, boolean heldShared, boolean askedShared, Set<Long> gates) {}

    private record Step(Way way, int thread) {}

    /** All that went from one lock to another. */
    private static final class Edge {
        private final LockName from;
        private final LockName to;
        private final Map<Way, Set<Integer>> ways = new LinkedHashMap<>();
        private final Set<Integer> threads = new HashSet<>();
        private long times;
        private int circle;

        private Edge(LockName from, LockName to) {
            this.from = from;
            this.to = to;
        }
    }

    private final Map<Long, Map<Long, Edge>> edges = new TreeMap<>();
    private int circles;
    private long leftOut;
    private boolean searched;

    @Override
    public void got(
            Holding lock,
            String kind,
            long waited,
            Holding before,
            List<Holding> held,
            boolean tried) {
        if (tried || held.stream().anyMatch(one -> one.address() == lock.address())) {
            return; // it would not have waited
        }
        for (Holding one : held) {
            Edge edge = edges.computeIfAbsent(one.address(), from -> new TreeMap<>())
                    .computeIfAbsent(lock.address(), to -> new Edge(one.name(), lock.name()));
            edge.times++;
            edge.threads.add(lock.thread());
            add(edge, way(one, lock, held), lock.thread());
        }
    }

    private void add(Edge edge, Way way, int thread) {
        Set<Integer> threads = edge.ways.get(way);
        if (threads == null && edge.ways.size() < MOST_WAYS) {
            threads = new HashSet<>();
            edge.ways.put(way, threads);
        }
        if (threads == null) {
            leftOut++;
        } else if (threads.size() < MOST_LOCKS) {
            threads.add(thread);
        }
    }

    /** Returns how often threads asked in ways that are not kept, as there were too many. */
    long leftOut() {
        return leftOut;
    }

    private static Way way(Holding one, Holding lock, List<Holding> held) {
        Set<Long> gates = new HashSet<>();
        held.stream().filter(other -> other != one).forEach(other -> gates.add(other.address()));
        return new Way(
                LockWaits.text(one.place()),
                LockWaits.text(lock.place()),
                one.shared(),
                lock.shared(),
                gates);
    }

    /** Returns whether nobody asked for a lock while it held another one. */
    boolean isEmpty() {
        return edges.isEmpty();
    }

    /** Returns how many circles there are, each without a lock that keeps its threads apart. */
    int circles() {
        search();
        return circles;
    }

    private void search() {
        if (!searched) {
            searched = true;
            edges.keySet().forEach(start -> {
                List<Long> path = new ArrayList<>(List.of(start));
                extend(start, path, new ArrayList<>());
            });
        }
    }

    /** Goes on from the end of a path to locks with greater addresses, or back to its start. */
    private void extend(long start, List<Long> path, List<Edge> taken) {
        if (circles >= MOST_CIRCLES || path.size() > MOST_LOCKS) {
            return;
        }
        Map<Long, Edge> next = edges.getOrDefault(path.get(path.size() - 1), Map.of());
        for (Map.Entry<Long, Edge> one : next.entrySet()) {
            taken.add(one.getValue());
            if (one.getKey() == start && isDangerous(taken, 0, new ArrayList<>())) {
                circles++;
                taken.forEach(edge -> edge.circle = edge.circle == 0 ? circles : edge.circle);
            } else if (Long.compareUnsigned(one.getKey(), start) > 0
                    && !path.contains(one.getKey())) {
                path.add(one.getKey());
                extend(start, path, taken);
                path.remove(path.size() - 1);
            }
            taken.remove(taken.size() - 1);
        }
    }

    /** Returns whether different threads may go these ways at a time. */
    private static boolean isDangerous(List<Edge> circle, int at, List<Step> chosen) {
        if (at == circle.size()) {
            return waits(chosen.stream().map(Step::way).toList());
        }
        for (Map.Entry<Way, Set<Integer>> one : circle.get(at).ways.entrySet()) {
            Way way = one.getKey();
            if (chosen.stream().allMatch(other -> areApart(way, other.way()))
                    && mayBeTaken(circle, at, chosen, way, one.getValue())) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether one of a way's threads may go it while others go those chosen so far. */
    private static boolean mayBeTaken(
            List<Edge> circle, int at, List<Step> chosen, Way way, Set<Integer> threads) {
        for (int thread : threads) {
            if (chosen.stream().allMatch(other -> other.thread() != thread)) {
                chosen.add(new Step(way, thread));
                if (isDangerous(circle, at + 1, chosen)) {
                    return true;
                }
                chosen.remove(chosen.size() - 1);
            }
        }
        return false;
    }

    private static boolean areApart(Way one, Way other) {
        return one.gates().stream().noneMatch(other.gates()::contains);
    }

    /** Each asks for what the next one holds, and two that read do not wait for each other. */
    private static boolean waits(List<Way> circle) {
        for (int i = 0; i < circle.size(); i++) {
            if (circle.get(i).askedShared()
                    && circle.get((i + 1) % circle.size()).heldShared()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Rows of the ways from lock to lock, those of circles first.
     *
     * @param common whether locks go by the names that they have in common
     */
    Table table(int top, boolean common) {
        search();
        List<Object[]> first = new ArrayList<>();
        List<Object[]> others = new ArrayList<>();
        edges.values().stream()
                .flatMap(to -> to.values().stream())
                .sorted((one, other) -> one.circle != other.circle
                        ? Integer.compare(one.circle, other.circle)
                        : Long.compare(other.times, one.times))
                .forEach(edge ->
                        rows(edge, common).forEach((edge.circle > 0 ? first : others)::add));
        first.addAll(others);
        return new Table("order", HEADINGS).first(first, top, row -> row);
    }

    private static List<Object[]> rows(Edge edge, boolean common) {
        Map<String, Way> places = new LinkedHashMap<>();
        edge.ways.keySet().forEach(way -> places.putIfAbsent(way.taken() + " " + way.asked(), way));
        List<Object[]> rows = new ArrayList<>();
        for (Way way : places.values()) {
            boolean firstRow = rows.isEmpty();
            rows.add(new Object[] {
                firstRow ? edge.times : null,
                firstRow ? (long) edge.threads.size() : null,
                edge.from.by(common),
                way.taken(),
                edge.to.by(common),
                way.asked(),
                edge.circle > 0 ? (long) edge.circle : null
            });
        }
        return rows;
    }
}
