import { DAY_MS } from '@callboard/values'

/**
 * A listing's recent paid usage: its own calls of 30 UTC days, including today, without those that show a pattern of
 * invented volume. It changes in steps, so that not every payment reorders a page.
 */
export interface Usage {
  /** Exact up to 99, then rounded down to two digits. */
  readonly calls: number
  /** 0 to `MOST_VOLUME_RANK`: one for the first dollar, and one more each time the volume doubles. */
  readonly volumeRank: number
}

export const NO_USAGE: Usage = { calls: 0, volumeRank: 0 }

const USAGE_DAYS = 30

export const MOST_VOLUME_RANK = 10

/** The start of the first day that counts. */
export const usedSince = (nowMs: number): Date =>
  new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - (USAGE_DAYS - 1) * DAY_MS)

/** @param volumeUsd decimal text */
export function usageOf({ calls, volumeUsd }: { readonly calls: number; readonly volumeUsd: string }): Usage {
  const [dollars = '0'] = volumeUsd.split('.')
  const whole = BigInt(dollars)
  const doublings = whole > 0n ? whole.toString(2).length : 0
  return { calls: inSteps(Math.max(0, calls)), volumeRank: Math.min(MOST_VOLUME_RANK, doublings) }
}

/** The number of calls in readable form; `undefined` if there are none. */
export const callsText = ({ calls }: Pick<Usage, 'calls'>): string | undefined =>
  calls === 0 ? undefined : `${calls.toLocaleString('en-US')}${calls < EXACT_BELOW ? '' : '+'} in 30 days`

const EXACT_BELOW = 100

function inSteps(calls: number): number {
  const step = calls < EXACT_BELOW ? 1 : 10 ** (String(Math.trunc(calls)).length - 2)
  return calls - (calls % step)
}
