package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.ResultStream;
import dev.madt.console.Status;
import dev.madt.doctor.Examination;
import dev.madt.doctor.Finding;
import dev.madt.doctor.FindingsText;
import dev.madt.doctor.LoadedLibraries;
import dev.madt.doctor.MachineFacts;
import dev.madt.doctor.MachineProbe;
import dev.madt.doctor.TrialRecording;
import dev.madt.manual.Command;
import dev.madt.natives.NativeFiles;
import dev.madt.session.Engine;
import dev.madt.session.SessionDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt doctor}: can programs be recorded on this machine, and what helps if not. */
final class DoctorCommand implements Command {
    private static final List<String> FORMATS = List.of("text", "json");

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String arguments() {
        return "[options]";
    }

    @Override
    public String summary() {
        return "check whether this machine can record, and what helps";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Option.builder()
                        .longOpt("format")
                        .hasArg()
                        .argName("FORMAT")
                        .desc("text (default) or json")
                        .get())
                .addOption(Option.builder()
                        .longOpt("no-trial")
                        .desc("record no program to see whether that works")
                        .get());
    }

    @Override
    public List<String> notes() {
        return List.of(
                "ok        as it should be",
                "warning   recording works, with a limit that is told",
                "failed    recording does not work",
                "Status 0: this machine can record. Status 1: something has failed.");
    }

    @Override
    public Operands operands() {
        return Operands.NONE;
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("format", FORMATS);
    }

    @Override
    public List<String> statuses() {
        return List.of(
                "0    this machine can record, perhaps with warnings",
                "1    a finding has failed",
                "2    the command line was not understood");
    }

    @Override
    public List<String> examples() {
        return List.of("madt doctor", "madt doctor --format json");
    }

    @Override
    public int run(CommandLine line, Messages messages)
            throws Failure, IOException, InterruptedException {
        boolean json = Choice.of(line, "format", FORMATS, "text").equals("json");
        if (!line.getArgList().isEmpty()) {
            throw new Failure(
                    Status.USAGE,
                    "madt doctor takes no arguments. Usage: madt doctor " + arguments());
        }
        List<Finding> findings = Examination.of(facts(!line.hasOption("no-trial"), messages));
        try (ResultStream out = new ResultStream()) {
            out.write((json ? FindingsText.json(findings) : FindingsText.text(findings))
                    .getBytes(StandardCharsets.UTF_8));
        }
        return Examination.passed(findings) ? Status.DONE : Status.FAILED;
    }

    private static MachineFacts facts(boolean trial, Messages messages)
            throws InterruptedException {
        MachineProbe probe = new MachineProbe(Path.of("/proc"));
        boolean packaged = NativeFiles.packaged();
        List<MachineFacts.Trial> trials = new ArrayList<>();
        if (trial) {
            for (Engine engine : Engine.values()) {
                messages.detail("recording a program with engine " + engine.word());
                trials.add(TrialRecording.of(engine));
            }
        }
        return new MachineFacts(
                packaged,
                probe.processor(),
                probe.kernel(),
                probe.sharedMemory(SessionDirectory.place()),
                MachineProbe.java(),
                LoadedLibraries.of(packaged),
                MachineProbe.cache(),
                trials);
    }
}
