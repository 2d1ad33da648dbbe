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
import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.TextBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One JSON object a line for each access, bulk transfer, allocation event and call, and for what
 * opens and closes windows (docs/VIEWS.md). What is unknown is left out. Addresses are strings in
 * hexadecimal, since readers of JSON round large numbers.
 */
final class JsonLines extends EventList {
    private static final byte[] KIND = ascii("{\"kind\":\"");
    private static final byte[] NUMBER = ascii("\",\"number\":");
    private static final byte[] ALLOCATION = ascii("\",\"allocation\":");
    private static final byte[] WINDOW = ascii("\",\"window\":");
    private static final byte[] EVENT = ascii("\",\"event\":");
    private static final byte[] THREAD = ascii(",\"thread\":");
    private static final byte[] SIZE = ascii(",\"size\":");
    private static final byte[] END = ascii("}\n");

    /**
     * The keys of one side of an event: its memory, where a copy came from, or what a call ended.
     */
    private enum Side {
        MEMORY(""),
        FROM("from_"),
        OLD("old_");

        private final String prefix;
        private final byte[] address;
        private final byte[] offset;

        Side(String prefix) {
            this.prefix = prefix;
            this.address = ascii(",\"" + prefix + "address\":\"0x");
            this.offset = ascii("\",\"" + prefix + "offset\":");
        }
    }

    /** Says what objects say of a data object, but for the place in it. */
    private record Fields(byte[] text, MemberTexts.Texts<byte[]> members) {}

    private final Notes<Fields> dataFields = new Notes<>();
    private final Notes<byte[]> placeFields = new Notes<>();
    private final MemberTexts<byte[]> members;
    private final boolean several;
    /** Names the process, where there are several. */
    private byte[] process = {};

