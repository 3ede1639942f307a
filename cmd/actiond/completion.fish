# fish completion of action: action completion fish | source
function __action_complete
    for line in (action __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
        string match -qr '^:[0-9]+$' -- $line; or echo $line
    end
end
complete -c action -f -a '(__action_complete)'
