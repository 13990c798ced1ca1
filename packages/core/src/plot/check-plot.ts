// Refuses what cannot be plotted.

import { checkList } from '../matrix/checks.ts'
import { checkNumber, checkObject, checkText, checkWord } from '../options.ts'
import type { AxisOptions, Plot } from './axis.ts'

export function checkPlot(plot: Plot): void {
  checkObject('plot', plot, 'an object with x, y and series')
  const { title, x, y, series } = plot
  if (title !== undefined) checkText('plot.title', title)
  checkAxis('plot.x', x)
  checkAxis('plot.y', y)
  checkList('plot.series', series, 'a list of series')
  for (const [i, one] of Array.from(series).entries()) {
    checkObject(`plot.series[${i}]`, one, 'an object with name and points')
    checkText(`plot.series[${i}].name`, one.name)
    checkPoints(`plot.series[${i}].points`, one.points)
  }
}

function checkAxis(name: string, axis: AxisOptions): void {
  checkObject(name, axis, 'an object with a label')
  checkText(`${name}.label`, axis.label)
  if (axis.scale !== undefined) checkWord(`${name}.scale`, axis.scale, ['linear', 'log'])
}

function checkPoints(name: string, points: Plot['series'][number]['points']): void {
  checkList(name, points, 'a list of points [x, y]')
  for (const [i, point] of Array.from(points).entries()) {
    checkList(`${name}[${i}]`, point, 'a point [x, y]')
    for (const value of [point[0], point[1]]) checkNumber(`${name}[${i}]`, value, () => true, 'a point of two numbers')
  }
}
