package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.Selection;
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
        private Tally row;
    }

    private final List<ReportKey> keys;
    private final List<String> besides;
    private final boolean byThread;
    private final boolean byPage;
    private final boolean described;
    private final Notes<Last> lasts = new Notes<>();
    private String process = "?";

    CrossGrouping(List<ReportKey> keys) {
        this.keys = keys;
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
        Needs needs = keys.contains(ReportKey.BLOCK)
                ? Needs.BATCHES.living(BlockLives.UNHEEDED)
                : super.needs();
        return needs.keeping(lasts);
    }

    @Override
    boolean isByName() {
        return !byThread && !byPage;
    }

    @Override
    Tally of(Place place, DataObject object) {
        return of(place, object, 0, 0);
    }

    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.place(row), batch.object(row), batch.thread(), batch.address(row));
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
        return of(event.place(), object, event.thread(), address);
    }

    private Tally of(Place place, DataObject object, int thread, long address) {
        Last last = lasts.of(place);
        if (last == null) {
            last = new Last();
            lasts.keep(place, last);
        }
        long page = address >>> TouchedLines.PAGE_BITS;
        if (last.row == null
                || last.object != object
                || byThread && last.thread != thread
                || byPage && last.page != page) {
            last.object = object;
            last.thread = thread;
            last.page = page;
            last.row = find(place, object, thread, page);
        }
        return last.row;
    }

    private Tally find(Place place, DataObject object, int thread, long page) {
        String[] names = new String[keys.size() + besides.size()];
        int count = 0;
        for (ReportKey key : keys) {
            names[count++] = name(key, place, object, thread, page);
        }
        for (String heading : besides) {
            names[count++] = switch (heading) {
                case "module" -> place.module();
                case "function" -> place.function();
                default -> region(object);
            };
        }
        Tally row = rowOf(names);
        if (described) {
            row.describe(object);
        }
        return row;
    }

    private String name(ReportKey key, Place place, DataObject object, int thread, long page) {
        return switch (key) {
            case SYMBOL -> commonName(object);
            case BLOCK -> object.name();
            case SITE -> object.block() == null ? Selection.NO_BLOCK : commonName(object);
            case TYPE -> ReportKey.typeOf(object);
            case REGION -> region(object);
            case FUNCTION -> place.function();
            case LINE -> place.lineName();
            case MODULE -> place.module();
            case PROCESS -> process;
            case PAGE -> "0x" + Long.toHexString(page << TouchedLines.PAGE_BITS);
            case THREAD -> Integer.toUnsignedString(thread);
        };
    }
}
