import hnswlib from 'hnswlib-node'

const notes = new hnswlib.HierarchicalNSW('cosine', 3)
notes.initIndex(1000)
const names = ['ferry', 'ice', 'train']
notes.addPoint([1, 0, 0], 0)
notes.addPoint([0.8, 0.6, 0], 1)
notes.addPoint([0, 1, 0], 2)
notes.addPoint([0, 1, 1], 2)
notes.markDelete(1)

const { neighbors, distances } = notes.searchKnn([1, 0.1, 0], 2)
console.log(neighbors.map((label, i) => `${names[label]} ${distances[i].toFixed(3)}`).join(', '))
notes.writeIndexSync(process.argv[2])
