package dev.madt.view;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.Run;
import dev.madt.trace.event.Site;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Made-up events whose accesses are made by runs, some of which do again what they did some time
 * before.
 */
public final class RepeatedRuns {
    private static final int FIRST = 16;

    private final EventConsumer to;
    private final boolean asRuns;
    private final Random random;
    private final Map<Site, Run> runs = new LinkedHashMap<>();
    private final List<Run> done = new ArrayList<>();
    private final List<Long> addresses = new ArrayList<>();
    private long number;

    private RepeatedRuns(long seed, EventConsumer to, boolean asRuns) {
        this.to = to;
        this.asRuns = asRuns;
        this.random = new Random(seed);
    }

    /**
     * Gives about {@code count} events; {@code asRuns}: by the calls for runs, else each access by
     * its own call.
     */
    public static void give(long seed, int count, boolean asRuns, EventConsumer to) {
        RepeatedRuns made = new RepeatedRuns(seed, to, asRuns);
        EventConsumer consumer = (EventConsumer) Proxy.newProxyInstance(
                RepeatedRuns.class.getClassLoader(),
                new Class<?>[] {EventConsumer.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "access" ->
                            made.access(
                                    (int) arguments[1],
                                    (Site) arguments[2],
                                    (boolean) arguments[3],
                                    (long) arguments[4]);
                        case "block" -> arguments[0] = made.number++;
                        default -> {}
                    }
                    try {
                        return method.getName().equals("access")
                                ? null
                                : method.invoke(to, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        new RandomEvents(seed, consumer).give(count);
    }

    /** The store of a modify stands for both. */
    private void access(int thread, Site site, boolean store, long address) {
        if (site.kind() == AccessKind.MODIFY && !store) {
            return;
        }
        Run run = runs.computeIfAbsent(
                site, absent -> new Run(FIRST + runs.size(), new Site[] {site}));
        int index = done.indexOf(run);
        if (index < 0) {
            done.add(run);
            addresses.add(address);
        } else {
            addresses.set(index, address);
        }
        run(thread, run, address, false);
        while (random.nextInt(3) > 0) {
            int any = random.nextInt(done.size());
            run(thread, done.get(any), addresses.get(any), true);
        }
    }

    private void run(int thread, Run run, long address, boolean again) {
        long[] words = {7, address};
        if (!asRuns) {
            Site site = run.site(0);
            long next = number;
            if (site.kind() != AccessKind.STORE) {
                to.access(next++, thread, site, false, address);
            }
            if (site.kind() != AccessKind.LOAD) {
                to.access(next, thread, site, true, address);
            }
        } else if (again) {
            to.again(number, thread, run, words, 1);
        } else {
            to.run(number, thread, run, words, 1);
        }
        number += run.loads() + run.stores();
    }
}
