package dev.madt.trace.event;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Decides which source files a program's author has written: by default all but those of the
 * system's headers, of the libraries of C, C++, Rust and Go, and of the packages that their tools
 * fetch. A path is taken as the compiler wrote it, so that a trace of another machine is judged as
 * there.
 */
public final class OwnSource {
    /** All files but those of libraries. */
    public static final OwnSource USUAL = new OwnSource(List.of(), false);

    /** As {@link #USUAL}; code is charged to its innermost line, whosever it is. */
    public static final OwnSource EXACT = USUAL.exactly();

    private static final List<String> SYSTEM = List.of(
            "/usr/include/",
            "/usr/lib/",
            "/usr/lib32/",
            "/usr/lib64/",
            "/usr/libx32/",
            "/usr/local/include/",
            "/usr/local/go/",
            "/usr/share/",
            "/rustc/");
    private static final List<String> LIBRARIES = List.of(
            "/include/c++/",
            "/lib/gcc/",
            "/lib/clang/",
            "/lib/rustlib/",
            "/libstdc++-v3/",
            "/libgcc/",
            "/libgfortran/",
            "/libgomp/",
            "/sysdeps/",
            "/glibc-",
            "/musl-",
            "/.cargo/registry/",
            "/.cargo/git/",
            "/.rustup/",
            "/sdk/go1.",
            "/pkg/mod/");

    /** Their debug information may name sources by paths of their own. */
    private static final Pattern SYSTEM_MODULE =
            Pattern.compile("\\[?(?:ld-(?:linux|musl)|lib(?:c|m|mvec|pthread|dl|rt|stdc\\+\\+"
                    + "|gcc_s|gfortran|quadmath|gomp|c\\+\\+|c\\+\\+abi)\\.so).*");

    private final List<String> roots;
    private final boolean exact;

    private OwnSource(List<String> roots, boolean exact) {
        this.roots = roots;
        this.exact = exact;
    }

    /**
     * Files below any of these folders are one's own, and no others.
     *
     * @param folders absolute paths; none: as {@link #USUAL}
     */
    public static OwnSource below(List<String> folders) {
        return new OwnSource(folders.stream().map(OwnSource::folder).toList(), false);
    }

    /** The same files; code is charged to its innermost line, whosever it is. */
    public OwnSource exactly() {
        return new OwnSource(roots, true);
    }

    private static String folder(String path) {
        String plain = plain(path);
        return plain.endsWith("/") ? plain : plain + "/";
    }

    /** Returns whether a source file is the author's. */
    public boolean isOwn(String file) {
        String plain = plain(file);
        if (!roots.isEmpty()) {
            return roots.stream().anyMatch(plain::startsWith);
        }
        return !plain.isEmpty()
                && SYSTEM.stream().noneMatch(plain::startsWith)
                && LIBRARIES.stream().noneMatch(plain::contains);
    }

    /**
     * Returns whether code is to be charged to one of these levels, and not to further callers: one
     * of them is the author's, or the innermost is wanted whosever it is.
     */
    public boolean isSettled(List<SourceLevel> levels, List<SourceLevel> callers) {
        return exact || innermost(levels) != null || innermost(callers) != null;
    }

    /** Returns whether a module is a system's library, none of whose sources is the author's. */
    public boolean isSystem(String module) {
        return roots.isEmpty() && !exact && SYSTEM_MODULE.matcher(module).matches();
    }

    private boolean isOwn(SourceLevel level) {
        return level.line() > 0 && isOwn(level.file());
    }

    /**
     * The level that accesses are charged to: the innermost of the author's, of a known caller if
     * there is none; the innermost of all if there is none either, or if that is wanted; null for
     * none.
     */
    public SourceLevel charged(List<SourceLevel> levels, List<SourceLevel> callers) {
        SourceLevel own = exact ? null : author(levels, callers);
        return own != null || levels.isEmpty() ? own : levels.get(0);
    }

    /**
     * The innermost of the author's levels, of a known caller if there is none; the outermost
     * function if there is none either; or null.
     */
    public SourceLevel own(List<SourceLevel> levels, List<SourceLevel> callers) {
        SourceLevel own = author(levels, callers);
        return own != null || levels.isEmpty() ? own : levels.get(levels.size() - 1);
    }

    private SourceLevel author(List<SourceLevel> levels, List<SourceLevel> callers) {
        SourceLevel own = innermost(levels);
        return own == null ? innermost(callers) : own;
    }

    private SourceLevel innermost(List<SourceLevel> levels) {
        for (SourceLevel level : levels) {
            if (isOwn(level)) {
                return level;
            }
        }
        return null;
    }

    /** A path without steps to where it is, and back. */
    private static String plain(String path) {
        String plain = path;
        if (plain.contains("/./")) {
            plain = plain.replace("/./", "/");
        }
        for (int up = plain.indexOf("/../", 1); up > 0; up = plain.indexOf("/../", 1)) {
            int folder = plain.lastIndexOf('/', up - 1);
            if (plain.startsWith("..", folder + 1)) {
                break;
            }
            plain = plain.substring(0, folder + 1) + plain.substring(up + 4);
        }
        return plain;
    }
}
