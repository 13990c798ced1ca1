// The documentation of the API as one page, made from the OpenAPI document. It loads nothing, so it works without a network.

interface Described {
  readonly summary: string
  readonly tags: readonly string[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: unknown }>> }
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>

export function docsPage(document: Readonly<Record<string, unknown>>): string {
  const paths = document.paths as Paths // as openapi.ts made it
  const entries = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, described]) => ({ path, verb, ...described })),
  )
  const tags = [...new Set(entries.flatMap(({ tags }) => tags))]
  const sections = tags.map(tag => {
    const own = entries.filter(({ tags }) => tags.includes(tag))
    return `<h2>${escaped(tag)}</h2>${own.map(entryHtml).join('')}`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Vicinal API</title><style>${style}</style></head><body><main><h1>Vicinal API</h1>
<p>The same as <a href="openapi.json">OpenAPI 3.1</a>, for clients and generators.</p>${sections.join('')}</main></body></html>`
}

function entryHtml({ path, verb, summary, requestBody }: Described & { path: string; verb: string }): string {
  const body = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => {
    const shape = schema === undefined ? '' : `<pre>${escaped(JSON.stringify(schema, null, 2))}</pre>`
    return `<p>Body: <code>${escaped(type)}</code></p>${shape}`
  })
  const head = `<code><b>${verb.toUpperCase()}</b> ${escaped(path)}</code> ${escaped(summary)}`
  return `<details><summary>${head}</summary>${body.join('')}</details>`
}

const style = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:auto;padding:1rem}
details{border-top:1px solid #8884;padding:.4rem 0}summary{cursor:pointer}pre{overflow:auto;font-size:.85rem}`

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
