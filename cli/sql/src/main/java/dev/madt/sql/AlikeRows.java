package dev.madt.sql;

import dev.madt.duckdb.TextPool;
import dev.madt.trace.event.AccessKind;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import java.util.Arrays;
import java.util.function.Function;

/** Makes rows of accesses that are equal in all columns which a query needs. */
final class AlikeRows {
    /** So many equal rows are worth a parcel of their own. */
    private static final long MANY = 4096;

    private static final char[] LOAD = {'L'};
    private static final char[] STORE = {'S'};
    private static final char[] MODIFY = {'L', 'S'};

    private final AccessColumn[] columns;
    private final RowWriter rows;
    private final TextPool.Text trace;
    private final TextPool.Text load;
    private final TextPool.Text store;
    private final Function<Place, PlaceTexts> placeTexts;
    private final Function<DataObject, DataTexts> dataTexts;
    /** The values of the row at hand: texts, or numbers, where 0 may stand for none. */
    private final TextPool.Text[] texts;

    private final long[] numbers;

    /**
     * Makes rows of one trace.
     *
     * @param trace name of its file
     * @param columns null where one has no values
     * @param placeTexts tells what columns say of code, in texts of the pool
     * @param dataTexts tells what columns say of data, in texts of the pool
     */
    AlikeRows(
            String trace,
            AccessColumn[] columns,
            TextPool pool,
            RowWriter rows,
            Function<Place, PlaceTexts> placeTexts,
            Function<DataObject, DataTexts> dataTexts) {
        this.columns = columns;
        this.rows = rows;
        this.trace = pool.of(trace);
        this.load = pool.of("L");
        this.store = pool.of("S");
        this.placeTexts = placeTexts;
        this.dataTexts = dataTexts;
        this.texts = new TextPool.Text[columns.length];
        this.numbers = new long[columns.length];
    }

    /** Returns whether rows are told apart by what a place and a data object have in common. */
    static boolean areEnough(AccessColumn[] columns) {
        return !AccessColumn.any(columns, AccessColumn::isOfEach);
    }

    /** Returns the letters of the rows of an access: a modify is a load and a store. */
    static char[] letters(AccessKind kind) {
        return !kind.stores() ? LOAD : kind.loads() ? MODIFY : STORE;
    }

    /**
     * Looks up the values of the next rows.
     *
     * @param letter {@code L} or {@code S}
     * @param object may be null where no column is of data
     */
    void of(int process, int thread, Place place, DataObject object, char letter) {
        for (int column = 0; column < columns.length; column++) {
            AccessColumn what = columns[column];
            if (what == null) {
                continue;
            }
            switch (what) {
                case PROCESS -> numbers[column] = process;
                case THREAD -> numbers[column] = thread;
                case SIZE -> numbers[column] = place.size();
                case LINE -> numbers[column] = place.line();
                case BLOCK -> numbers[column] = dataTexts.apply(object).block();
                case TRACE -> texts[column] = trace;
                case KIND -> texts[column] = letter == 'L' ? load : store;
                case FUNCTION, CODE, MODULE, FILE ->
                    texts[column] = placeTexts.apply(place).text(what);
                default -> texts[column] = dataTexts.apply(object).text(what, 0, 0);
            }
        }
    }

    /** Writes so many rows with those values: one by one, or as one that stands for many. */
    void write(long times) {
        boolean many = times >= MANY;
        long left = many ? 1 : times;
        while (left > 0) {
            Parcel parcel = many ? rows.emptyParcel() : rows.parcel();
            int at = parcel.count();
            int count = (int) Math.min(Parcel.ROWS - at, left);
            for (int column = 0; column < columns.length; column++) {
                if (columns[column] != null) {
                    fill(parcel, column, at, count);
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

    private void fill(Parcel to, int column, int at, int count) {
        boolean none;
        if (to.isTexts(column)) {
            none = texts[column] == null;
            for (int i = 0; !none && i < count; i++) {
                to.put(column, at + i, texts[column]);
            }
        } else {
            long value = numbers[column];
            none = value == 0 && columns[column].isUnknownAsZero();
            if (to.integers(column) != null) {
                Arrays.fill(to.integers(column), at, at + count, (int) value);
            } else {
                Arrays.fill(to.longs(column), at, at + count, value);
            }
        }
        for (int i = 0; none && i < count; i++) {
            to.putNothing(column, at + i);
        }
    }
}
