// A vector of s × s numbers as a picture of gray pixels.

import { useEffect, useRef } from 'preact/hooks'

/** The side of the picture that a vector can be; undefined if it is none: not a square, or with numbers below 0, as embeddings have. */
export function sideOf(vector: readonly number[] | undefined): number | undefined {
  const side = Math.sqrt(vector?.length ?? 0)
  return vector && Number.isInteger(side) && side >= 8 && vector.every(value => value >= 0) ? side : undefined
}

export function Picture({ vector, name }: { vector: readonly number[]; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const side = sideOf(vector) ?? 1
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const image = context.createImageData(side, side)
    const most = Math.max(...vector, 1e-9)
    vector.forEach((value, i) => {
      const gray = Math.round((255 * value) / most)
      image.data.set([gray, gray, gray, 255], 4 * i)
    })
    context.putImageData(image, 0, 0)
  }, [vector, side])
  return <canvas ref={canvas} class="picture" width={side} height={side} role="img" aria-label={name} />
}
