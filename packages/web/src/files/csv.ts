// CSV and TSV by RFC 4180: quoted cells may hold separators, line breaks and doubled quotes.

export function parseCsv(text: string, separator = separatorOf(text)): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  const source = text.replace(/^\uFEFF/, '')
  for (let i = 0; i < source.length; i++) {
    const char = source[i] as string
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (source[i + 1] === '"') cell += source[++i]
      else isQuoted = false
    } else if (char === '"' && cell === '') isQuoted = true
    else if (char === separator) endCell()
    else if (char === '\n') endRow()
    else if (char !== '\r' || source[i + 1] !== '\n') cell += char
  }
  endRow()
  if (isQuoted) throw new Error('a quoted cell of the file does not end')
  return rows
}

/** Judged by the first line: a tab if it has one, because texts have commas but no tabs; otherwise the more frequent of the others. */
function separatorOf(text: string): string {
  const [head = ''] = text.split('\n', 1)
  if (head.includes('\t')) return '\t'
  return head.split(';').length > head.split(',').length ? ';' : ','
}

export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.map(quoted).join(',')}\r\n`).join('')
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
