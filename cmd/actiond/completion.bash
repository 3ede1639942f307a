# bash completion of action: source <(action completion bash)
_action() {
  local IFS=$'\n'
  # Names hold colons, which readline takes for the end of a word.
  local words=() word line="${COMP_LINE:0:COMP_POINT}"
  IFS=' ' read -r -a words <<<"$line"
  [[ "$line" == *" " ]] && words+=("")
  word="${words[${#words[@]}-1]}"
  COMPREPLY=($(action __complete -- "${words[@]:1}" 2>/dev/null))
  local prefix="${word%"${word##*:}"}" i
  if [[ "$COMP_WORDBREAKS" == *:* && -n "$prefix" ]]; then
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]="${COMPREPLY[i]#"$prefix"}"; done
  fi
}
complete -F _action action
