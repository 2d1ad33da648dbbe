package dev.madt.view.convert;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.RecordingWindows;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.EventWord;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.NamedEvent;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.TextBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One row for each access, bulk transfer and allocation event (docs/VIEWS.md); what is unknown is
 * empty.
 */
final class CsvText extends EventList {
    private static final String SIDE = "address,symbol,offset,region,block,site,allocated_at";
    private static final String HEADINGS =
            "kind,number,allocation,thread,address,size,symbol,member,offset,region,block,site,"
                    + "allocated_at,"
                    + "function,code,module,file,line,"
                    + prefixed("from_")
                    + ","
                    + prefixed("old_")
                    + ",caller,arguments,result,time,elapsed,self,window,cause\n";
    /** Types of words that have a column. */
    private static final EventWord.Type[] COLUMNS = {
        EventWord.Type.ADDRESS, EventWord.Type.BYTES, EventWord.Type.TICKS, EventWord.Type.DURATION
    };

    private static final byte[] NO_SIDE = ascii(",,,,,,,");
    private static final byte[] NO_REST = ascii(",,,,,,");
    private static final byte[] NO_SIDES = ascii(",,,,,,,,,,,,,,,,,,,,,,\n");
    private static final byte[] NO_CALL = ascii(",,,,,,,,\n");
    private static final byte[] NO_PLACE = ascii(",,,,,");
    private static final byte[] NO_MEMORY = ascii(",,,,,,,,,");
    private static final byte[] ADDRESS = ascii(",0x");

    /**
     * Says what rows say of a data object, but for the place in it; each cell begins with its
     * comma.
     */
    private record Cells(byte[] symbol, byte[] rest, MemberTexts.Texts<byte[]> members) {}

    private final Notes<Cells> dataCells = new Notes<>();
    private final Notes<byte[]> placeCells = new Notes<>();
    private final MemberTexts<byte[]> members;
    private final boolean several;
    /** The first cell of each row, where there are several processes. */
    private byte[] process = ascii(",");

    /** @param several whether rows begin with their process */
    CsvText(TextBuffer text, MemberTypes types, boolean several) {
        super(text);
        this.several = several;
        this.members = new MemberTexts<>(types, path -> utf8(CsvTable.field(path)), new byte[0]);
    }

    /** The first line. */
    static String headings(boolean several) {
        return several ? "process," + HEADINGS : HEADINGS;
    }

    @Override
    public void meta(Map<String, String> values) {
        super.meta(values);
        process = ascii(meta("pid") + ",");
    }

