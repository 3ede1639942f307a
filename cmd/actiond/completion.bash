# bash completion of action: source <(action completion bash)
_action() {
  # Names hold colons, which readline takes for the end of a word.
  local words=() word found files=0 line="${COMP_LINE:0:COMP_POINT}"
  IFS=' ' read -r -a words <<<"$line"
  [[ "$line" == *" " ]] && words+=("")
  word="${words[${#words[@]}-1]}"
  COMPREPLY=()
  # A candidate a line, a description behind a tab; at last a number of which 4 means no files.
  while IFS= read -r found; do
    if [[ "$found" =~ ^:[0-9]+$ ]]; then
      (( (${found#:} & 4) == 0 )) && files=1
    else
      COMPREPLY+=("${found%%$'\t'*}")
    fi
  done < <(action __complete "${words[@]:1}" 2>/dev/null)
  (( files && ${#COMPREPLY[@]} == 0 )) && compopt -o default 2>/dev/null
  local prefix="${word%"${word##*:}"}" i
  if [[ "$COMP_WORDBREAKS" == *:* && -n "$prefix" ]]; then
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]="${COMPREPLY[i]#"$prefix"}"; done
  fi
}
complete -F _action action
