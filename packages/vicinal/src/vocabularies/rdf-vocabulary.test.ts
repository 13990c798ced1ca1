import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LcifClassifier, Random, readDataset, readVocabulary } from 'vicinal'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'vocabularies-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const turtle = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix yso: <http://www.yso.fi/onto/yso/> .
yso: a skos:ConceptScheme ; rdfs:label "YSO"@en .
yso:p8450 skos:prefLabel "laivat"@fi, "fartyg"@sv, "ships"@en ; skos:altLabel "alukset"@fi .
yso:p8450 a skos:Concept ; skos:related [ skos:note "x" ] .
yso:p1 a skos:Concept ; rdfs:label "sea"@en, "not used"@fi ; skos:prefLabel "meri"@fi .
yso:p2 a skos:Concept ; skos:prefLabel "vanha"@fi ; owl:deprecated true .
yso:p3 a skos:Concept ; skos:prefLabel "first"@en, "second"@EN .
`
const triples = `<http://x/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2004/02/skos/core#Concept> .
<http://x/1> <http://www.w3.org/2004/02/skos/core#prefLabel> "h\\u00F6yry"@fi .
`
const xml = `<?xml version="1.0" encoding="utf-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#"
  xmlns:owl="http://www.w3.org/2002/07/owl#">
  <skos:Concept rdf:about="http://x/1">
    <skos:prefLabel xml:lang="sv">ångfartyg &amp; båtar</skos:prefLabel>
    <skos:prefLabel xml:lang="fi">höyrylaivat</skos:prefLabel>
  </skos:Concept>
  <rdf:Description rdf:about="http://x/2">
    <rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#Concept"/>
    <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated>
  </rdf:Description>
</rdf:RDF>
`

describe('SKOS in Turtle', () => {
  it('has concepts with names in several languages; what is no concept is left out', async () => {
    const yso = await readVocabulary(file('yso.ttl', `\ufeff${turtle.replaceAll('\n', '\r\n')}`))
    const id = (code: string) => `http://www.yso.fi/onto/yso/${code}`
    expect([yso.size, yso.language, [...yso.languages].sort()]).toEqual([4, 'en', ['en', 'fi', 'sv']])
    expect(['en', 'fi', 'sv'].map(language => yso.nameOf(id('p8450'), language))).toEqual(['ships', 'laivat', 'fartyg'])
    expect([yso.nameOf(id('p1')), yso.nameOf(id('p1'), 'fi'), yso.isDeprecated(id('p2'))]).toEqual([
      'sea',
      'meri',
      true,
    ])
    expect(yso.has(id(''))).toBe(false)
  })

  it('keeps the first of two names in one language, and says so', async () => {
    const { warnings } = await readVocabulary(file('twice.ttl', turtle))
    expect(warnings).toEqual([expect.stringContaining('p3 has two names in "en": "first" and "second"')])
  })

  it('may be gzipped, N-Triples, or known by its contents alone', async () => {
    expect((await readVocabulary(file('a.ttl.gz', gzipSync(turtle)), { language: 'sv' })).language).toBe('sv')
    expect((await readVocabulary(file('a.nt', triples))).nameOf('http://x/1')).toBe('höyry')
    expect((await readVocabulary(new TextEncoder().encode(triples))).nameOf('http://x/1')).toBe('höyry')
    expect((await readVocabulary(new TextEncoder().encode(turtle))).size).toBe(4)
  })

  it.each([
    ['a broken statement', 'b.ttl', `${turtle}yso:p9 skos:prefLabel "x"@en ] .\n`, /b\.ttl:11: the Turtle is broken: /],
    ['an unknown prefix', 'p.ttl', 'x:a x:b x:c .\n', /p\.ttl:1: the Turtle is broken: /],
    ['an unfinished file', 'u.ttl', turtle.slice(0, -10), /u\.ttl:\d+: the Turtle is broken: /],
    ['no concepts', 'n.ttl', '@prefix x: <http://x/> .\nx:a x:b x:c .\n', /n\.ttl has no concepts/],
    [
      'another encoding',
      'l.ttl',
      new Uint8Array([0x3c, 0xe4, 0x3e, 0x20]),
      /l\.ttl: the vocabulary is not valid UTF-8/,
    ],
  ])('refuses %s', async (_, name, content, words) => {
    await expect(readVocabulary(file(name, content))).rejects.toThrow(words)
  })
})

