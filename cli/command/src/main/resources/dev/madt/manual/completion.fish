# Completion of madt's command lines for fish, made by: madt help --completion fish
# To use it: madt help --completion fish >~/.config/fish/completions/madt.fish

# No command has been typed yet.
function __madt_begins
    test (count (commandline -opc)) -eq 1
end

# The command is $argv[1].
function __madt_at
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = $argv[1]
end

# The options of "madt run" have ended: the program, or -- in front of it, has been typed.
function __madt_program_begun
    set -l words (commandline -opc)
    set -e words[1..2]
    while set -q words[1]
        if contains -- $words[1] @VALUED@
            set -e words[1]
        else if not string match -q -- '-?*' $words[1]; or test $words[1] = --
            return 0
        end
        set -e words[1]
    end
    return 1
end

# Options of the command $argv[1] may stand here.
function __madt_options
    __madt_at $argv[1]; and not begin
        test $argv[1] = run; and __madt_program_begun
    end
end

function __madt_program
    __fish_complete_subcommand --fcs-skip=2 @VALUED@
end

# Traces, and folders on the way to them.
function __madt_traces
    __fish_complete_path (commandline -ct) | string match -r '^.*(?:\.madt|/)(?:\t.*)?$'
end

complete -c madt -f
complete -c madt -n __madt_begins -s h -l help -d 'print the help'
complete -c madt -n __madt_begins -s V -l version -d 'print the version'
complete -c madt -n __madt_begins -l include-dir -d 'print the folder of madt.h'
complete -c madt -n __madt_begins -a help -d 'print the help of a command'
complete -c madt -n '__madt_at help' -a '@NAMES@'
complete -c madt -n '__madt_at help' -l man -d 'print the manual page, or that of a command'
complete -c madt -n '__madt_at help' -l completion -x -a '@SHELLS@' -d 'print the completion of a shell'
@LINES@
