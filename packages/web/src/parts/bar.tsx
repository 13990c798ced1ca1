// A share as a bar. The number stands beside it, so readers of the screen need only that.

export function Bar({ share }: { share: number }) {
  const bounded = Math.max(0, Math.min(1, share))
  return <span class="bar" aria-hidden="true" style={{ '--share': bounded }} />
}
