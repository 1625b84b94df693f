# fish completion for layoutcalc. Nothing on the line is expanded or carried out.

# __layoutcalc_offer finds the words to offer. It fails where fish is to offer files.
function __layoutcalc_offer
    set -g __layoutcalc_offers
    set -l args (commandline -opc)
    set -l token (commandline -ct | string collect)
    # The word without quotes, one of which may be open.
    set -l word (string unescape -- "$token"; or string unescape -- "$token'"; or string unescape -- "$token\"")

    set -l program (string replace -r '^~/' "$HOME/" -- "$args[1]")
    command -sq -- $program; or set program layoutcalc # an alias
    set -e args[1]
    set -l lines (command $program __complete $args "$word" 2>/dev/null)
    string match -qr '^:\d+$' -- "$lines[-1]"; or return 1
    set -l directive (string sub -s 2 -- $lines[-1])
    set -e lines[-1]
    for bit in 1 16 # an error; directories
        test (math "floor($directive / $bit) % 2") = 1; and return 1
    end

    set -l flag (string match -r -- '^-[^=]*=' "$word") # fish completes --flag=value as one word
    for line in $lines
        set -a __layoutcalc_offers "$flag$line"
    end
    set -l prefix (string escape --style=regex -- "$word")
    set -l begun (string match -r -- "^$prefix.*" $__layoutcalc_offers)
    if test (math "floor($directive / 4) % 2") = 0; and test (count $begun) = 0
        return 1
    end
    # No blank follows a word that ends in =, or that a longer one begins with.
    if test (math "floor($directive / 2) % 2") = 1; and test (count $begun) = 1
        set -l name (string split \t -- $begun)[1]
        string match -q '*=' -- $name; or set __layoutcalc_offers $name $name.
    end
    return 0
end

complete -c layoutcalc -e
complete -c layoutcalc -n __layoutcalc_offer -f -a '$__layoutcalc_offers'
