_socrates() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
    local command="" word words="" paths=""
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$word" in check|rule|lsp) command="$word"; break;; esac
    done
    case "$command:$prev" in
        check:--format|check:-f) words='text json' paths=;;
        check:--output-file|check:-o) words='' paths=1;;
        check:--jobs) words='' paths=;;
        *) case "$command" in
            '') words='check rule lsp -h --help --version -V' paths=;;
            check) words='-h --help --format -f --output-file -o --jobs --quiet --no-quiet' paths=1;;
            rule) words='one two -h --help' paths=;;
            lsp) words='-h --help' paths=;;
        esac;;
    esac
    COMPREPLY=()
    if [[ $cur != -* && -n $paths ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$cur"); fi
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$cur")
}
complete -o filenames -F _socrates socrates
