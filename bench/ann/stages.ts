// The stages of a search, and which functions of the kernels belong to each. What the compiler inlined counts where it was inlined.

export interface Stage {
  readonly name: string
  readonly functions: readonly string[]
}

/** What JavaScript does around the kernels, too. */
export const theCall = 'the call: check, copy, look up ids'

export const stages: readonly Stage[] = [
  {
    name: 'sketch the query',
    functions: [
      ...['sketch/sketchQuery', 'sketch/encodeQuery', 'sketch/productsWithAxes', 'sketch/restOf'],
      ...['short-axes/productsWithShortAxes', 'short-axes/shorten'],
      ...['short-axes/largestIn', 'short-axes/relativeLength'],
    ],
  },
  {
    name: 'trees: route and vote',
    functions: [
      ...['search/propose', 'search/vote', 'votes/voteLeaves', 'votes/voteProbes'],
      ...['route/routeQuery', 'route/projectQuery', 'route/walkDown', 'route/routeFour', 'route/descend'],
    ],
  },
  { name: 'walk: read links, mark rows as seen', functions: ['walk/walkLinks'] },
  { name: 'walk: wait for codes, keep the nearest', functions: ['walk/compare', 'walk/keepNearest'] },
  { name: 'walk: compare codes', functions: ['quantized/l2GatherU8'] },
  {
    name: 'exact distances',
    functions: [
      ...['dense/l2Gather', 'dense/dotGather', 'rerank/rankSurvivors', 'rerank/rerank', 'rerank/nearestCodes'],
      ...['select/selectSmallest', 'select/selectLargest', 'top-k/unpack'],
    ],
  },
  {
    name: theCall,
    functions: ['search/forestSearch', 'search/forestScratchBytes', 'search/layOut', 'square/squareOf'],
  },
]

/** The stage of a function of the kernels. Fails for one that is in no stage: the list above must follow the code. */
export function stageOf(name: string): string {
  const stage = stages.find(({ functions }) => functions.includes(name))
  if (!stage) throw new Error(`${name} belongs to no stage: add it to bench/ann/stages.ts`)
  return stage.name
}
