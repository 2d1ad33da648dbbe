package dev.madt.console;

import java.nio.file.Path;

/**
 * The name of a trace file, or, with a slash at its end, of a folder for the traces: a pattern in
 * which %p is the pid, %n the program's name and %% a percent sign.
 */
public record OutputName(String pattern) {
    /** Says where traces go when nothing is said. */
    public static final String DEFAULT = "%n.%p.madt";

    /**
     * The pattern that means standard output; it has room for the first process only, later ones
     * get the default name.
     */
    public static final Path STANDARD = Path.of("-");

    public OutputName {
        pattern = pattern.endsWith("/") ? pattern + DEFAULT : pattern;
    }

    /**
     * The file of one process.
     *
     * @param first whether it is the first process; later ones get their pid appended unless the
     *     pattern has it
     */
    public Path of(int pid, String program, boolean first) {
        if (pattern.equals(STANDARD.toString())) {
            return first ? STANDARD : new OutputName(DEFAULT).of(pid, program, false);
        }
        StringBuilder name = new StringBuilder();
        boolean hasPid = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            char next = c == '%' && i + 1 < pattern.length() ? pattern.charAt(i + 1) : 0;
            switch (next) {
                case 'p' -> name.append(pid);
                case 'n' -> name.append(program);
                case '%' -> name.append('%');
                default -> name.append(c);
            }
            hasPid |= next == 'p';
            i += next == 'p' || next == 'n' || next == '%' ? 1 : 0;
        }
        return Path.of(first || hasPid ? name.toString() : name + "." + pid);
    }

    /** Returns whether the name is known only when the process runs. */
    public boolean dependsOnPid() {
        return pattern.replace("%%", "").contains("%p");
    }
}
