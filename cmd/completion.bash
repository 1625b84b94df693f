# bash completion for layoutcalc. It needs bash 3.2 or later, and nothing else.

_layoutcalc()
{
    local line=${COMP_LINE:0:COMP_POINT} tab=$'\t' words=() args=() names=() about=()
    local i piece text char quote blank name room out directive cut='' flag='' longest=0
    COMPREPLY=()

    # bash has split the line at characters such as = and : too. Pieces with no blank between them are one word.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blank=${line%%[![:space:]]*}
        piece=${COMP_WORDS[i]}
        line=${line#"$blank"}
        [[ $line == "$piece"* ]] || piece=$line # the cursor is in it
        line=${line#"$piece"}
        if [[ -n $blank || $i == 0 ]]; then
            words+=("$piece")
        else
            words[${#words[@]} - 1]+=$piece
        fi
    done

    # What the words are without quotes. Nothing is expanded or carried out.
    for piece in "${words[@]}"; do
        text='' quote=''
        for ((i = 0; i < ${#piece}; i++)); do
            char=${piece:i:1}
            if [[ $char == \\ && $quote != \' ]]; then
                text+=${piece:++i:1}
            elif [[ $quote == '' && $char == [\'\"] ]]; then
                quote=$char
            elif [[ $char == "$quote" ]]; then
                quote=''
            else
                text+=$char
            fi
        done
        args+=("$text")
    done
    local word=$text # and quote is the one that is open
    if [[ $word == -*=* ]]; then # --flag=value
        [[ $COMP_WORDBREAKS == *=* ]] || flag=${word%%=*}=
        word=${word#*=}
    fi

    args[0]=${args[0]/#\~\//$HOME/}
    type -P "${args[0]}" >/dev/null || args[0]=layoutcalc # an alias
    out=$("${args[0]}" __complete "${args[@]:1}" 2>/dev/null)
    directive=${out##*:}
    out=${out%:*}
    [[ -n $directive && $directive != *[!0-9]* ]] || return
    ((directive & 1)) && return
    ((directive & 2)) && compopt -o nospace 2>/dev/null
    ((directive & 4)) && compopt +o default 2>/dev/null
    if ((directive & 16)); then
        compopt -o filenames 2>/dev/null
        while IFS= read -r piece; do COMPREPLY+=("$piece"); done < <(compgen -d -- "$word")
        return
    fi

    while IFS= read -r piece; do
        name=${piece%%"$tab"*}
        [[ -n $name && $name == "$word"* ]] || continue
        names+=("$name")
        about+=("${piece:${#name}+1}")
        ((${#name} > longest)) && longest=${#name}
    done <<<"$out"

    # What comes before the last = or : of a word stays on the line, or before the last @.
    if [[ -z $quote ]]; then
        for piece in = : @; do
            [[ $COMP_WORDBREAKS == *"$piece"* && $word == *"$piece"* ]] || continue
            piece=${word%"${word##*"$piece"}"}
            piece=${piece%@}
            ((${#piece} > ${#cut})) && cut=$piece
        done
    fi
    for ((i = 0; i < ${#names[@]}; i++)); do
        name=${names[i]#"$cut"}
        piece=$name
        if ((${#names[@]} == 1)); then
            [[ -z $quote && $name == *[!A-Za-z0-9_@%+=:,./-]* ]] && piece="'$name'"
        elif [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 && -n ${about[i]} ]]; then
            room=$((${COLUMNS:-80} - longest - 4))
            ((room > 8)) && printf -v piece '%-*s  (%s)' $((longest - ${#cut})) "$name" "${about[i]:0:room}"
        fi
        COMPREPLY+=("$flag$piece")
    done
}

complete -o default -F _layoutcalc layoutcalc layoutcalc.exe
