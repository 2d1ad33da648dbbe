package dev.madt.sql;

import dev.madt.view.DataObject;
import dev.madt.view.Place;
import java.util.Map;

/** Values that rows of several tables have; null where nothing is known. */
final class Names {
    private Names() {}

    /** The number of a process, by what a trace says of itself; null if it says none. */
    static Integer process(Map<String, String> meta) {
        String pid = meta.getOrDefault("pid", "");
        return pid.matches("\\d{1,9}") ? Integer.valueOf(pid) : null;
    }

    /** A text; null if it is empty. */
    static String known(String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    /** The source line; null if unknown. */
    static Integer line(Place place) {
        return place.line() > 0 ? place.line() : null;
    }

    /** The number of a block; null for what is none. */
    static Long block(DataObject object) {
        return object.block() == null ? null : object.block().number();
    }

    /** The call that allocated a block; null for what is none. */
    static String site(DataObject object) {
        return object.block() == null ? null : object.shownCall().siteName();
    }

    /** Returns what code says in one of the columns function, code, module, file and line. */
    static Object code(Place place, int column) {
        return switch (column) {
            case 0 -> place.function();
            case 1 -> place.name();
            case 2 -> place.moduleName();
            case 3 -> known(place.file());
            default -> line(place);
        };
    }
}
