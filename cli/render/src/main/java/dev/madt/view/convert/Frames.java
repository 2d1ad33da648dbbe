package dev.madt.view.convert;

import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The calls that led to an allocation, as profiles of the heap have them. */
final class Frames {
    private Frames() {}

    /** The calls, the innermost first; that which allocated alone where no others are known. */
    static List<Place> of(DataObject block) {
        List<Place> frames = new ArrayList<>();
        for (CallChain each = block.chain();
                each != null && each.outer() != null;
                each = each.outer()) {
            frames.add(each.call());
        }
        return frames.isEmpty() ? List.of(block.call()) : frames;
    }

    /**
     * {@code 0x401136: make (prog.c:7)}, as profiles name a frame; without a source line
     * {@code make+5 (in prog)}.
     */
    static String text(Place call) {
        String address = "0x" + Long.toHexString(call.address()).toUpperCase(Locale.ROOT) + ": ";
        if (call.line() == 0) {
            return address + Conversion.oneLine(call.siteName()) + " (in "
                    + Conversion.bare(call.module()) + ")";
        }
        String file = call.file().substring(call.file().lastIndexOf('/') + 1);
        return address + Conversion.oneLine(call.function()) + " (" + Conversion.oneLine(file) + ":"
                + call.line() + ")";
    }
}