    /** @param several whether objects name their process */
    JsonLines(TextBuffer text, MemberTypes types, boolean several) {
        super(text);
        this.several = several;
        this.members = new MemberTexts<>(
                types,
                path -> (",\"member\":" + JsonText.quoted(path)).getBytes(StandardCharsets.UTF_8),
                new byte[0]);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void meta(Map<String, String> values) {
        super.meta(values);
        if (several && meta("pid").matches("\\d+")) {
            process = ascii(",\"process\":" + meta("pid"));
        }
    }

    @Override
    public Needs needs() {
        return super.needs().keeping(dataFields, placeFields);
    }

    @Override
    protected void access(Accesses batch, int row) {
        head(batch.store(row) ? 'S' : 'L', NUMBER, batch.first() + row, batch.thread());
        memory(batch.address(row), batch.size(row), batch.object(row))
                .utf8(SIZE)
                .decimal(batch.size(row))
                .utf8(fields(batch.place(row)))
                .utf8(END);
    }

    @Override
    public void block(BlockAccess event) {
        head(event.kind().letter(), NUMBER, event.number(), event.thread());
        memory(event.to(), event.length(), event.target()).utf8(SIZE).decimal(event.length());
        if (event.source() != null) {
            side(Side.FROM, event.from(), event.source());
        }
        text.utf8(fields(event.place())).utf8(END);
    }

    @Override
    public void allocation(Allocation event) {
        AllocationEvent what = event.event();
        head(what.letter(), ALLOCATION, what.number(), event.thread());
        if (event.born() != null) {
            memory(what.address(), what.size(), event.born()).utf8(SIZE).decimal(what.size());
        }
        if (event.ended() != null) {
            side(
                    Side.OLD,
                    what.oldAddress(),
                    event.ended().former() == null
                            ? event.ended()
                            : event.ended().former());
        } else if (what.oldAddress() != 0) {
            text.utf8(Side.OLD.address).hexadecimal(what.oldAddress(), 1).character('"');
        }
        text.utf8(fields(event.call())).utf8(END);
    }

    @Override
    public void call(CallEvent event) {
        head(event.letter(), NUMBER, event.number(), event.thread());
        StringBuilder fields = new StringBuilder();
        field(fields, "function", event.function());
        field(fields, "caller", event.caller() == null ? "" : event.caller());
        if (event.values() != null) {
            String key = event.enters() ? "arguments" : "result";
            fields.append(",\"").append(key).append("\":").append(JsonText.quoted(event.values()));
        }
        time(fields, "time", event.time());
        time(fields, "elapsed", event.elapsed());
        time(fields, "self", event.self());
        field(fields, "module", bare(event.place().module()));
        source(fields, event.place());
        text.text(fields.toString()).utf8(END);
    }

    @Override
    public void window(RecordingWindows.Turn turn, int thread, long time) {
        head(turn.letter(), WINDOW, turn.number(), thread);
        StringBuilder fields = new StringBuilder();
        field(fields, "cause", turn.cause());
        time(fields, "time", time);
        text.text(fields.toString()).utf8(END);
    }

    @Override
    public void event(NamedEvent event) {
        EventWord address = event.first(EventWord.Type.ADDRESS);
        head(event.event().type().letter(), EVENT, event.number(), event.event().thread());
        if (address != null) {
            memory(event.number(address), 0, event.object());
        }
        for (EventWord word : event.besides(EventWord.Type.ADDRESS)) {
            text.text(",").text(JsonText.quoted(word.name())).character(':');
            boolean quoted =
                    word.type() == EventWord.Type.ADDRESS || word.type() == EventWord.Type.TEXT;
            text.text(quoted ? JsonText.quoted(event.text(word)) : event.text(word));
        }
        if (event.call() != null) {
            text.utf8(fields(event.call()));
        }
        text.utf8(END);
    }

    /** Nanoseconds, if they are known. */
    private static void time(StringBuilder fields, String key, long nanos) {
        if (nanos >= 0) {
            fields.append(",\"").append(key).append("\":").append(nanos);
        }
    }

    private static void source(StringBuilder fields, Place place) {
        field(fields, "file", place.file());
        if (place.line() > 0) {
            fields.append(",\"line\":").append(place.line());
        }
    }

    private void head(char kind, byte[] counter, long number, int thread) {
        text.utf8(KIND)
                .character(kind)
                .utf8(counter)
                .following(number)
                .utf8(process)
                .utf8(THREAD)
                .decimal(Integer.toUnsignedLong(thread));
    }

    private TextBuffer memory(long address, long size, DataObject object) {
        Fields fields = fields(object);
        long offset = address - object.start();
        return text.utf8(Side.MEMORY.address)
                .hexadecimal(address, 1)
                .utf8(Side.MEMORY.offset)
                .decimal(offset)
                .utf8(fields.text())
                .utf8(fields.members().at(offset, size));
    }

    private TextBuffer side(Side side, long address, DataObject object) {
        return text.utf8(side.address)
                .hexadecimal(address, 1)
                .utf8(side.offset)
                .decimal(address - object.start())
                .text(fields(side.prefix, object));
    }

    private Fields fields(DataObject object) {
        Fields fields = dataFields.of(object);
        return fields == null ? made(object) : fields;
    }

    private Fields made(DataObject object) {
        Fields fields =
                new Fields(fields("", object).getBytes(StandardCharsets.UTF_8), members.of(object));
        dataFields.keep(object, fields);
        return fields;
    }

    private static String fields(String prefix, DataObject object) {
        StringBuilder fields = new StringBuilder();
        field(fields, prefix + "symbol", object.rowName());
        field(fields, prefix + "region", object.region());
        if (object.block() != null) {
            fields.append(",\"")
                    .append(prefix)
                    .append("block\":")
                    .append(object.block().number());
            field(fields, prefix + "site", object.shownCall().siteName());
            field(fields, prefix + "allocated_at", object.shownCall().ownLine());
        }
        return fields.toString();
    }

    private byte[] fields(Place place) {
        byte[] fields = placeFields.of(place);
        return fields == null ? made(place) : fields;
    }

    private byte[] made(Place place) {
        StringBuilder fields = new StringBuilder();
        field(fields, "function", place.function());
        field(fields, "code", place.name());
        field(fields, "module", bare(place.module()));
        source(fields, place);
        byte[] made = fields.toString().getBytes(StandardCharsets.UTF_8);
        placeFields.keep(place, made);
        return made;
    }

    private static void field(StringBuilder fields, String key, String value) {
        if (!value.isEmpty()) {
            fields.append(",\"").append(key).append("\":").append(JsonText.quoted(value));
        }
    }
}
