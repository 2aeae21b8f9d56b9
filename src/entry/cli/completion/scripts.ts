/** Scripts with which a shell completes `ken`. They never evaluate a word that was typed or suggested. */

const BASH = `# Completion of ken for bash.
__ken_complete() {
  local line="\${COMP_LINE:0:COMP_POINT}" word prefix='' breaks value directive=4
  local -a values=()
  while IFS= read -r value; do
    if [[ $value == :* ]]; then directive=\${value#:}; else values+=("\${value%%$'\\t'*}"); fi
  done < <(ken complete --line "$line" 2>/dev/null)

  # Readline replaces only what follows the last of these characters.
  word=\${line##*[[:space:]]}
  breaks=\${COMP_WORDBREAKS//[^=:@]/}
  if [[ -n $breaks && $word != *[\\"\\']* && $word == *[$breaks]* ]]; then
    prefix=\${word%"\${word##*[$breaks]}"}
  fi

  COMPREPLY=()
  for value in "\${values[@]}"; do
    value=\${value#"$prefix"}
    [[ $word == [\\"\\']* ]] || printf -v value %q "$value"
    COMPREPLY+=("$value")
  done
  (( directive & 2 )) && compopt -o nospace 2>/dev/null
  if (( directive & 16 )); then compopt -o dirnames -o filenames 2>/dev/null
  elif (( ! (directive & 4) )); then compopt -o default 2>/dev/null
  fi
  return 0
}
complete -F __ken_complete ken
`;

const ZSH = `#compdef ken
# Completion of ken for zsh.
_ken() {
  local -a lines values space
  local line directive
  lines=("\${(@f)$(ken complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  directive=\${lines[-1]#:}
  for line in "\${(@)lines[1,-2]}"; do
    values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( directive & 2 )) && space=(-S '')
  if (( $#values )); then _describe -t values value values $space
  elif (( ! (directive & 4) )); then
    [[ $PREFIX == --*=* ]] && compset -P '*='
    (( directive & 16 )) && _files -/ || _files
  fi
}
if [[ $funcstack[1] == _ken ]]; then _ken "$@"; else compdef _ken ken; fi
`;

const FISH = `# Completion of ken for fish.
function __ken_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l lines (ken complete -- $words[2..-1] "$word" 2>/dev/null)
    test (count $lines) -gt 0; or return
    if test (count $lines) -gt 1
        printf '%s\\n' $lines[1..-2]
    else if test "$lines[-1]" = :16
        __fish_complete_directories "$word"
    else if test "$lines[-1]" = :0
        __fish_complete_path "$word"
    end
end
complete -c ken -f -a '(__ken_complete)'
`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
