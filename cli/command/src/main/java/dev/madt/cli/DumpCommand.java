package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.manual.Command;
import dev.madt.view.dump.TraceDump;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt dump}: the frames and words of a trace as they are. */
final class DumpCommand implements Command {
    @Override
    public String name() {
        return "dump";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    @Override
    public String summary() {
        return "show the raw records of a trace, frame by frame";
    }

    @Override
    public Options options() {
        return TraceReading.addTo(ResultFile.addTo(new Options()));
    }

    @Override
    public List<String> examples() {
        return List.of("madt dump prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        Path file = TraceArgument.of(this, line, messages);
        try (ResultFile result = ResultFile.open(line)) {
            int status;
            try (TraceDump dump = new TraceDump(result.out())) {
                status = TraceReading.read(file, dump, line, messages, complete -> {});
            }
            result.finish(messages);
            return status;
        }
    }
}
