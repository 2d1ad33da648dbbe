package dev.madt.modules;

import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * MadT's own mappings in a target, as the target marks them when it makes them (madt_layout.h,
 * {@code struct madt_range}). The kernel joins neighbouring anonymous mappings to one line of
 * /proc/PID/maps, so a mark may be a part of a line.
 */
public record OwnMappings(List<Range> ranges) {
    static final OwnMappings NONE = new OwnMappings(List.of());

    /** {@code end} is one past the last address. */
    record Range(long start, long end) {}

    /** The marks, by address. */
    public OwnMappings {
        List<Range> sorted = new ArrayList<>(ranges);
        sorted.sort((one, other) -> Long.compare(one.start(), other.start()));
        ranges = List.copyOf(sorted);
    }

    /**
     * Reads the marks that stand in a control file now; places that are free or being filled do not
     * count.
     */
    public static OwnMappings of(ByteBuffer control) {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < SharedLayout.OWN_RANGES; i++) {
            int at = SharedLayout.OWN_OFFSET + i * SharedLayout.Range.BYTES;
            long start = control.getLong(at + SharedLayout.Range.START);
            long end = start == 0 ? 0 : control.getLong(at + SharedLayout.Range.END);
            if (start > 0 && start < end) {
                ranges.add(new Range(start, end));
            }
        }
        return new OwnMappings(ranges);
    }

    /**
     * The region in pieces by address: those within a mark are MadT's. Offsets in anonymous memory
     * count from the piece's start.
     */
    List<RegionMap.Region> split(RegionMap.Region region) {
        List<RegionMap.Region> pieces = new ArrayList<>();
        long from = region.start();
        for (Range range : ranges) {
            if (range.end() > from && range.start() < region.end()) {
                addPiece(pieces, region.piece(from, range.start()));
                addPiece(
                        pieces,
                        region.piece(Math.max(from, range.start()), range.end()).madeOwn());
                from = Math.min(region.end(), range.end());
            }
        }
        addPiece(pieces, region.piece(from, region.end()));
        return pieces;
    }

    private static void addPiece(List<RegionMap.Region> pieces, RegionMap.Region piece) {
        if (piece.start() < piece.end()) {
            pieces.add(piece);
        }
    }
}
