import { MarginClassifier, NetIndex } from 'vicinal'

// Minutes between two times of day: 23:50 and 00:10 are 20 minutes apart. Model files keep the name, not the function.
const apart = (a: number, b: number) => Math.min(Math.abs(a - b), 1440 - Math.abs(a - b))
const metric = { name: 'minutes apart', distance: apart }

const buses = await NetIndex.fit([23 * 60 + 50, 8 * 60], { metric, ids: ['N1', 'X7'] })
buses.add({ id: 'N2', item: 10 })
for (const { id, distance } of buses.search(5, { k: 2 })) console.log(`${id} is ${distance} minutes away`)

// A classifier compares the vectors or texts of its items.
const hours = (hour: number, label: string) => ({ text: `${hour}:00`, labels: [label] })
const shifts = await MarginClassifier.fit([hours(23, 'night'), hours(1, 'night'), hours(9, 'day'), hours(15, 'day')], {
  ownDistance: { name: 'minutes apart', distance: (a: string, b: string) => apart(minute(a), minute(b)) },
})
function minute(text: string): number {
  const [hour, minutes] = text.split(':').map(Number)
  return 60 * (hour ?? 0) + (minutes ?? 0)
}
console.log(`0:20 is ${shifts.predict('0:20')[0]?.label}`)
