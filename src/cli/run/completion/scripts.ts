// The completion scripts of shells. They know nothing: they ask `slipway __complete` for the words that fit.

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Bash cuts words at colons, too, so the line is read again; and the part before the last colon must not be completed twice. It puts words
 * into the line as they are, so they are quoted: a name such as `x;reboot` must not become a command.
 */
const BASH = `# Completion of slipway for bash. To load it: source <(slipway completion bash)
_slipway() {
  local line kind current prefix
  local -a words
  read -ra words <<< "\${COMP_LINE:0:COMP_POINT}"
  [[ "\${COMP_LINE:0:COMP_POINT}" == *[[:space:]] ]] && words+=('')
  current="\${words[\${#words[@]}-1]}"
  prefix=''
  [[ "$COMP_WORDBREAKS" == *:* && "$current" == *:* ]] && prefix="\${current%"\${current##*:}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z "$kind" ]]; then
      kind="$line"
    else
      line="\${line%%$'\\t'*}"
      printf -v line '%q' "\${line#"$prefix"}"
      COMPREPLY+=("$line")
    fi
  done < <("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)
  [[ "$kind" == files ]] && compopt -o default 2>/dev/null
  return 0
}
complete -F _slipway slipway
`;

const ZSH = `#compdef slipway
# Completion of slipway for zsh. To load it: source <(slipway completion zsh)
_slipway() {
  local -a answer items
  local line
  answer=("\${(@f)$(\${words[1]} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${answer[1]}" == files ]]; then
    _files
    return
  fi
  for line in "\${(@)answer[2,-1]}"; do
    [[ -n "$line" ]] && items+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe -t words word items
}
if [[ "\${funcstack[1]}" == _slipway ]]; then
  _slipway "$@"
else
  compdef _slipway slipway
fi
`;

const FISH = `# Completion of slipway for fish. To load it: slipway completion fish | source
function __slipway_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    if test "$answer[1]" = files
        __fish_complete_path "$current"
    else
        string join \\n -- $answer[2..-1]
    end
end
complete --command slipway --no-files --arguments '(__slipway_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
