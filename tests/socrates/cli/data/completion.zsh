#compdef socrates

_socrates() {
    local context state line
    _arguments -C \
        '*-h[show this help message and exit]' '*--help[show this help message and exit]' \
        '*--version[say  it   now]' '*-V[say  it   now]' \
        '1: :->command' '*:: :->arguments'
    case $state in
    command)
        local -a commands=(
            'check:look  it'\''s all there'
            'rule:explain one'
            'lsp:speak'
        )
        _describe command commands;;
    arguments)
        case $line[1] in
        check)
            _arguments \
                '*-h[show this help message and exit]' '*--help[show this help message and exit]' \
                '*--format[how to say it]: :(text json)' '*-f[how to say it]: :(text json)' \
                '*--output-file[where to]:value:_files' '*-o[where to]:value:_files' \
                '*--jobs[how many at once]:value:' \
                '*--quiet[say less]' '*--no-quiet[say less]' \
                '*:path:_files';;
        rule)
            _arguments \
                '*-h[show this help message and exit]' '*--help[show this help message and exit]' \
                '*: :(one two)';;
        lsp)
            _arguments \
                '*-h[show this help message and exit]' '*--help[show this help message and exit]' \
                '*: :';;
        esac;;
    esac
}

compdef _socrates socrates
