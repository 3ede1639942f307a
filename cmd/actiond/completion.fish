# fish completion of action: action completion fish | source
complete -c action -f -a '(action __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
