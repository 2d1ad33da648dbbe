package dev.madt.sql;

import dev.madt.duckdb.TextPool;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.calls.TimedCalls;
import dev.madt.view.convert.MemberTexts;
import java.util.Arrays;
import java.util.Map;

/** Makes a row of each access of a trace, with the columns that a query needs. */
final class AccessRows implements Analysis {
    /** So many equal rows are worth a parcel of their own. */
    private static final long MANY = 4096;

    private final RowWriter rows;
    /** Null where a column has no values. */
    private final AccessColumn[] columns;

    private final TextPool pool;
    private final MemberTexts<TextPool.Text> members;
    private final Notes<PlaceTexts> placeTexts = new Notes<>();
    private final Notes<DataTexts> dataTexts = new Notes<>();
    private final TextPool.Text trace;
    private final TextPool.Text load;
    private final TextPool.Text store;
    /** Null where rows are told apart by what each access has. */
    private final AlikeAccesses alike;
    /** Says that no column tells blocks of one call from each other. */
    private final boolean bySite;
    /** Null where no column is of calls. */
    private final TimedCalls calls;

    private int process;
    private int window;

    AccessRows(
            String trace,
            AccessColumn[] columns,
            TextPool pool,
            MemberTypes types,
            RowWriter rows) {
        this.rows = rows;
        this.columns = columns;
        this.pool = pool;
        this.members = new MemberTexts<>(types, pool::of, TextPool.Text.EMPTY);
        this.trace = pool.of(trace);
        this.load = pool.of("L");
        this.store = pool.of("S");
        boolean each = AccessColumn.any(columns, AccessColumn::isOfEach);
        this.bySite = !AccessColumn.any(columns, AccessColumn::isOfBlocks);
        this.calls = AccessColumn.any(columns, AccessColumn::isOfCalls) ? new TimedCalls() : null;
        this.alike = each
                ? null
                : new AlikeAccesses(
                        AccessColumn.any(columns, AccessColumn::isOfData),
                        Arrays.asList(columns).contains(AccessColumn.THREAD),
                        this::alike);
    }

    @Override
    public Needs needs() {
        Needs needs = bySite ? Needs.BATCHES.bySite().living(BlockLives.UNHEEDED) : Needs.BATCHES;
        needs = needs.keeping(placeTexts, dataTexts);
        return alike == null ? needs : needs.counting(alike).keeping(alike.notes());
    }

    @Override
    public void meta(Map<String, String> values) {
        Integer told = Names.process(values);
        process = told == null ? process : told;
        if (calls != null) {
            calls.meta(values);
        }
    }

    @Override
    public void neighbours(Neighbours space) {
        if (calls != null) {
            calls.neighbours(space);
        }
    }

    @Override
    public void call(int thread, Place place, long stack, long time) {
        if (calls != null) {
            calls.call(thread, place, stack, time);
        }
    }

    @Override
    public void ring(TraceEvent event) {
        window += event.type() == RingEventType.RECORD_START ? 1 : 0;
        if (calls != null) {
            calls.ring(event);
        }
    }

    @Override
    public void end(boolean complete) {
        if (alike != null) {
            alike.tell();
        }
    }

    private void alike(int thread, Place place, DataObject object, long times) {
        if (place.kind() != AccessKind.STORE) {
            alike(thread, place, object, load, times);
        }
        if (place.kind() != AccessKind.LOAD) {
            alike(thread, place, object, store, times);
        }
    }

    /** Writes equal rows: one by one, or as one that stands for many. */
    private void alike(int thread, Place place, DataObject object, TextPool.Text kind, long times) {
        boolean many = times >= MANY;
        long left = many ? 1 : times;
        while (left > 0) {
            Parcel parcel = many ? rows.emptyParcel() : rows.parcel();
            int at = parcel.count();
            int count = (int) Math.min(Parcel.ROWS - at, left);
            for (int column = 0; column < columns.length; column++) {
                if (columns[column] != null) {
                    fill(parcel, column, at, count, thread, place, object, kind);
                }
            }
            left -= count;
            if (many) {
                rows.repeated(times);
            } else {
                rows.added(count);
            }
        }
    }

    private void fill(
            Parcel to,
            int column,
            int at,
            int count,
            int thread,
            Place place,
            DataObject object,
            TextPool.Text kind) {
        switch (columns[column]) {
            case PROCESS -> fill(to.integers(column), at, count, process);
            case THREAD -> fill(to.integers(column), at, count, thread);
            case SIZE -> fill(to, column, at, count, place.size());
            case LINE -> fill(to, column, at, count, place.line());
            case BLOCK -> {
                long block = of(object).block();
                Arrays.fill(to.longs(column), at, at + count, block);
                for (int i = 0; block == 0 && i < count; i++) {
                    to.putNothing(column, at + i);
                }
            }
            case TRACE -> fill(to, column, at, count, trace);
            case KIND -> fill(to, column, at, count, kind);
            case FUNCTION, CODE, MODULE, FILE ->
                fill(to, column, at, count, text(columns[column], of(place)));
            default -> fill(to, column, at, count, text(columns[column], of(object), 0, 0));
        }
    }

