// The scripts that complete the command in bash and zsh. Both find the command that the words so far lead to (`route`),
// then what may follow it. If nothing matches, file names are completed.

import type { Completion, Suggestion } from './tree.ts'

export function bashCompletion(name: string, tree: readonly Completion[]): string {
  const assign = (suggestions: readonly Suggestion[]) => `words=${quote(suggestions.map(({ word }) => word).join(' '))}`
  return `# Completion of ${name} for bash. Load it with: eval "$(${name} completion bash)"
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" route='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
${routeCase(tree)}
  done
${suggestionCases(tree, assign)}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`
}

export function zshCompletion(name: string, tree: readonly Completion[]): string {
  const assign = (suggestions: readonly Suggestion[]) => `found=(${suggestions.map(described).join(' ')})`
  return `#compdef ${name}
# Completion of ${name} for zsh. Load it with: source <(${name} completion zsh)
_${name}() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" route='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
${routeCase(tree)}
  done
${suggestionCases(tree, assign)}
  if (( \${#found} )); then _describe ${name} found; else _files; fi
}
if [[ "\${funcstack[1]}" == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

function routeCase(tree: readonly Completion[]): string {
  const routes = tree.filter(({ route }) => route !== '').map(({ route }) => quote(route))
  return `    case "$route $word" in
      ${routes.join(' | ')}) route="$route $word" ;;
    esac`
}

/** Completes the values of the flag before the cursor; otherwise flags, if the word starts like one; otherwise commands. */
function suggestionCases(tree: readonly Completion[], assign: (suggestions: readonly Suggestion[]) => string): string {
  const flags = tree.flatMap(({ route, flags }) => flags.map(flag => ({ route, ...flag })))
  const values = flags.filter(({ takesValue }) => takesValue)
  return `  case "$route $previous" in
${values.map(({ route, word, values }) => `    ${quote(`${route} ${word}`)}) ${assign(values.map(plain))} ;;\n`).join('')}\
    *)
      case "$route:$current" in
${tree.map(({ route, flags }) => `        ${quote(`${route}:-`)}*) ${assign(flags)} ;;\n`).join('')}\
${tree.map(({ route, words }) => `        ${quote(`${route}:`)}*) ${assign(words)} ;;\n`).join('')}\
      esac
      ;;
  esac`
}

function plain(word: string): Suggestion {
  return { word, description: '' }
}

/** As zsh's _describe reads it. */
function described({ word, description }: Suggestion): string {
  return quote(description ? `${word}:${description}` : word)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
