package dev.madt.view.report;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.Selection;
import dev.madt.view.ThreadCalls;
import java.util.List;

/**
 * Rows by several keys at once: one for each combination of what reports by one key call their
 * rows.
 */
final class CrossGrouping extends Grouping {
    /** The row that an instruction belonged to last. */
    private static final class Last {
        private DataObject object;
        private int thread;
        private long page;
        private String member;
        private CallChain chain;
        private Tally row;
    }

    private final List<ReportKey> keys;
    private final List<String> besides;
    private final boolean byThread;
    private final boolean byPage;
    private final boolean described;
    private final Notes<Last> lasts = new Notes<>();
    /** Null if members have no rows. */
    private final MemberNames members;

    /** Null if they are not heeded. */
    private final ThreadCalls calls;

    private String process = "?";

    /**
     * @param types splits rows by data into rows of members, unless it is null
     * @param called whether rows depend on the calls that threads are in
     */
    CrossGrouping(List<ReportKey> keys, MemberTypes types, boolean called) {
        this.keys = keys;
        this.calls = called ? new ThreadCalls() : null;
        this.members = types == null
                ? null
                : new MemberNames(
                        keys.stream().filter(ReportKey::hasMembers).findFirst().orElseThrow(),
                        types);
        this.besides = ReportKey.besides(keys);
        this.byThread = keys.contains(ReportKey.THREAD);
        this.byPage = keys.contains(ReportKey.PAGE);
        this.described = keys.stream().anyMatch(ReportKey::namesBlocks);
    }

    @Override
    void process(String pid, String path) {
        super.process(pid, path);
        process = pid + ' ' + path;
    }

    @Override
    Needs needs() {
        Needs needs = keys.contains(ReportKey.BLOCK) || members != null || calls != null
                ? Needs.BATCHES.living(BlockLives.UNHEEDED)
                : super.needs();
        return members == null ? needs.keeping(lasts) : needs.keeping(lasts, members.notes());
    }

    @Override
    boolean isByName() {
        return !byThread && !byPage && members == null && calls == null;
    }

    @Override
    Tally of(Place place, DataObject object) {
        return of(place, object, 0, 0, 0);
    }

    @Override
    Tally of(Accesses batch, int row) {
        return of(
                batch.place(row),
                batch.object(row),
                batch.thread(),
                batch.address(row),
                batch.size(row));
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
        return of(event.place(), object, event.thread(), address, event.length());
    }

    private Tally of(Place place, DataObject object, int thread, long address, long size) {
        Last last = lasts.of(place);
        if (last == null) {
            last = new Last();
            lasts.keep(place, last);
        }
        long page = address >>> TouchedLines.PAGE_BITS;
        CallChain chain = calls == null ? null : calls.of(thread);
        String member = members == null ? null : members.of(object, address, size);
        if (last.row == null
                || last.object != object
                || byThread && last.thread != thread
                || byPage && last.page != page
                || member != null && !member.equals(last.member)
                || last.chain != chain) {
            last.object = object;
            last.thread = thread;
            last.page = page;
            last.member = member;
            last.chain = chain;
            last.row = find(place, object, last);
        }
        return last.row;
    }

    private Tally find(Place place, DataObject object, Last at) {
        String[] names = new String[keys.size() + besides.size()];
        int count = 0;
        for (ReportKey key : keys) {
            names[count++] = at.member != null && key == members.key()
                    ? at.member
                    : name(key, place, object, at);
        }
        for (String heading : besides) {
            names[count++] = switch (heading) {
                case "module" -> place.module();
                case "function" -> charged(place, at.chain).lineFunction();
                default -> region(object);
            };
        }
        Tally row = rowOf(names);
        if (described && members == null) {
            row.describe(object);
        } else if (described) {
            row.source(object);
        }
        return row;
    }

    /**
     * The instruction; where its lines are those of libraries, the innermost of the functions that
     * led to it which is the author's, as far as calls are known.
     */
    private static Place charged(Place place, CallChain chain) {
        for (CallChain at = place.source().isSettled() ? null : chain;
                at != null && at.outer() != null;
                at = at.outer()) {
            if (at.call().source().isSettled()) {
                return at.call();
            }
        }
        return place;
    }

    @Override
    void neighbours(Neighbours space) {
        if (calls != null) {
            calls.neighbours(space);
        }
    }

    @Override
    void call(int thread, Place place, long stack) {
        if (calls != null) {
            calls.call(thread, place, stack);
        }
    }

    @Override
    void ring(TraceEvent event) {
        if (calls != null) {
            calls.ring(event);
        }
    }

    private String name(ReportKey key, Place place, DataObject object, Last at) {
        return switch (key) {
            case SYMBOL -> commonName(object);
            case BLOCK -> object.shownName();
            case SITE -> object.block() == null ? Selection.NO_BLOCK : commonName(object);
            case TYPE -> ReportKey.typeOf(object);
            case REGION -> region(object);
            case FUNCTION -> place.function();
            case LINE -> charged(place, at.chain).lineName();
            case PATH -> at.chain.path();
            case MODULE -> place.module();
            case PROCESS -> process;
            case PAGE -> "0x" + Long.toHexString(at.page << TouchedLines.PAGE_BITS);
            case THREAD -> Integer.toUnsignedString(at.thread);
        };
    }
}
