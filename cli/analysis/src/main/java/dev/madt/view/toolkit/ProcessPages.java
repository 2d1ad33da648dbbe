package dev.madt.view.toolkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The pages of several processes in one file: each as it is alone, one of which is shown. A file is
 * not to be larger than a browser opens at once, so that of many processes the last are left out.
 */
public final class ProcessPages {
    /** Writes the page of one process. */
    public interface Page {
        void write(OutputStream out) throws IOException;
    }

    private record Process(String name, String page) {}

    private static final int MOST_BYTES = 19 << 20;
    private static final HtmlTemplate TEMPLATE = new HtmlTemplate(
            ProcessPages.class, "processes.html", List.of("processes.css", "processes.js"));

    private final List<Process> processes = new ArrayList<>();
    private long bytes;
    private int left;

    /** Adds a process, unless there is no room for it. */
    public void add(String name, Page page) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        page.write(text);
        String quoted = JsonText.quoted(text.toString(StandardCharsets.UTF_8));
        if (left == 0 && bytes + quoted.length() <= MOST_BYTES) {
            bytes += quoted.length();
            processes.add(new Process(name, quoted));
        } else {
            left++;
        }
    }

    /** Returns how many processes there was no room for. */
    public int left() {
        return left;
    }

    /** Writes the file. */
    public void write(OutputStream out) throws IOException {
        TEMPLATE.write(out, text -> {
            text.text("[");
            for (int i = 0; i < processes.size(); i++) {
                text.text(i > 0 ? ",\n{\"name\":" : "{\"name\":")
                        .text(JsonText.quoted(processes.get(i).name()))
                        .text(",\"page\":")
                        .text(processes.get(i).page())
                        .text("}");
            }
            text.text("]");
        });
    }
}
