// Blocks are lists of numbers that TypeScript fills and kernels read. The classes of packages/core/assembly/blocks define them, and
// this writes the TypeScript side of each: the type of its fields, a writer that wants all of them, and their places. A field that
// only one side knows does not compile.

/** Bytes of the types that fields may have. A field that is a class holds the address of one. */
const sizes = { u32: 4, i32: 4, usize: 4, f32: 4, f64: 8 }

const patterns = {
  skipped: /^(|\/\/.*|import .*|@inline|@unmanaged)$/,
  class: /^export class (\w+)(?: extends (\w+))? \{$/,
  field: /^(\w+): (\w+)$/,
  number: /^export const (\w+): u32 = (\w+)$/,
}

/** The blocks and numbers of one file: [{ name, base, doc, fields: [{ name, type, doc, offset }], bytes }], [{ name, value, doc }]. */
export function parseBlocks(file, text) {
  const blocks = []
  const numbers = []
  let open
  let doc = []
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].trim()
    const fail = problem => new Error(`${file}:${i + 1}: ${problem}`)
    if (line.startsWith('/**')) {
      const from = i
      while (!lines[i].includes('*/')) i++
      doc = lines.slice(from, i + 1).map(text => text.trim().replace(/^\*/, ' *'))
    } else if (open && line === '}') {
      open = undefined
    } else if (open) {
      const field = patterns.field.exec(line)
      if (!field && !patterns.skipped.test(line)) throw fail(`expected a field, such as 'k: u32', found '${line}'`)
      if (field) addField(open, field[1], field[2], doc, fail)
      if (field) doc = []
    } else if (patterns.class.test(line)) {
      const [, name, base] = patterns.class.exec(line)
      if (lines[i - 1].trim() !== '@unmanaged') throw fail(`the class ${name} needs @unmanaged in the line before it`)
      open = { name, base, doc, fields: [], bytes: 0 }
      if (base) open.bytes = baseOf(open, blocks, fail).bytes
      blocks.push(open)
      doc = []
    } else if (patterns.number.test(line)) {
      const [, name, value] = patterns.number.exec(line)
      numbers.push({ name, value, doc })
      doc = []
    } else if (!patterns.skipped.test(line)) {
      throw fail(`blocks are classes and numbers, found '${line}': put functions beside the kernels`)
    }
  }
  return { blocks, numbers }
}

function baseOf({ name, base }, blocks, fail) {
  const found = blocks.find(block => block.name === base)
  if (!found) throw fail(`${name} extends ${base}, which is not in this file`)
  return found
}

/** Places fields as the AssemblyScript compiler does: in their order, each at a multiple of its size. */
function addField(block, name, type, doc, fail) {
  const size = /^[A-Z]/.test(type) ? sizes.usize : sizes[type]
  if (!size) throw fail(`${name} is a ${type}, expected a class or one of ${Object.keys(sizes).join(', ')}`)
  const offset = Math.ceil(block.bytes / size) * size
  block.fields.push({ name, type, size, doc, offset })
  block.bytes = offset + size
}

/** The TypeScript side of one file. */
export function printBlocks(file, { blocks, numbers }) {
  const parts = [
    ...numbers.map(({ name, value, doc }) => [...doc, `export const ${name} = ${value}`].join('\n')),
    ...blocks.map(printBlock),
  ]
  const imports = [
    ['Block', "import type { Block } from '../../blocks.ts'"],
    ['floatBits', "import { floatBits } from '../../float-bits.ts'"],
  ]
  const used = imports.filter(([name]) => parts.some(part => new RegExp(`\\b${name}\\b`).test(part)))
  const head = `// Written by tools/build-kernels.mjs from assembly/blocks/${file}: change that file.\n`
  return [head, ...used.map(([, line]) => line), ...(used.length > 0 ? [''] : []), parts.join('\n\n'), ''].join('\n')
}

/** Of classes that extend others, and of fields of several sizes, no more than the size: kernels alone fill them. */
function printBlock(block) {
  const { name, base, fields, bytes } = block
  const lower = name[0].toLowerCase() + name.slice(1)
  const size = fields[0].size
  if (base || fields.some(field => field.size !== size))
    return `export const ${lower}Bytes = ${Math.ceil(bytes / 8) * 8}`
  const isFloat = field => field.type[0] === 'f'
  return [
    `/** How many numbers of ${8 * size} bits a ${name} has. */\nexport const ${lower}Length = ${fields.length}`,
    ...(size === 4 ? [printWriter(block, lower)] : []),
    // Apart, so that no float is written where its bits belong.
    ...printPlaces(
      `${lower}At`,
      `the whole numbers of ${name}`,
      fields.filter(field => !isFloat(field)),
    ),
    ...printPlaces(`${lower}FloatAt`, `the floats of ${name}`, fields.filter(isFloat)),
  ].join('\n\n')
}

function printPlaces(constant, what, fields) {
  if (fields.length === 0) return []
  const places = fields.map(({ name, offset, size }) => `${name}: ${offset / size}`)
  return [
    `/** Where ${what} are, in steps of ${fields[0].size} bytes. */\nexport const ${constant} = { ${places.join(', ')} } as const`,
  ]
}

function printWriter({ name, doc, fields }, lower) {
  return [
    ...doc,
    `export interface ${name}Block {`,
    ...fields.flatMap(field => [...field.doc, `readonly ${field.name}: number`].map(line => `  ${line}`)),
    '}',
    '',
    `export const ${lower}Block: Block<${name}Block> = {`,
    `  length: ${lower}Length,`,
    '  write(words, block) {',
    ...fields.map(({ name, type, offset }) => {
      return `    words[${offset / 4}] = ${type === 'f32' ? `floatBits(block.${name})` : `block.${name}`}`
    }),
    '  },',
    '}',
  ].join('\n')
}
