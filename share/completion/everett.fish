# Completion of everett for fish.

function __everett_needs_command
    test (count (commandline -opc)) -eq 1
end

function __everett_has_command
    set -l words (commandline -opc)
    test (count $words) -gt 1 -a "$words[2]" = $argv[1]
end

complete -c everett -n __everett_needs_command -l help -d 'print the commands'
complete -c everett -n __everett_needs_command -l version -d 'print the version'

@TABLES@
