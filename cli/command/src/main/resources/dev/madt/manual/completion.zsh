#compdef madt
# Completion of madt's command lines for zsh, made by: madt help --completion zsh
# To use it: madt help --completion zsh >FOLDER/_madt, where FOLDER is one of $fpath; or: . <(madt help --completion zsh)

_madt_commands() {
	local -a commands=(
@COMMANDS@
		'help:print the help of a command, the manual page, the completion of a shell'
	)
	_describe -t commands command commands
}

# Completes what follows the command $words[1].
_madt_arguments() {
	case $words[1] in
@CASES@
	help)
		_arguments -S \
			'(1 --completion)--man[print the manual page]::command:_madt_commands' \
			'(1 --man)--completion[print the completion of a shell]:shell:(@SHELLS@)' \
			'1:command:_madt_commands'
		;;
	esac
}

_madt() {
	local curcontext=$curcontext state line ret=1
	typeset -A opt_args
	_arguments -C \
		'(- *)'{-h,--help}'[print the help]' \
		'(- *)'{-V,--version}'[print the version]' \
		'(- *)--include-dir[print the folder of madt.h]' \
		'1: :_madt_commands' \
		'*:: :->arguments' && ret=0
	if [[ $state == arguments ]]; then
		curcontext=${curcontext%:*:*}:madt-$words[1]:
		_madt_arguments && ret=0
	fi
	return ret
}

if [[ $funcstack[1] == _madt ]]; then
	_madt "$@"
else
	compdef _madt madt
fi
