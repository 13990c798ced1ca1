// What a question asks about. Agents ask in whole sentences, and memories are found by the words they share with the question: words such as
// "which", "do" and "in" would find memories about anything.

/** English only. Without words that can turn a statement around, such as "not", "off", "before" and "without". */
const functionWords = new Set(
  (
    'a an the and or of to in on at by for from with as is are was were be been am do does did has have had ' +
    'i you we they he she it me my your our their his her its us them this that these those there ' +
    'what which who whom whose when where why how can could should would will shall may might must please about'
  ).split(' '),
)

const articles = new Set(['a', 'an', 'the'])

/** The question without function words; the question itself if it has no others. */
export function askedAbout(question: string): string {
  return wordsOf(question, functionWords).join(' ') || question
}

/** The same for texts that differ only in case, punctuation around words, and articles. */
export function saidBy(text: string): string {
  return wordsOf(text, articles).join(' ') || text
}

function wordsOf(text: string, left: ReadonlySet<string>): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map(word => word.replace(/^["'“‘(]+|["'”’).,;:!?。！？，]+$/g, ''))
    .filter(word => word !== '' && !left.has(word))
}
