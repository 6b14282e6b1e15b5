import { usdOf } from '@callboard/client'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { ledgerOf, policyOf } from '../settings.ts'

const DAY_MS = 86_400_000

/** `callboard policy`: what may be spent, and what was within the last day. */
export const policy: Command = {
  usage: 'policy',
  options: {},
  async run({ settings, print }) {
    const { perCallUsd, perHourUsd, perDayUsd, ...rest } = policyOf(settings)
    const recent = ledgerOf(settings)
      .read()
      .filter(({ at }) => Date.now() - at < DAY_MS)
      // Whoever has a signature can use it.
      .map(({ signed: _, ...entry }) => entry)
    const limits = { perCallUsd: usdOf(perCallUsd), perHourUsd: usdOf(perHourUsd), perDayUsd: usdOf(perDayUsd) }
    print.result({ policy: { ...limits, ...rest }, lastDay: recent }, [
      `per call ${limits.perCallUsd} USD, per hour ${limits.perHourUsd}, per day ${limits.perDayUsd}`,
      ...recent.map(
        ({ at, amount, payTo, state }) =>
          `${new Date(at).toISOString()}  ${usdOf(BigInt(amount))} USD  ${payTo}  ${state}`,
      ),
    ])
    return EXIT.ok
  },
}
