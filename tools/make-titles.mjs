// Makes the bundled data set (data/titles-*.tsv.gz, data/subjects.tsv): a sample of real library titles with subjects.
// The same sources give the same lines: every choice is made by a hash, never by chance or by the order of lines.
//
//   node tools/make-titles.mjs --source <titles.tsv.gz> --names <subjects.tsv> [--out data]
//
// --source has lines `title<TAB>p123 p456`, --names lines `p123<TAB>name`.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'

const sampleSize = 60_000
const subjectCount = 3_000
const testShare = 0.1
const fewestTrainTitles = 5
const [shortestTitle, longestTitle] = [10, 150]
// Titles with this many subjects or more are one group when the sample is drawn.
const manySubjects = 8

const { values: args } = parseArgs({
  options: { source: { type: 'string' }, names: { type: 'string' }, out: { type: 'string', default: 'data' } },
})
if (!args.source || !args.names) {
  console.error('usage: node tools/make-titles.mjs --source <titles.tsv.gz> --names <subjects.tsv> [--out data]')
  process.exit(2)
}

const all = readTitles(args.source)
const usable = dropRepeated(all.filter(({ title }) => title.length >= shortestTitle && title.length <= longestTitle))
const subjects = new Set(mostFrequentSubjects(usable, subjectCount))
const whole = usable.filter(title => title.subjects.every(subject => subjects.has(subject)))
const titles = dropRareSubjects(drawSample(whole, shareBySubjects(all)))
writeAll(titles, readNames(args.names), args.out)

function readTitles(path) {
  return lines(gunzipSync(readFileSync(path))).map(line => {
    const [title, subjects] = line.split('\t')
    return {
      title,
      subjects: subjects.split(' '),
      rank: hash('sample', title),
      test: Number.parseInt(hash('split', title).slice(0, 8), 16) < testShare * 2 ** 32,
    }
  })
}

function readNames(path) {
  return new Map(lines(readFileSync(path)).map(line => line.split('\t')))
}

function lines(bytes) {
  return bytes.toString('utf8').split('\n').filter(Boolean)
}

function hash(purpose, text) {
  return createHash('sha256').update(`${purpose}:${text}`).digest('hex')
}

/** One title of those that differ only in case, spaces and punctuation: else test titles would be in train too. */
function dropRepeated(titles) {
  const byLetters = new Map()
  for (const title of [...titles].sort(byRank)) {
    const letters = title.title
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
    if (!byLetters.has(letters)) byLetters.set(letters, title)
  }
  return [...byLetters.values()]
}

function mostFrequentSubjects(titles, count) {
  const frequencies = [...countSubjects(titles)]
  frequencies.sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
  return frequencies.slice(0, count).map(([subject]) => subject)
}

function countSubjects(titles) {
  const counts = new Map()
  for (const { subjects } of titles) {
    for (const subject of subjects) counts.set(subject, (counts.get(subject) ?? 0) + 1)
  }
  return counts
}

/** Which share of the titles has one subject, two, three … */
function shareBySubjects(titles) {
  const shares = new Array(manySubjects + 1).fill(0)
  for (const { subjects } of titles) shares[groupOf(subjects)] += 1 / titles.length
  return shares
}

function groupOf(subjects) {
  return Math.min(subjects.length, manySubjects)
}

/**
 * Titles with many subjects are rarer among those whose subjects are all in the choice; the sample gives them back
 * their share, as far as there are enough, and fills up with titles of fewer subjects.
 */
function drawSample(titles, shares) {
  const groups = shares.map((_, size) => titles.filter(({ subjects }) => groupOf(subjects) === size).sort(byRank))
  const sample = []
  let missing = 0
  for (let size = groups.length - 1; size > 0; size--) {
    const wanted = Math.round(shares[size] * sampleSize) + missing
    const drawn = groups[size].slice(0, wanted)
    missing = wanted - drawn.length
    sample.push(...drawn)
  }
  return sample.sort(byRank)
}

function byRank(a, b) {
  return a.rank < b.rank ? -1 : 1
}

/** Drops the titles of subjects with too few titles to learn from, until there are none. */
function dropRareSubjects(titles) {
  const counts = countSubjects(titles.filter(({ test }) => !test))
  const kept = titles.filter(({ subjects }) => subjects.every(subject => counts.get(subject) >= fewestTrainTitles))
  return kept.length === titles.length ? kept : dropRareSubjects(kept)
}

function writeAll(titles, names, folder) {
  const uri = subject => `<http://www.yso.fi/onto/yso/${subject}>`
  const format = ({ title, subjects }) => `${title}\t${subjects.map(uri).join(' ')}\n`
  const used = [...countSubjects(titles).keys()].sort((a, b) => a.slice(1) - b.slice(1))
  const files = {
    'titles-train.tsv.gz': gzipSync(
      titles
        .filter(({ test }) => !test)
        .map(format)
        .join(''),
      { level: 9 },
    ),
    'titles-test.tsv.gz': gzipSync(
      titles
        .filter(({ test }) => test)
        .map(format)
        .join(''),
      { level: 9 },
    ),
    'subjects.tsv': Buffer.from(used.map(subject => `${uri(subject)}\t${names.get(subject)}\n`).join('')),
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  report(titles, files)
}

function report(titles, files) {
  const train = titles.filter(({ test }) => !test)
  const trainCounts = [...countSubjects(train).values()].sort((a, b) => a - b)
  const uses = trainCounts.reduce((sum, count) => sum + count, 0)
  const bytes = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, content.length]))
  console.log({
    train: train.length,
    test: titles.length - train.length,
    subjects: trainCounts.length,
    subjectsPerTrainTitle: Number((uses / train.length).toFixed(2)),
    trainTitlesPerSubject: [trainCounts[0], trainCounts[trainCounts.length >> 1], trainCounts.at(-1)],
    bytes,
  })
}
