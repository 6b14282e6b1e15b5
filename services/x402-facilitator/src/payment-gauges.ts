import { type ChainClients, clientOf } from '@callboard/evm'
import type { Collectors, Sample } from '@callboard/runtime'
import type { Address, Caip2, Clock } from '@callboard/values'
import { formatEther } from 'viem'
import type { FeeSource } from './chain/fee-source.ts'
import { accountKey, type Windows, windowsAt } from './domain/gas-budget.ts'
import { UNFINISHED_STATES } from './domain/payment-state.ts'
import type { Meters } from './meters.ts'
import { lanesAtWork, paymentBacklog } from './store/backlog.repository.ts'
import { gasUsed } from './store/gas.repository.ts'
import type { FacilitatorDb } from './store/tables.ts'

const CHAIN = { scope: 'chain', subject: '' } as const
const SCOPES = ['payer', 'payee', 'requester', 'owner', 'new_payers', 'new_contracts', 'chain']

interface Watched {
  readonly db: FacilitatorDb
  readonly clients: ChainClients
  readonly networks: readonly Caip2[]
  readonly lanes: () => readonly Address[]
  readonly fees: Pick<FeeSource, 'funded'>
  readonly clock: Clock
  /** Gas of a chain. */
  readonly budget: Windows<number>
}

/** Shows every network from the start, and reads payments and lanes when `/metrics` is scraped. */
export function readPayments(meters: Meters, collectors: Collectors, watched: Watched): void {
  for (const network of watched.networks) showCounters(meters, network)
  collectors.add('x402-facilitator payments', () => openPayments(meters, watched))
  collectors.add('x402-facilitator gas', () => gasOfWindows(meters, watched))
  collectors.add('x402-facilitator lanes', () => lanesInFlight(meters, watched))
  for (const network of watched.networks) {
    collectors.add(`x402-facilitator funded accounts of ${network}`, async () => [
      { gauge: meters.lanesFunded, labels: { network }, value: await watched.fees.funded(network) },
    ])
    collectors.add(`x402-facilitator balances of ${network}`, () => laneBalances(meters, network, watched))
  }
}

/** Creates every series of a network before anything has happened on it. */
function showCounters(meters: Meters, network: Caip2): void {
  const { vanished, preconfirmationsVanished, resent, repriced, lensLost } = meters
  for (const counter of [vanished, preconfirmationsVanished, resent, repriced, lensLost]) counter.inc({ network }, 0)
  for (const outcome of ['settled', 'foreign']) meters.outcomes.inc({ network, outcome }, 0)
  for (const cause of ['batch_failed', 'token_paused']) meters.ownFailures.inc({ network, cause }, 0)
  for (const use of ['settled', 'wasted']) meters.gas.inc({ network, use }, 0)
  for (const scope of SCOPES) meters.gasRefused.inc({ network, scope }, 0)
  meters.legs.zero({ network })
}

async function openPayments(meters: Meters, { db, networks }: Watched): Promise<Sample[]> {
  const rows = await paymentBacklog(db)
  return networks.flatMap((network) =>
    UNFINISHED_STATES.flatMap((state): Sample[] => {
      const row = rows.find((one) => one.network === network && one.state === state)
      const labels = { network, state }
      return [
        { gauge: meters.open, labels, value: row?.payments ?? 0 },
        { gauge: meters.oldestSeconds, labels, value: row?.oldestSeconds ?? 0 },
      ]
    }),
  )
}

/** The spent share of each window's budget. */
async function gasOfWindows(meters: Meters, { db, networks, clock, budget }: Watched): Promise<Sample[]> {
  const from = windowsAt(clock.now())
  const used = networks.map((network) => gasUsed(network, [CHAIN], { from, unknownGas: 0, floor: 0n }).execute(db))
  const rows = await Promise.all(used)
  return networks.flatMap((network, index) => {
    const used = rows[index]?.get(accountKey(CHAIN))
    return (['hour', 'day'] as const).map((window): Sample => {
      const value = (used?.[window].spent ?? 0) / budget[window]
      return { gauge: meters.gasUsedRatio, labels: { network, window }, value }
    })
  })
}

async function lanesInFlight(meters: Meters, { db, networks, lanes }: Watched): Promise<Sample[]> {
  const rows = await lanesAtWork(db)
  const everyLane = networks.flatMap((network) => lanes().map((lane) => ({ network, lane })))
  return everyLane.flatMap(({ network, lane }): Sample[] => {
    const row = rows.find((one) => one.network === network && one.lane === lane)
    const labels = { network, lane }
    return [
      { gauge: meters.laneInFlight, labels, value: row?.inFlight ?? 0 },
      { gauge: meters.laneOldestSeconds, labels, value: row?.oldestSeconds ?? 0 },
    ]
  })
}

const laneBalances = (meters: Meters, network: Caip2, { clients, lanes }: Watched): Promise<Sample[]> =>
  Promise.all(
    lanes().map(async (lane) => {
      const wei = await clientOf(clients, network).getBalance({ address: lane })
      return { gauge: meters.laneBalance, labels: { network, lane }, value: Number(formatEther(wei)) }
    }),
  )
