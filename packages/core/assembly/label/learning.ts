// Addresses of the numbers that weight learning works on.

import { Candidate, Feature, Learning, Moving } from '../blocks/weights'

// @ts-ignore: decorator
@inline
export function featureAt(work: Learning, i: u32): Feature {
  return changetype<Feature>(work.columns + <usize>i * offsetof<Feature>())
}

// @ts-ignore: decorator
@inline
export function movingAt(work: Learning, i: u32): Moving {
  return changetype<Moving>(work.moving + <usize>i * offsetof<Moving>())
}

// @ts-ignore: decorator
@inline
export function candidateAt(work: Learning, i: u32): Candidate {
  return changetype<Candidate>(work.near + <usize>i * offsetof<Candidate>())
}