    private static String prefixed(String prefix) {
        return Stream.of(SIDE.split(",")).map(prefix::concat).collect(Collectors.joining(","));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Needs needs() {
        return super.needs().keeping(dataCells, placeCells);
    }

    @Override
    protected void access(Accesses batch, int row) {
        head(batch.store(row) ? 'S' : 'L')
                .following(batch.first() + row)
                .character(',')
                .character(',')
                .decimal(Integer.toUnsignedLong(batch.thread()));
        memory(batch.address(row), batch.size(row), batch.object(row));
        text.utf8(cells(batch.place(row))).utf8(NO_SIDES);
    }

    @Override
    public void block(BlockAccess event) {
        head(event.kind().letter())
                .following(event.number())
                .character(',')
                .character(',')
                .decimal(Integer.toUnsignedLong(event.thread()));
        memory(event.to(), event.length(), event.target());
        text.utf8(cells(event.place()));
        if (event.source() == null) {
            text.utf8(NO_SIDES);
        } else {
            side(event.from(), event.source()).utf8(NO_SIDE).utf8(NO_CALL);
        }
    }

    @Override
    public void allocation(Allocation event) {
        AllocationEvent what = event.event();
        head(what.letter())
                .character(',')
                .decimal(what.number())
                .character(',')
                .decimal(Integer.toUnsignedLong(event.thread()));
        if (event.born() == null) {
            text.utf8(NO_MEMORY);
        } else {
            memory(what.address(), what.size(), event.born());
        }
        text.utf8(cells(event.call())).utf8(NO_SIDE);
        if (event.ended() != null) {
            side(
                    what.oldAddress(),
                    event.ended().former() == null
                            ? event.ended()
                            : event.ended().former());
        } else if (what.oldAddress() != 0) {
            text.utf8(ADDRESS).hexadecimal(what.oldAddress(), 1).utf8(NO_REST);
        } else {
            text.utf8(NO_SIDE);
        }
        text.utf8(NO_CALL);
    }

    @Override
    public void call(CallEvent event) {
        String values = event.values() == null ? "" : event.values();
        head(event.letter())
                .following(event.number())
                .character(',')
                .character(',')
                .decimal(Integer.toUnsignedLong(event.thread()))
                .utf8(NO_MEMORY)
                .utf8(cells(event.place(), event.function()))
                .utf8(NO_SIDE)
                .utf8(NO_SIDE)
                .text(field(event.caller() == null ? "" : event.caller()))
                .text(field(event.enters() ? values : ""))
                .text(field(event.enters() ? "" : values));
        time(event.time());
        time(event.elapsed());
        time(event.self());
        text.text(",,\n");
    }

    @Override
    public void window(RecordingWindows.Turn turn, int thread, long time) {
        head(turn.letter())
                .character(',')
                .character(',')
                .decimal(Integer.toUnsignedLong(thread))
                .utf8(NO_MEMORY)
                .utf8(NO_PLACE)
                .utf8(NO_SIDE)
                .utf8(NO_SIDE)
                .text(",,,");
        time(time);
        text.text(",,,").decimal(turn.number()).text(field(turn.cause())).character('\n');
    }

    @Override
    public void event(NamedEvent event) {
        EventWord address = event.first(EventWord.Type.ADDRESS);
        EventWord size = event.first(EventWord.Type.BYTES);
        head(event.event().type().letter())
                .character(',')
                .character(',')
                .decimal(Integer.toUnsignedLong(event.event().thread()));
        if (address != null && size != null) {
            memory(event.number(address), event.number(size), event.object());
        } else if (address != null) {
            unsized(event.number(address), event.object());
        } else {
            text.character(',')
                    .text(size == null ? "," : "," + event.text(size))
                    .utf8(NO_SIDE);
        }
        text.utf8(event.call() == null ? NO_PLACE : cells(event.call()))
                .utf8(NO_SIDE)
                .utf8(NO_SIDE)
                .character(',')
                .text(field(arguments(event)))
                .character(',');
        time(number(event, EventWord.Type.TICKS));
        time(number(event, EventWord.Type.DURATION));
        text.text(",,,\n");
    }

    /** Every word that has no column, by its name. */
    private static String arguments(NamedEvent event) {
        return event.besides(COLUMNS).stream()
                .map(word -> word.name() + "=" + event.text(word))
                .collect(Collectors.joining(","));
    }

    private static long number(NamedEvent event, EventWord.Type type) {
        EventWord word = event.first(type);
        return word == null ? -1 : event.number(word);
    }

    /** Nanoseconds, if they are known. */
    private void time(long nanos) {
        text.character(',');
        if (nanos >= 0) {
            text.decimal(nanos);
        }
    }

    private TextBuffer head(char kind) {
        if (several) {
            text.utf8(process);
        }
        return text.character(kind).character(',');
    }

    private void memory(long address, long size, DataObject object) {
        Cells cells = cells(object);
        long offset = address - object.start();
        byte[] member = cells.members().at(offset, size);
        text.utf8(ADDRESS)
                .hexadecimal(address, 1)
                .character(',')
                .decimal(size)
                .utf8(cells.symbol())
                .character(',')
                .utf8(member)
                .character(',')
                .decimal(offset)
                .utf8(cells.rest());
    }

    private void unsized(long address, DataObject object) {
        Cells cells = cells(object);
        text.utf8(ADDRESS)
                .hexadecimal(address, 1)
                .character(',')
                .utf8(cells.symbol())
                .text(",,")
                .decimal(address - object.start())
                .utf8(cells.rest());
    }

    private TextBuffer side(long address, DataObject object) {
        Cells cells = cells(object);
        return text.utf8(ADDRESS)
                .hexadecimal(address, 1)
                .utf8(cells.symbol())
                .character(',')
                .decimal(address - object.start())
                .utf8(cells.rest());
    }

    private Cells cells(DataObject object) {
        Cells cells = dataCells.of(object);
        return cells == null ? made(object) : cells;
    }

    private Cells made(DataObject object) {
        String block = object.block() == null
                ? ",,,"
                : "," + object.block().number() + field(object.shownCall().siteName())
                        + field(object.shownCall().ownLine());
        Cells cells = new Cells(
                utf8(field(object.rowName())),
                utf8(field(object.region()) + block),
                members.of(object));
        dataCells.keep(object, cells);
        return cells;
    }

    private byte[] cells(Place place) {
        byte[] cells = placeCells.of(place);
        return cells == null ? made(place) : cells;
    }

    private byte[] made(Place place) {
        byte[] cells = cells(place, place.function());
        placeCells.keep(place, cells);
        return cells;
    }

    private static byte[] cells(Place place, String function) {
        return utf8(field(function)
                + field(place.name())
                + field(bare(place.module()))
                + field(place.file())
                + (place.line() > 0 ? "," + place.line() : ","));
    }

    private static String field(String name) {
        return "," + CsvTable.field(name);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
