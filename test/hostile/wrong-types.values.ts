// Values that no call expects, fresh for every call: some of them are changed by those who look at them.

/** What the hostile ones throw: a call may pass it on, as it is the caller's own error. */
export const callersOwn = new Error("the caller's own")

const throwing = () => {
  throw callersOwn
}

/** Fields that calls are likely to look at, each of which throws. */
const commonFields = ['length', 'rows', 'columns', 'indices', 'values', 'id', 'vector', 'text', 'labels', 'name', 'k']

export const wrongValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => Number.NaN,
  '-1': () => -1,
  '0.5': () => 0.5,
  '2⁵³': () => 2 ** 53,
  '1e300': () => 1e300,
  true: () => true,
  "''": () => '',
  "'text'": () => 'text',
  '[]': () => [],
  '{}': () => ({}),
  '[NaN]': () => [Number.NaN],
  '[[]]': () => [[]],
  '[[1], [2, 3]]': () => [[1], [2, 3]],
  'a hole': () => Object.assign(new Array(2), { 1: 1 }),
  '[null]': () => [null],
  '[Symbol]': () => [Symbol('s')],
  '[[Symbol, 1n]]': () => [[Symbol('s'), 1n]],
  "[{ id: {}, vector: 'x' }]": () => [{ id: {}, vector: 'x', text: 5, labels: 5 }],
  'a wrong length': () => Float32Array.of(1, 2),
  BigInts: () => BigInt64Array.of(1n, 2n),
  '{ length: 1e15 }': () => ({ length: 1e15 }),
  'wrong lists': () => ({ indices: [0.5], values: 'x' }),
  'a Symbol': () => Symbol('s'),
  '1n': () => 1n,
  'a function': () => () => 1,
  'a Date': () => new Date(0),
  'a Map': () => new Map<unknown, unknown>([['a', 'b']]),
  'a Set': () => new Set([{}]),
  'a Promise': () => Promise.resolve(1),
  'a Proxy': () => new Proxy({}, {}),
  'a Proxy that throws': () =>
    new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing }),
  'getters that throw': () =>
    Object.defineProperties(
      {},
      Object.fromEntries(commonFields.map(field => [field, { get: throwing, enumerable: true }])),
    ),
  'no prototype': () => Object.create(null),
  'a toString that throws': () => ({ toString: throwing, valueOf: throwing, toJSON: throwing }),
}
