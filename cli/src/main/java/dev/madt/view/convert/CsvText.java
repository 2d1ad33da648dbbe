package dev.madt.view.convert;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.Datum;
import dev.madt.view.Place;
import dev.madt.view.report.CsvTable;
import java.nio.charset.StandardCharsets;

/**
 * One row for each access and block event: number, letter, thread, address, size, name, offset, region, code, and for a copy
 * where it came from.
 */
final class CsvText extends Conversion {
    private static final String HEADINGS = "number,event,thread,address,size,data,offset,region,code,from,from data,from offset\n";

    private boolean begun;

    CsvText(TextBuffer text) {
        super(text);
    }

    @Override
    void access(Accesses batch, int row) {
        head(batch.first() + row, batch.store(row) ? 'S' : 'L', batch.thread());
        data(batch.address(row), batch.size(row), batch.datum(row), batch.place(row));
        text.text(",,,\n");
    }

    @Override
    public void block(BlockAccess event) {
        head(event.number(), event.kind().letter(), event.thread());
        data(event.to(), event.length(), event.target(), event.place());
        if (event.source() == null) {
            text.text(",,,\n");
        } else {
            text.text(",0x").hexadecimal(event.from(), 1).character(',').utf8(name(event.source())).character(',')
                    .decimal(event.from() - event.source().start()).character('\n');
        }
    }

    private void head(long number, char letter, int thread) {
        if (!begun) {
            begun = true;
            text.text(HEADINGS);
        }
        text.decimal(number).character(',').character(letter).character(',').decimal(thread).character(',');
    }

    private void data(long address, long size, Datum datum, Place place) {
        text.text("0x").hexadecimal(address, 1).character(',').decimal(size).character(',')
                .utf8(name(datum)).character(',').decimal(address - datum.start()).character(',')
                .text(CsvTable.field(datum.region())).character(',').utf8(name(place));
    }

    private static byte[] name(Datum datum) {
        if (datum.note() == null) {
            datum.note(field(datum.name()));
        }
        return (byte[]) datum.note();
    }

    private static byte[] name(Place place) {
        if (place.note() == null) {
            place.note(field(place.name()));
        }
        return (byte[]) place.note();
    }

    private static byte[] field(String name) {
        return CsvTable.field(name).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    void write() {
        if (!begun) {
            text.text(HEADINGS);
        }
    }
}
