package dev.madt.view;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BuiltInTemplates;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Made-up events whose accesses are made by records of one site and of several, some of which do
 * again what they did some time before.
 */
public final class RepeatedRecords {
    /** Says how a consumer is told of accesses. */
    public enum Form {
        /** Each by its own call. */
        ACCESSES,
        /** By a call for each record. */
        RECORDS,
        /** By rows of many records. */
        ROWS,
        /** By such rows, and of what is done again how often it is. */
        TIMES
    }

    private static final int FIRST = 16;
    private static final int MOST_SITES = 5;

    private final EventConsumer to;
    private final Form form;
    private final Random random;
    private final Map<AccessSite, RecordTemplate> single = new LinkedHashMap<>();
    private final List<RecordTemplate> done = new ArrayList<>();
    private final Map<RecordTemplate, long[]> words = new HashMap<>();
    private final RecordRows rows = new RecordRows(MOST_SITES);
    private final Map<RecordTemplate, Integer> places = new HashMap<>();
    private int rowsThread;
    private long number;

    private RepeatedRecords(long seed, EventConsumer to, Form form) {
        this.to = to;
        this.form = form;
        this.random = new Random(seed);
    }

    /** Gives about {@code count} events. */
    public static void give(long seed, int count, Form form, EventConsumer to) {
        RepeatedRecords made = new RepeatedRecords(seed, to, form);
        EventConsumer consumer = (EventConsumer) Proxy.newProxyInstance(
                RepeatedRecords.class.getClassLoader(),
                new Class<?>[] {EventConsumer.class},
                (proxy, method, arguments) -> {
                    made.call(method, arguments);
                    return null;
                });
        new RandomEvents(seed, consumer).give(count);
    }

    private void call(Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("access")) {
            access((int) arguments[1], (AccessSite) arguments[2], (boolean) arguments[3], (long)
                    arguments[4]);
            return;
        }
        if (name.equals("ring") && rows.count() > 0) {
            rows.add(
                    rows.place(BuiltInTemplates.of(SharedLayout.TEMPLATE_EVENT)),
                    RecordRows.OTHER,
                    0);
            rows.ring((TraceEvent) arguments[0]);
            return;
        }
        giveRows();
        if (name.equals("block")) {
            arguments[0] = number++;
        }
        try {
            method.invoke(to, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The store of a modify stands for both. */
    private void access(int thread, AccessSite site, boolean store, long address) {
        if (site.kind() == AccessKind.MODIFY && !store) {
            return;
        }
        RecordTemplate template = single.computeIfAbsent(site, absent -> template(List.of(site)));
        record(thread, template, new long[] {address}, false);
        if (random.nextInt(9) == 0) {
            some(thread);
        }
        while (random.nextInt(3) > 0) {
            RecordTemplate any = done.get(random.nextInt(done.size()));
            long[] last = words.get(any);
            record(thread, any, last, !missing(last));
        }
    }

    private RecordTemplate template(List<AccessSite> sites) {
        RecordTemplate template =
                new RecordTemplate(FIRST + done.size(), sites.toArray(AccessSite[]::new));
        done.add(template);
        return template;
    }

    /** A record of several sites; most do what they did last. */
    private void some(int thread) {
        List<AccessSite> sites = new ArrayList<>();
        long[] last = new long[2 + random.nextInt(MOST_SITES - 1)];
        List<AccessSite> known = new ArrayList<>(single.keySet());
        for (int i = 0; i < last.length; i++) {
            AccessSite site = known.get(random.nextInt(known.size()));
            // with an identity of its own, as the sites of a template have
            sites.add(new AccessSite(
                    site.address(),
                    site.length(),
                    site.kind(),
                    site.size(),
                    site.operand(),
                    site.stack(),
                    site.frame()));
            last[i] = random.nextInt(9) == 0
                    ? SharedLayout.WORD_NONE
                    : words.get(single.get(site))[0];
        }
        record(thread, template(sites), last, false);
    }

    private static boolean missing(long[] of) {
        return Arrays.stream(of).anyMatch(word -> word == SharedLayout.WORD_NONE);
    }

    private void record(int thread, RecordTemplate template, long[] last, boolean again) {
        words.put(template, last);
        switch (form) {
            case ACCESSES -> {
                accesses(thread, template, last);
                return;
            }
            case ROWS, TIMES -> row(thread, template, last, again);
            default -> {
                long[] behind = new long[last.length + 1];
                System.arraycopy(last, 0, behind, 1, last.length);
                if (again) {
                    to.again(number, thread, template, behind, 1);
                } else {
                    to.record(number, thread, template, behind, 1);
                }
            }
        }
        for (int i = 0; i < last.length; i++) {
            number += last[i] == SharedLayout.WORD_NONE
                    ? 0
                    : template.site(i).kind().accesses();
        }
    }

    private void accesses(int thread, RecordTemplate template, long[] last) {
        for (int i = 0; i < last.length; i++) {
            AccessSite site = template.site(i);
            if (last[i] != SharedLayout.WORD_NONE && site.kind().loads()) {
                to.access(number++, thread, site, false, last[i]);
            }
            if (last[i] != SharedLayout.WORD_NONE && site.kind().stores()) {
                to.access(number++, thread, site, true, last[i]);
            }
        }
    }

    private void row(int thread, RecordTemplate template, long[] last, boolean again) {
        if (rows.count() == 0) {
            rows.begin(number, thread, RecordRows.FULL);
            rowsThread = thread;
        } else if (thread != rowsThread) {
            rows.words()[rows.used()] = thread;
            rows.add(
                    rows.place(BuiltInTemplates.of(SharedLayout.TEMPLATE_THREAD)),
                    RecordRows.OTHER,
                    1);
            rowsThread = thread;
        }
        boolean known = places.containsKey(template);
        int place = places.computeIfAbsent(template, rows::place);
        if (form == Form.TIMES && again) {
            rows.words()[rows.used()] = 1;
            System.arraycopy(last, 0, rows.words(), rows.used() + 1, last.length);
            rows.add(place, RecordRows.OTHER, 1 + last.length);
            return;
        }
        System.arraycopy(last, 0, rows.words(), rows.used(), last.length);
        int repeated = known ? RecordRows.AGAIN : RecordRows.AGAIN_WORDS;
        rows.add(place, again ? repeated : RecordRows.WORDS, last.length);
        if (rows.count() > 99) {
            giveRows();
        }
    }

    private void giveRows() {
        if (rows.count() > 0) {
            to.rows(rows);
            rows.begin(number, 0, RecordRows.FULL);
            places.clear();
        }
    }
}
