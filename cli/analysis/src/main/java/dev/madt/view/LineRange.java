package dev.madt.view;

/**
 * Lines of source files.
 *
 * @param file the file, by its path or the last part of it; null: any
 * @param first the first line, from 1
 * @param last the last line
 */
public record LineRange(NamePattern file, int first, int last) {
    boolean holds(Place place) {
        PlaceSource source = place.source();
        return source.chargedLine() >= first
                && source.chargedLine() <= last
                && (file == null || file.matchesFile(source.chargedFile()));
    }
}
