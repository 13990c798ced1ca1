// A bar drawn with block characters.

const blocks = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/** `share`, from 0 to 1, of `width` characters, drawn in eighths of one; anything above 0 is visible. */
export function bar(share: number, width: number): string {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + blocks[eighths % 8]
}
