import { type ChainClients, clientOf } from '@callboard/evm'
import type { Reading, Readings } from '@callboard/runtime'
import type { Address, Caip2 } from '@callboard/values'
import { formatEther } from 'viem'
import { OPEN_STATES, WATCHED_STATES } from './domain/payment-state.ts'
import type { Meters } from './meters.ts'
import { lanesAtWork, unfinishedPayments } from './store/standing.repository.ts'
import type { FacilitatorDb } from './store/tables.ts'

interface Watched {
  readonly db: FacilitatorDb
  readonly clients: ChainClients
  readonly networks: readonly Caip2[]
  readonly lanes: readonly Address[]
}

/** Shows every network from the start, and has payments and lanes read when `/metrics` is asked. */
export function readPayments(meters: Meters, readings: Readings, { db, clients, networks, lanes }: Watched): void {
  for (const network of networks) {
    for (const counter of [meters.vanished, meters.resent, meters.repriced]) counter.inc({ network }, 0)
    for (const outcome of ['settled', 'foreign']) meters.outcomes.inc({ network, outcome }, 0)
    meters.legs.zero({ network })
  }

  readings.add('x402-facilitator payments', async () => {
    const rows = await unfinishedPayments(db)
    const states = [...OPEN_STATES, ...WATCHED_STATES]
    return networks.flatMap((network) =>
      states.flatMap((state): Reading[] => {
        const row = rows.find((one) => one.network === network && one.state === state)
        const labels = { network, state }
        return [
          { gauge: meters.open, labels, value: row?.payments ?? 0 },
          { gauge: meters.oldestSeconds, labels, value: row?.oldestSeconds ?? 0 },
        ]
      }),
    )
  })

  const everyLane = networks.flatMap((network) => lanes.map((lane) => ({ network, lane })))

  readings.add('x402-facilitator lanes', async () => {
    const rows = await lanesAtWork(db)
    return everyLane.flatMap(({ network, lane }): Reading[] => {
      const row = rows.find((one) => one.network === network && one.lane === lane)
      const labels = { network, lane }
      return [
        { gauge: meters.laneInFlight, labels, value: row?.inFlight ?? 0 },
        { gauge: meters.laneOldestSeconds, labels, value: row?.oldestSeconds ?? 0 },
      ]
    })
  })

  for (const network of networks) {
    readings.add(`x402-facilitator balances of ${network}`, () =>
      Promise.all(
        lanes.map(async (lane) => {
          const wei = await clientOf(clients, network).getBalance({ address: lane })
          return { gauge: meters.laneBalance, labels: { network, lane }, value: Number(formatEther(wei)) }
        }),
      ),
    )
  }
}
