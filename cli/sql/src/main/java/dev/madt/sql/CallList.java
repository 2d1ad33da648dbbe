package dev.madt.sql;

import dev.madt.duckdb.TableSource;
import dev.madt.resolver.line.RecordingWindows;
import dev.madt.view.Accesses;
import dev.madt.view.NamedEvent;
import dev.madt.view.convert.CallEvent;
import dev.madt.view.convert.EventList;
import java.util.List;
import java.util.Map;

/** Makes a row of each function that is entered or left. */
final class CallList extends EventList {
    static final List<TableSource.Column> COLUMNS = EventTable.columns(
            "t trace",
            "i process",
            "l number",
            "i thread",
            "t kind,function,code,module,file",
            "i line",
            "t caller,arguments,result",
            "l time,elapsed,self");

    private static final int CODE = 5;
    private static final int CALLER = 10;

    private final RowSink rows;

    CallList(RowSink rows) {
        this.rows = rows;
    }

    @Override
    public void meta(Map<String, String> values) {
        rows.meta(values);
    }

    @Override
    protected void access(Accesses batch, int row) {
        // calls have a table of their own
    }

    @Override
    public void call(CallEvent event) {
        rows.add(column -> value(event, column));
    }

    private Object value(CallEvent event, int column) {
        if (column == CODE) {
            return event.function();
        }
        if (column > CODE && column < CALLER) {
            return Names.code(event.place(), column - CODE);
        }
        return switch (column) {
            case 2 -> event.number();
            case 3 -> event.thread();
            case 4 -> event.enters() ? "B" : "X";
            case 10 -> event.caller();
            case 11 -> event.enters() ? event.values() : null;
            case 12 -> event.enters() ? null : event.values();
            case 13 -> time(event.time());
            case 14 -> time(event.elapsed());
            default -> time(event.self());
        };
    }

    private static Long time(long nanos) {
        return nanos < 0 ? null : nanos;
    }

    @Override
    public void event(NamedEvent event) {
        // is no call
    }

    @Override
    public void window(RecordingWindows.Turn turn, int thread, long time) {
        // is no call
    }
}
