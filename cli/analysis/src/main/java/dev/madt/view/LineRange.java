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
                && (file == null || isFile(file, source.chargedFile()));
    }

    /** Whether a pattern means a file, by its path or by the last part of it. */
    static boolean isFile(NamePattern pattern, String path) {
        return pattern.matches(path.substring(path.lastIndexOf('/') + 1)) || pattern.matches(path);
    }
}