describe('SKOS in RDF/XML', () => {
  it('has the same concepts', async () => {
    const found = await readVocabulary(file('a.rdf', xml))
    expect([found.size, found.nameOf('http://x/1', 'sv'), found.isDeprecated('http://x/2')]).toEqual([
      2,
      'ångfartyg & båtar',
      true,
    ])
    expect((await readVocabulary(new TextEncoder().encode(xml))).size).toBe(2)
  })

  it.each([
    [
      'a wrong tag',
      'w.rdf',
      xml.replace('</skos:Concept>', '</skos:Concep>'),
      /w\.rdf:7:\d+: the RDF\/XML is broken: /,
    ],
    ['an unfinished file', 'u.rdf', xml.slice(0, 600), /the RDF\/XML is broken: /],
  ])('refuses %s', async (_, name, content, words) => {
    await expect(readVocabulary(file(name, content))).rejects.toThrow(words)
  })
})

const replaced = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix ext: <http://purl.org/finnonto/schema/skosext#> .
@prefix : <http://x/> .
:ships a skos:Concept ; skos:prefLabel "ships"@en ; skos:notation "623.82", "other" ; skos:exactMatch :craft .
:boats a skos:Concept ; skos:prefLabel "boats"@en ; owl:deprecated true ; dct:isReplacedBy :vessels .
:vessels a skos:Concept ; skos:prefLabel "vessels"@en ; dct:isReplacedBy :ships .
:craft a ext:DeprecatedConcept ; skos:prefLabel "craft"@en ; skos:exactMatch :ships, <http://elsewhere/1> .
:split a skos:Concept ; skos:prefLabel "boats and trains"@en ; dct:isReplacedBy :ships, :trains .
:trains a skos:Concept ; skos:prefLabel "trains"@en .
:lost a skos:Concept ; skos:prefLabel "lost"@en ; owl:deprecated true ; dct:isReplacedBy <http://elsewhere/2> .
:round a skos:Concept ; skos:prefLabel "round"@en ; dct:isReplacedBy :again .
:again a skos:Concept ; skos:prefLabel "again"@en ; dct:isReplacedBy :round .
`

describe('concepts that are replaced or deprecated, and notations', () => {
  it('are read with what replaces them, if that is one concept of the vocabulary', async () => {
    const found = await readVocabulary(file('replaced.ttl', replaced))
    const id = (name: string) => `http://x/${name}`
    expect(found.named(id('ships'))).toEqual({ label: id('ships'), name: 'ships', notation: '623.82' })
    expect(found.named(id('boats'))).toMatchObject({ name: 'boats', deprecated: true, replacedBy: id('vessels') })
    const given = ['boats', 'vessels', 'craft', 'split', 'trains', 'lost', 'round']
    const wanted = ['ships', 'ships', 'ships', 'split', 'trains', 'lost', 'round']
    expect(given.map(one => found.currentId(id(one)))).toEqual(wanted.map(id))
    expect(['split', 'lost', 'round'].every(one => found.isDeprecated(id(one)))).toBe(true)
    expect(found.isDeprecated(id('trains'))).toBe(false)
  })

  it('become their replacements in data, and stay marked in models that know them', async () => {
    const vocabulary = await readVocabulary(file('more.ttl', replaced))
    const lines = 'Old boats\t<http://x/boats>\nLost things\t<http://x/lost>\nBoats of steam\t<http://x/ships>\n'
    const data = await readDataset(file('boats.tsv', lines), { vocabulary })
    expect([data.labelNames, data.replacedLabels]).toEqual([['http://x/ships', 'http://x/lost'], ['http://x/boats']])
    const tagger = await LcifClassifier.fit(data, { weighting: 'none' })
    const same = await LcifClassifier.fromBytes(tagger.toBytes())
    for (const model of [tagger, same]) {
      const [best] = model.predict('steam boats')
      expect(best).toMatchObject({ label: 'http://x/ships', notation: '623.82', name: 'ships' })
      expect(model.predict('lost')[0]).toMatchObject({ label: 'http://x/lost', name: 'lost', deprecated: true })
    }
    const old = await LcifClassifier.fit(await readDataset(file('old.tsv', lines)), { weighting: 'none' })
    old.nameLabels(vocabulary)
    const suggested = old.predict('old boats').find(({ label }) => label === 'http://x/boats')
    expect(suggested).toMatchObject({ name: 'boats', deprecated: true, replacedBy: 'http://x/vessels' })
  })
})

