import { until } from '@callboard/testkit/until'
import { type Fault, PATIENCE_MS, seconds } from './fault.ts'

const HOOK = import.meta.resolve('@callboard/testkit/kill-at-failpoint')

/**
 * The failpoints that every settlement passes; others need a misbehaving chain, and are in the facilitator's tests. `2`
 * payments mean a batch.
 */
const FAILPOINTS = [
  ['claimed', 1],
  ['chosen', 1],
  ['stored', 1],
  ['sent', 1],
  ['seen', 1],
  ['settled', 1],
  ['finalized', 1],
  ['chosen', 2],
  ['stored', 2],
  ['sent', 2],
] as const

const BURST = 40
const BURSTS = 5

export const settlement: readonly Fault[] = FAILPOINTS.map(([failpoint, payments]) => ({
  name: `kill -9 of a facilitator at “${failpoint}”${payments > 1 ? ' of a batch' : ''}`,
  how: 'a replica sends itself SIGKILL when a settlement reaches that failpoint, and is then started again',
  mustHold: 'the payment reaches one outcome, at the other replica or after the start',
  async inject({ cluster, load, random }) {
    const member = random.pick(cluster.of('x402-facilitator'))
    await member.end()
    const env = {
      NODE_OPTIONS: `--import ${HOOK}`,
      FAILPOINT: `x402-facilitator:${failpoint}`,
      FAILPOINT_ITEMS: String(payments),
    }
    // It may reach the failpoint before it is ready.
    await member.start(env).catch(() => {})
    const bursts: Promise<void>[] = []
    await until(
      'it comes to the failpoint',
      async () => {
        // Payments share a transaction when many arrive at once.
        if (payments > 1 && bursts.length < BURSTS) bursts.push(load.burst(BURST))
        await seconds(1)
        return !member.running
      },
      PATIENCE_MS,
    )
    if (member.endedBy !== 'SIGKILL') throw new Error('It ended before it came to the failpoint')
    await member.start()
    await Promise.all(bursts)
  },
}))
