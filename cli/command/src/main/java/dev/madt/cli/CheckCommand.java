package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.ResultStream;
import dev.madt.console.Status;
import dev.madt.manual.Command;
import dev.madt.view.dump.TraceCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt check}: whether a trace is sound. Status 1 if it is not. */
final class CheckCommand implements Command {
    @Override
    public String name() {
        return "check";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    @Override
    public String summary() {
        return "check that a trace keeps what holds for every trace";
    }

    @Override
    public Options options() {
        return TraceReading.addTo(new Options());
    }

    @Override
    public List<String> statuses() {
        return List.of(
                "0    the trace is sound",
                "1    it is not, it is damaged, or it cannot be read",
                "2    the command line was not understood");
    }

    @Override
    public List<String> examples() {
        return List.of("madt check prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        Path file = TraceArgument.of(this, line, messages);
        TraceCheck check = new TraceCheck();
        int status = TraceReading.read(file, check, line, messages);
        for (String violation : check.violations()) {
            messages.error(file + ": " + violation + ".");
        }
        if (check.violated() > 0) {
            messages.error(
                    file + ": " + Numbers.counted(check.violated(), "violation", "violations")
                            + ". Please report it with the trace.");
            return Status.FAILED;
        }
        try (ResultStream out = new ResultStream()) {
            out.write(sentences(file, check).getBytes(StandardCharsets.UTF_8));
        }
        return status;
    }

    private static String sentences(Path file, TraceCheck check) {
        return file + (check.isWhole() ? ": sound, " : ": sound where it is read, ")
                + Numbers.counted(check.events(), "access", "accesses") + " and bulk transfers, "
                + Numbers.counted(check.allocations(), "allocation event", "allocation events")
                + "\nin the program: "
                + Numbers.counted(check.deadAccesses(), "access", "accesses")
                + " to blocks after their end, "
                + Numbers.counted(check.doubleFrees(), "double free", "double frees") + "\n";
    }
}
