import type { CatalogueEntry } from '@callboard/contract'
import { baseUnits, decimalText, type UsdText } from '@callboard/values'
import { counted } from '../wording.ts'

/** More digits than any sum in USD has: nothing is rounded. */
const USD_DIGITS = 18

type Step = CatalogueEntry['week'][number]
/** Paid calls as the chain shows them, and how many of them show no pattern of invented volume. */
export type Calls = Omit<Step, 'start'>

/** The calls of several steps of a range together. */
export const callsIn = (steps: readonly Step[]): Calls => ({
  calls: steps.reduce((sum, { calls }) => sum + calls, 0),
  volumeUsd: sumOf(steps.map(({ volumeUsd }) => volumeUsd)),
  surviving: {
    count: steps.reduce((sum, { surviving }) => sum + surviving.count, 0),
    volumeUsd: sumOf(steps.map(({ surviving }) => surviving.volumeUsd)),
  },
})

/** One of several shares in whole percent: however it is rounded, it is not all, and not nothing. */
export const percentOf = (share: number): number => Math.min(99, Math.max(1, Math.round(share * 100)))

const sumOf = (amounts: readonly UsdText[]): UsdText =>
  decimalText(
    amounts.reduce((sum, amount) => sum + (baseUnits(amount, USD_DIGITS) ?? 0n), 0n),
    USD_DIGITS,
  )

/** Says what was paid, and what is left without dust and invented volume: a seller can pay itself. */
export function paidCalls({ calls, volumeUsd, surviving }: Calls): string {
  if (calls === 0) return 'none'
  const all = `${counted(calls, 'call')} for ${volumeUsd} USD`
  if (surviving.count === calls) return all
  const left = surviving.count === 0 ? 'none' : `${surviving.count} for ${surviving.volumeUsd} USD`
  return `${all}; without dust and signs of invented volume, ${left}`
}
