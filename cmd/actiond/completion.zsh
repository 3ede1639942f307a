#compdef action
# zsh completion of action: source <(action completion zsh)
_action() {
  local -a lines found
  local line name directive=4
  # A candidate a line, a description behind a tab; at last a number of which 4 means no files.
  lines=("${(@f)$(action __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${lines[@]}"; do
    if [[ "$line" == :<-> ]]; then
      directive="${line#:}"
    elif [[ -n "$line" ]]; then
      name="${line%%$'\t'*}"
      name="${name//:/\\:}"
      [[ "$line" == *$'\t'* ]] && name+=":${line#*$'\t'}"
      found+=("$name")
    fi
  done
  if (( ${#found} )); then
    _describe -V action found
  elif (( (directive & 4) == 0 )); then
    _files
  fi
}
compdef _action action
