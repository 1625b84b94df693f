#compdef layoutcalc
compdef _layoutcalc layoutcalc

# zsh completion for layoutcalc. Nothing on the line is expanded or carried out.

_layoutcalc()
{
    local program=${(Q)words[1]} tab=$'\t' word out directive line name
    local -a args list options

    # The words without quotes.
    for word in "${(@)words[2,CURRENT-1]}"; do args+=("${(Q)word}"); done
    args+=("${(Q)PREFIX}")

    program=${program/#\~\//$HOME/}
    whence -p -- "$program" >/dev/null || program=layoutcalc # an alias
    out=$(command "$program" __complete "${args[@]}" 2>/dev/null)
    directive=${out##*:}
    out=${out%:*}
    [[ $directive == <-> ]] || return 1
    ((directive & 1)) && return 1

    compset -P '-[^=]#=' # --flag=value
    # zsh itself carries out what is in a path that it completes.
    [[ $PREFIX == *(\`|\$[^[:alpha:]_])* ]] && ((directive |= 4))
    if (((directive & 20) == 16)); then
        _files -/
        return
    fi
    for line in "${(@f)out}"; do
        [[ -n $line ]] || continue
        name=${line%%$tab*}
        name=${name//\\/\\\\}
        name=${name//:/\\:}
        [[ $line == *$tab* ]] && name+=:${line#*$tab}
        list+=("$name")
    done
    ((directive & 2)) && options=(-S '')
    _describe completions list "${options[@]}" && return
    ((directive & 4)) && return 1
    _files
}

# The file is the function itself where zsh loads it by name.
if [[ $funcstack[1] == _layoutcalc ]]; then
    _layoutcalc
fi
