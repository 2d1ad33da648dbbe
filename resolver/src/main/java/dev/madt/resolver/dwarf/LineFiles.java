package dev.madt.resolver.dwarf;

import java.util.ArrayList;
import java.util.List;

/**
 * The directories and files that a line program numbers (DWARF 5, section 6.2.4). Up to version 4
 * directory 0 is the unit's and files count from 1; in version 5 both count from 0.
 */
final class LineFiles {
    private static final int PATH = 1;
    private static final int DIRECTORY = 2;

    private record Entry(String name, int directory) {}

    private final String unitDirectory;
    private final int firstFile;
    private final List<Entry> directories = new ArrayList<>();
    private final List<Entry> files = new ArrayList<>();
    private String[] paths;

    /** Reads the tables at the reader's position. */
    LineFiles(DwarfFile file, SectionReader in, Encoding encoding, String unitDirectory) {
        this.unitDirectory = unitDirectory;
        this.firstFile = encoding.version() < 5 ? 1 : 0;
        if (encoding.version() < 5) {
            directories.add(new Entry(unitDirectory, 0));
            readOld(in);
        } else {
            readTable(file, in, encoding, directories);
            readTable(file, in, encoding, files);
        }
        paths = new String[files.size()];
    }

    private void readOld(SectionReader in) {
        for (String name = in.string(); !name.isEmpty(); name = in.string()) {
            directories.add(new Entry(name, 0));
        }
        for (String name = in.string(); !name.isEmpty(); name = in.string()) {
            files.add(new Entry(name, (int) in.uleb()));
            in.skipLeb();
            in.skipLeb();
        }
    }

    private static void readTable(
            DwarfFile file, SectionReader in, Encoding encoding, List<Entry> to) {
        int columns = in.u8();
        int[] kinds = new int[columns];
        int[] forms = new int[columns];
        for (int i = 0; i < columns; i++) {
            kinds[i] = (int) in.uleb();
            forms[i] = (int) in.uleb();
        }
        long count = in.uleb();
        for (long i = 0; i < count; i++) {
            int before = in.position();
            to.add(readEntry(file, in, encoding, kinds, forms));
            if (in.position() == before) {
                throw new MalformedDwarfException(
                        ".debug_line", before, "a table of entries without bytes");
            }
        }
    }

    private static Entry readEntry(
            DwarfFile file, SectionReader in, Encoding encoding, int[] kinds, int[] forms) {
        String name = null;
        int directory = 0;
        for (int i = 0; i < kinds.length; i++) {
            switch (kinds[i]) {
                case PATH -> name = text(file, in, encoding, forms[i]);
                case DIRECTORY -> directory = (int) Form.read(forms[i], encoding, in);
                default -> Form.skip(forms[i], encoding, in);
            }
        }
        return new Entry(name, directory);
    }

    private static String text(DwarfFile file, SectionReader in, Encoding encoding, int form) {
        return switch (form) {
            case Form.STRING -> in.string();
            case Form.LINE_STRP -> file.string(".debug_line_str", in.offset(encoding.wide()));
            case Form.STRP -> file.string(".debug_str", in.offset(encoding.wide()));
            default -> {
                Form.skip(form, encoding, in);
                yield null;
            }
        };
    }

    /**
     * The path of a file: absolute if the program says enough; null if it does not name the file.
     */
    String path(long number) {
        long at = number - firstFile;
        if (at < 0 || at >= paths.length) {
            return null;
        }
        int i = (int) at;
        if (paths[i] == null && files.get(i).name() != null) {
            paths[i] = compose(files.get(i));
        }
        return paths[i];
    }

    private String compose(Entry file) {
        int directory = file.directory();
        boolean known = directory >= 0 && directory < directories.size();
        String folder = known ? directories.get(directory).name() : null;
        return below(unitDirectory, below(folder, file.name()));
    }

    private static String below(String folder, String name) {
        if (folder == null || folder.isEmpty() || name.startsWith("/")) {
            return name;
        }
        return folder.endsWith("/") ? folder + name : folder + "/" + name;
    }
}
