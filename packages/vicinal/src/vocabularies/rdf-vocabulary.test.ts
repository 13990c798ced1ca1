import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readVocabulary } from 'vicinal'
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