const head = '<?xml version="1.0"?>\n'
const root = (inside: string) =>
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">${inside}</rdf:RDF>`
const concept = (name: string) =>
  `<skos:Concept rdf:about="http://x/1"><skos:prefLabel xml:lang="en">${name}</skos:prefLabel></skos:Concept>`

/** The name of the concept, or the error. */
function nameOrError(path: string): Promise<string> {
  return readVocabulary(path).then(
    found => found.nameOf('http://x/1') ?? '',
    error => String(error),
  )
}

describe('hostile vocabularies', () => {
  it('do not expand entities beyond what they declare, nor read files', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    const doctype = `<!DOCTYPE rdf:RDF [<!ENTITY l0 "ha">${levels}]>`
    const laughs = await nameOrError(file('laughs.rdf', `${head}${doctype}${root(concept('&l12;'))}`))
    expect(laughs.length).toBeLessThan(1000)
    const outside = `<!DOCTYPE rdf:RDF [<!ENTITY file SYSTEM "file:///etc/passwd">]>`
    expect(await nameOrError(file('outside.rdf', `${head}${outside}${root(concept('&file;'))}`))).not.toContain('root:')
  })

  it('may be nested deep or have huge texts: they are read or refused, and nothing hangs', async () => {
    const depth = 3000
    const deep = `${'<skos:Concept><skos:related>'.repeat(depth)}${'</skos:related></skos:Concept>'.repeat(depth)}`
    expect(await nameOrError(file('deep.rdf', head + root(deep + concept('x'))))).toBe('x')
    const brackets = `${turtle}yso:p9 skos:related ${'[ skos:related '.repeat(depth)}"x"${' ]'.repeat(depth)} .\n`
    expect((await readVocabulary(file('deep.ttl', brackets))).size).toBe(4)
    const long = 'y'.repeat(2_000_000)
    expect(await nameOrError(file('long.rdf', head + root(concept(long))))).toBe(long)
    expect(await nameOrError(file('long.nt', triples.replace('h\\u00F6yry', long)))).toBe(long)
  }, 60_000)

  it.each([
    [
      'broken UTF-8 in Turtle',
      'u8.ttl',
      Buffer.from(turtle.replace('laivat', 'la\xffvat'), 'latin1'),
      'not valid UTF-8',
    ],
    ['broken UTF-8 in XML', 'u8.rdf', Buffer.from(xml.replace('laivat', 'la\xffvat'), 'latin1'), 'not valid UTF-8'],
    ['a relative URI in Turtle', 'r.ttl', turtle.replaceAll('yso:p3', '<p3>'), 'the URI "p3" is relative'],
    ['a relative URI in XML', 'r.rdf', head + root(concept('x').replace('http://x/1', 'one')), 'relative'],
  ])('are refused: %s', async (_, name, content, words) => {
    await expect(readVocabulary(file(name, content))).rejects.toThrow(words)
  })

  it('have relative URIs if they say of what', async () => {
    const based = `@base <http://y/> .\n${turtle.replaceAll('yso:p3', '<p3>')}`
    expect((await readVocabulary(file('base.ttl', based))).nameOf('http://y/p3')).toBe('first')
    const ours = root(concept('x').replace('http://x/1', 'one')).replace('<rdf:RDF', '<rdf:RDF xml:base="http://y/"')
    expect((await readVocabulary(file('base.rdf', head + ours))).nameOf('http://y/one')).toBe('x')
  })

  it('lead to a vocabulary or a clear error, however they are damaged', async () => {
    const random = new Random(7)
    const samples = [
      ['f.ttl', turtle],
      ['f.rdf', xml],
      ['f.nt', triples],
    ] as const
    for (let i = 0; i < 300; i++) {
      const [name, text] = samples[i % 3] ?? samples[0]
      const bytes = Buffer.from(text)
      for (let change = random.below(4); change >= 0; change--) bytes[random.below(bytes.length)] = random.below(256)
      const damaged = random.below(4) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes
      await readVocabulary(file(name, damaged)).then(
        found => expect(found.size).toBeGreaterThan(0),
        error =>
          expect(error, damaged.toString()).toMatchObject({
            code: expect.stringMatching(/^(BAD_DATA|EMPTY_DATA|UNKNOWN_NAME)$/),
          }),
      )
    }
  }, 60_000)
})
