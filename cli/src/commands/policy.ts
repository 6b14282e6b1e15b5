import { DAY_MS, usdOfUsdc } from '@callboard/values'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { ledgerOf, policyOf } from '../settings.ts'

/** `callboard policy`: what may be spent, and what was spent in the last day. */
export const policy: Command = {
  usage: 'policy',
  options: {},
  async run({ settings, print }) {
    const { perCallUsd, perHourUsd, perDayUsd, ...rest } = policyOf(settings)
    const recent = ledgerOf(settings)
      .read()
      .filter(({ at }) => Date.now() - at < DAY_MS)
      // Anyone holding a signature can use it.
      .map(({ signed: _, presented: __, ...entry }) => entry)
    const limits = {
      perCallUsd: usdOfUsdc(perCallUsd),
      perHourUsd: usdOfUsdc(perHourUsd),
      perDayUsd: usdOfUsdc(perDayUsd),
    }
    print.result({ policy: { ...limits, ...rest }, lastDay: recent }, [
      `per call ${limits.perCallUsd} USD, per hour ${limits.perHourUsd}, per day ${limits.perDayUsd}`,
      ...recent.map(
        ({ at, amount, payTo, state }) =>
          `${new Date(at).toISOString()}  ${usdOfUsdc(BigInt(amount))} USD  ${payTo}  ${state}`,
      ),
    ])
    return EXIT.ok
  },
}