    /** Fills with a number of which 0 stands for an unknown one. */
    private static void fill(Parcel to, int column, int at, int count, int value) {
        fill(to.integers(column), at, count, value);
        for (int i = 0; value == 0 && i < count; i++) {
            to.putNothing(column, at + i);
        }
    }

    @Override
    public void accesses(Accesses batch) {
        int from = 0;
        while (from < batch.count()) {
            Parcel parcel = rows.parcel();
            int at = parcel.count();
            int count = Math.min(Parcel.ROWS - at, batch.count() - from);
            for (int column = 0; column < columns.length; column++) {
                if (columns[column] != null) {
                    fill(parcel, column, at, batch, from, count);
                }
            }
            rows.added(count);
            from += count;
        }
    }

    private void fill(Parcel to, int column, int at, Accesses batch, int from, int count) {
        switch (columns[column]) {
            case TRACE -> fill(to, column, at, count, trace);
            case PROCESS -> fill(to.integers(column), at, count, process);
            case THREAD -> fill(to.integers(column), at, count, batch.thread());
            case WINDOW -> fill(to.integers(column), at, count, window);
            case PATH -> path(to, column, at, count, calls.path(batch.thread()));
            case TIME -> time(to, column, at, count, calls.time(batch.thread()));
            case NUMBER, ADDRESS, OFFSET, BLOCK -> longs(to, column, at, batch, from, count);
            case SIZE, LINE -> integers(to, column, at, batch, from, count);
            case FUNCTION, CODE, MODULE, FILE, KIND -> code(to, column, at, batch, from, count);
            default -> data(to, column, at, batch, from, count);
        }
    }

    private void path(Parcel to, int column, int at, int count, String path) {
        fill(to, column, at, count, path == null ? null : pool.of(path));
    }

    private static void time(Parcel to, int column, int at, int count, long time) {
        Arrays.fill(to.longs(column), at, at + count, time);
        for (int i = 0; time < 0 && i < count; i++) {
            to.putNothing(column, at + i);
        }
    }

    private static void fill(int[] to, int at, int count, int value) {
        Arrays.fill(to, at, at + count, value);
    }

    private static void fill(Parcel to, int column, int at, int count, TextPool.Text text) {
        for (int i = 0; i < count; i++) {
            put(to, column, at + i, text);
        }
    }

    private void longs(Parcel to, int column, int at, Accesses batch, int from, int count) {
        long[] values = to.longs(column);
        AccessColumn what = columns[column];
        for (int i = 0; i < count; i++) {
            int row = from + i;
            switch (what) {
                case NUMBER -> values[at + i] = batch.first() + row;
                case ADDRESS -> values[at + i] = batch.address(row);
                case OFFSET -> values[at + i] = batch.address(row) - batch.start(row);
                default -> {
                    long block = of(batch.object(row)).block();
                    values[at + i] = block;
                    if (block == 0) {
                        to.putNothing(column, at + i);
                    }
                }
            }
        }
    }

    private void integers(Parcel to, int column, int at, Accesses batch, int from, int count) {
        int[] values = to.integers(column);
        boolean size = columns[column] == AccessColumn.SIZE;
        for (int i = 0; i < count; i++) {
            int value = size ? batch.size(from + i) : batch.place(from + i).line();
            values[at + i] = value;
            if (value == 0) {
                to.putNothing(column, at + i);
            }
        }
    }

    private void code(Parcel to, int column, int at, Accesses batch, int from, int count) {
        AccessColumn what = columns[column];
        for (int i = 0; i < count; i++) {
            int row = from + i;
            TextPool.Text text = what == AccessColumn.KIND
                    ? batch.store(row) ? store : load
                    : text(what, of(batch.place(row)));
            put(to, column, at + i, text);
        }
    }

    private static TextPool.Text text(AccessColumn what, PlaceTexts of) {
        return switch (what) {
            case FUNCTION -> of.function();
            case CODE -> of.code();
            case MODULE -> of.module();
            default -> of.file();
        };
    }

    private void data(Parcel to, int column, int at, Accesses batch, int from, int count) {
        AccessColumn what = columns[column];
        for (int i = 0; i < count; i++) {
            int row = from + i;
            long offset = batch.address(row) - batch.start(row);
            put(to, column, at + i, text(what, of(batch.object(row)), offset, batch.size(row)));
        }
    }

    private static TextPool.Text text(AccessColumn what, DataTexts of, long offset, long size) {
        return switch (what) {
            case DATA -> of.data();
            case SYMBOL -> of.symbol();
            case REGION -> of.region();
            case SITE -> of.site();
            case ALLOCATED_AT -> of.allocatedAt();
            case TYPE -> of.type();
            default -> of.member(offset, size);
        };
    }

    private static void put(Parcel to, int column, int row, TextPool.Text text) {
        if (text == null) {
            to.putNothing(column, row);
        } else {
            to.put(column, row, text);
        }
    }

    private PlaceTexts of(Place place) {
        PlaceTexts texts = placeTexts.of(place);
        if (texts == null) {
            texts = new PlaceTexts(place, pool);
            placeTexts.keep(place, texts);
        }
        return texts;
    }

    private DataTexts of(DataObject object) {
        DataTexts texts = dataTexts.of(object);
        if (texts == null) {
            texts = new DataTexts(object, pool, members.of(object));
            dataTexts.keep(object, texts);
        }
        return texts;
    }
}
