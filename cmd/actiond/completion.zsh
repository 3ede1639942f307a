#compdef action
# zsh completion of action: source <(action completion zsh)
_action() {
  local -a found
  found=("${(@f)$(action __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- "${found[@]}"
}
compdef _action action
