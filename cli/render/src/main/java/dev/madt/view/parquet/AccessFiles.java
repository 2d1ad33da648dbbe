package dev.madt.view.parquet;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.calls.TimedCalls;
import dev.madt.view.convert.MemberTexts;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the accesses of a trace as files of Parquet, in its order, with the columns of the table
 * of accesses of {@code madt sql}: {@code NAME-00000.parquet} and so on, of 64 million rows each.
 * Memory is that of a row group and of the names.
 */
public final class AccessFiles implements Analysis {
    private static final int ROWS = 1 << 20;
    private static final int GROUPS = 64;

    private final Path folder;
    private final String trace;
    private final MemberTexts<MemberCell> members;
    private final Map<String, MemberCell> named = new HashMap<>();
    private final MemberCell whole = new MemberCell("");
    private final Notes<PlaceCells> places = new Notes<>();
    private final Notes<DataCells> objects = new Notes<>();
    private final TimedCalls calls = new TimedCalls();
    /** Holds what threads are in, of those that accessed something since that changed. */
    private final Map<Integer, CallCell> inCalls = new HashMap<>();

    private final AccessGroup group;
    private final int mostGroups;
    private ParquetFile file;
    private int files;
    private int groups;
    private int window;
    private Integer process;
    private long rows;

    /**
     * @param folder which is there
     * @param trace the name of the trace's file
     * @param types what is known of members
     */
    public AccessFiles(Path folder, String trace, MemberTypes types) {
        this(folder, trace, types, ROWS, GROUPS);
    }

    /** As above, with so many rows in a row group, and so many of these in a file. */
    public AccessFiles(Path folder, String trace, MemberTypes types, int rows, int groups) {
        this.group = new AccessGroup(rows);
        this.mostGroups = groups;
        this.folder = folder;
        this.trace = trace;
        this.members = new MemberTexts<>(
                types, text -> named.computeIfAbsent(text, MemberCell::new), whole);
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.keeping(places, objects);
    }

    @Override
    public void meta(Map<String, String> values) {
        String pid = values.getOrDefault("pid", "");
        process = pid.matches("\\d{1,9}") ? Integer.valueOf(pid) : process;
        calls.meta(values);
    }

    @Override
    public void ring(TraceEvent event) {
        window += event.type() == RingEventType.RECORD_START ? 1 : 0;
        calls.ring(event);
        inCalls.remove(event.thread());
    }

    @Override
    public void neighbours(Neighbours space) {
        calls.neighbours(space);
    }

    @Override
    public void call(int thread, Place place, long stack, long time) {
        calls.call(thread, place, stack, time);
        inCalls.remove(thread);
    }

    private CallCell cellOf(int thread) {
        return inCalls.computeIfAbsent(thread, absent -> {
            long time = calls.time(thread);
            return new CallCell(calls.path(thread), time == TimedCalls.UNKNOWN ? null : time);
        });
    }

    @Override
    public void accesses(Accesses batch) {
        for (int from = 0; from < batch.count(); ) {
            int count = Math.min(group.capacity() - group.rows, batch.count() - from);
            take(batch, from, from + count);
            from += count;
            if (group.rows == group.capacity()) {
                write();
            }
        }
    }

    private void take(Accesses batch, int from, int to) {
        int at = group.rows;
        CallCell inCall = cellOf(batch.thread());
        int call = GroupCell.numberOf(inCall, group.number, group.callCells);
        Arrays.fill(group.calls, at, at + to - from, call);
        for (int i = from; i < to; i++, at++) {
            PlaceCells place = of(batch.place(i));
            DataCells object = of(batch.object(i));
            long address = batch.address(i);
            long offset = address - batch.start(i);
            group.places[at] = GroupCell.numberOf(place, group.number, group.placeCells);
            group.objects[at] = GroupCell.numberOf(object, group.number, group.dataCells);
            group.kinds[at] = batch.store(i) ? 1 : 0;
            group.numbers[at] = batch.first() + i;
            group.addresses[at] = address;
            group.offsets[at] = offset;
            group.threads[at] = batch.thread();
            group.windows[at] = window;
            group.members[at] = member(object.member(offset, batch.size(i)));
        }
        group.rows = at;
    }

    private int member(MemberCell cell) {
        if (cell == whole) {
            return 0;
        }
        return GroupCell.numberOf(cell, group.number, group.memberCells) + 1;
    }

    private PlaceCells of(Place place) {
        PlaceCells cells = places.of(place);
        if (cells == null) {
            cells = new PlaceCells(place);
            places.keep(place, cells);
        }
        return cells;
    }

    private DataCells of(DataObject object) {
        DataCells cells = objects.of(object);
        if (cells == null) {
            cells = new DataCells(object, members.of(object));
            objects.keep(object, cells);
        }
        return cells;
    }

    private void write() {
        try {
            if (file == null) {
                Path path = folder.resolve(
                        String.format(Locale.ROOT, "%s-%05d.parquet", trace, files++));
                file = new ParquetFile(
                        new BufferedOutputStream(Files.newOutputStream(path)),
                        AccessGroup.columns());
            }
            group.write(file, trace, process);
            rows += group.rows;
            group.clear();
            if (++groups % mostGroups == 0) {
                closeFile();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closeFile() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    @Override
    public void end(boolean complete) {
        if (group.rows > 0 || files == 0) {
            write();
        }
        try {
            closeFile();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how many rows have been written. */
    public long rows() {
        return rows;
    }

    /** Returns how many files have been written. */
    public int files() {
        return files;
    }
}
