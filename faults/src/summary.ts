import type { Outcome } from './walk.ts'

/** The end of a walk: in words, and whether it was whole and everything held. */
export interface Summary {
  readonly said: string
  readonly isGood: boolean
}

/** @param chosen how many faults were to be walked: a walk that a signal ends early has proved nothing of the rest */
export function summaryOf(outcomes: readonly Outcome[], chosen: number): Summary {
  const broken = outcomes.filter((outcome) => outcome.broken.length > 0).length
  const leftOut = outcomes.filter(({ impossible }) => impossible !== undefined).length
  const notWalked = chosen - outcomes.length
  const counts = [`${outcomes.length - broken - leftOut} held`, `${broken} broken`]
  if (leftOut > 0) counts.push(`${leftOut} left out`)
  if (notWalked > 0) counts.push(`${notWalked} not walked`)
  return { said: counts.join(', '), isGood: broken === 0 && notWalked === 0 }
}
