# Completion of madt's command lines for bash, made by: madt help --completion bash
# To use it: . <(madt help --completion bash)

# Sets kind, and words with it, to what the option $2 of the command $1 takes. Fails if the option takes nothing.
_madt_value() {
	case "$1 $2" in
@VALUES@	*) return 1 ;;
	esac
}

# The same for the command's arguments.
_madt_operand() {
	case $1 in
@OPERANDS@	*) return 1 ;;
	esac
}

_madt_options() {
	case $1 in
@OPTIONS@	*) return 1 ;;
	esac
}

# Sets program to the index of the program behind the options of the command. Fails if it has not been reached.
_madt_find_program() {
	local index=2
	while ((index < COMP_CWORD)); do
		case ${COMP_WORDS[index]} in
		--) program=$((index + 1)) && return ;;
		-*)
			if _madt_value "$1" "${COMP_WORDS[index]}"; then
				[[ ${COMP_WORDS[index + 1]-} == '=' ]] && ((index++))
				((index++))
			fi
			;;
		*) program=$index && return ;;
		esac
		((index++))
	done
	program=$index
	((index == COMP_CWORD)) && [[ ${COMP_WORDS[index]} != -* ]]
}

# Offers $words, or files of the kind.
_madt_offer() {
	case $kind in
	words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$typed") ;;
	file) compopt -o default ;;
	trace)
		if [[ $typed == *[\\\'\"]* ]]; then
			compopt -o default # readline knows how to read a name that is quoted
		else
			compopt -o filenames
			mapfile -t COMPREPLY < <(compgen -f -X '!*.madt' -- "$typed"; compgen -d -- "$typed")
		fi
		;;
	program)
		if [[ $typed == */* ]] || ((COMP_CWORD > program)); then
			compopt -o default
		else
			mapfile -t COMPREPLY < <(compgen -c -- "$typed")
		fi
		;;
	esac
}

# Offers what belongs behind "madt help".
_madt_help() {
	kind=words
	words=
	if [[ ${COMP_WORDS[2]} == --completion ]] && ((COMP_CWORD == 3)); then
		words='@SHELLS@'
	elif ((COMP_CWORD == 2)) || { [[ ${COMP_WORDS[2]} == --man ]] && ((COMP_CWORD == 3)); }; then
		words='@COMMANDS@'
		[[ $typed == -* ]] && words='--man --completion'
	fi
	_madt_offer
}

_madt() {
	local typed=$2 command=${COMP_WORDS[1]} option=${COMP_WORDS[COMP_CWORD - 1]} kind=words words= program=
	COMPREPLY=()
	if [[ $option == '=' ]]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [[ ${COMP_WORDS[COMP_CWORD]} == '=' ]]; then
		typed=
	fi
	if ((COMP_CWORD == 1)); then
		words='@COMMANDS@ help'
		[[ $typed == -* ]] && words='--help --version --include-dir'
	elif [[ $command == help ]]; then
		_madt_help
		return
	elif _madt_operand "$command" && [[ $kind == program ]] && _madt_find_program "$command"; then
		kind=program
	elif [[ $option == -* ]] && _madt_value "$command" "$option"; then
		: # kind says what the option takes
	elif [[ $typed == -* ]]; then
		_madt_options "$command" || return
		kind=words
	else
		_madt_operand "$command" || return
	fi
	_madt_offer
}

complete -F _madt madt
