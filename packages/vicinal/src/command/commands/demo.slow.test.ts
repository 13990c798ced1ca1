import { expect, it } from 'vitest'
import { BuiltCommand } from '../built-command.cases.ts'
import { vicinal } from '../test-run.ts'

it('vicinal demo learns from all bundled titles, well and soon', async () => {
  const start = performance.now()
  const { code, stdout } = await vicinal(['demo', '--json'])
  expect(code).toBe(0)
  expect((performance.now() - start) / 1000).toBeLessThan(30)
  const { metrics, titles } = JSON.parse(stdout)
  expect(metrics['p@1']).toBeGreaterThan(0.36) // measured: 0.378
  expect(titles.map(({ labels }: { labels: { name: string }[] }) => labels[0]?.name)).toEqual([
    'sailing',
    'knitting',
    'animal experiments',
  ])
})

it('vicinal demo --serve shows a page with what it learned until Ctrl-C, also if the usual port is taken', async () => {
  const command = new BuiltCommand()
  await command.build()
  try {
    const started = [0, 1].map(() => command.start(['demo', '--serve']))
    const urls = await Promise.all(
      started.map(({ child, stderr }) => {
        return new Promise<string>((resolve, reject) => {
          let written = ''
          child.stdout?.on('data', text => {
            written += text
            const [url] = /http:\S+/.exec(written) ?? []
            if (url !== undefined) resolve(url)
          })
          stderr.then(text => reject(new Error(text)))
        })
      }),
    )
    expect(new Set(urls).size).toBe(2)
    for (const url of urls) {
      expect(await (await fetch(url)).text()).toContain('<title>Vicinal</title>')
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ text: 'Sailing ships and steamers', top: 1 })
      const response = await fetch(`${url}/v1/models/titles/predict`, { method: 'POST', headers, body })
      expect(await response.json()).toMatchObject({ labels: [{ name: 'sailing' }] })
    }
    for (const { child } of started) child.kill('SIGINT')
    for (const { exit } of started) expect((await exit)[0]).not.toBeNull()
  } finally {
    command.remove()
  }
})
