import { DAY_MS, usdOfUsdc } from '@callboard/values'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { ledgerOf, policyOf, type Settings } from '../settings.ts'

/** What may be spent, and what was spent in the last day. */
export function spendingOf(settings: Settings) {
  const { perCallUsd, perHourUsd, perDayUsd, ...rest } = policyOf(settings)
  const lastDay = ledgerOf(settings)
    .read()
    .filter(({ at }) => Date.now() - at < DAY_MS)
    // Anyone holding a signature can use it.
    .map(({ signed: _, presented: __, ...entry }) => entry)
  const limits = {
    perCallUsd: usdOfUsdc(perCallUsd),
    perHourUsd: usdOfUsdc(perHourUsd),
    perDayUsd: usdOfUsdc(perDayUsd),
  }
  return { policy: { ...limits, ...rest }, lastDay }
}

/** `callboard policy` */
export const policy: Command = {
  usage: 'policy',
  options: {},
  async run({ settings, print }) {
    const spending = spendingOf(settings)
    const { policy: limits, lastDay } = spending
    print.result(spending, [
      `per call ${limits.perCallUsd} USD, per hour ${limits.perHourUsd}, per day ${limits.perDayUsd}`,
      ...lastDay.map(
        ({ at, amount, payTo, state }) =>
          `${new Date(at).toISOString()}  ${usdOfUsdc(BigInt(amount))} USD  ${payTo}  ${state}`,
      ),
    ])
    return EXIT.ok
  },
}
