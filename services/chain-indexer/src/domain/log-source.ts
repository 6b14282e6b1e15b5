import type { Address, Hex } from '@callboard/values'
import type { RawLog } from './chain-data.ts'
import type { Registries } from './registries.ts'
import {
  AGENT_WALLET,
  AUTHORIZATION_USED,
  BURNED,
  FEEDBACK_REVOKED,
  METADATA_SET,
  NEW_FEEDBACK,
  REGISTERED,
  RESPONSE_APPENDED,
  SPLITTER_CREATED,
  STAKED,
  TRANSFER,
  UNSTAKED,
  URI_UPDATED,
} from './topics.ts'

/** A contract and those of its logs that are read. */
export interface LogSource {
  readonly emitter: Address
  readonly topics: readonly Hex[]
}

export const tokenSource = (emitter: Address): LogSource => ({ emitter, topics: [TRANSFER, AUTHORIZATION_USED] })
export const stakeSource = (emitter: Address): LogSource => ({ emitter, topics: [STAKED, UNSTAKED] })
export const burnSource = (emitter: Address): LogSource => ({ emitter, topics: [BURNED] })

export const splitterSource = (emitter: Address): LogSource => ({ emitter, topics: [SPLITTER_CREATED] })
export const supplySource = (emitter: Address): LogSource => ({ emitter, topics: [TRANSFER] })

export const identitySources = ({ identity, reputation }: Registries): readonly LogSource[] => [
  { emitter: identity, topics: [REGISTERED, TRANSFER, URI_UPDATED, METADATA_SET] },
  { emitter: reputation, topics: [NEW_FEEDBACK, FEEDBACK_REVOKED, RESPONSE_APPENDED] },
]

/** One `eth_getLogs` filter for all sources. Contracts do not log each other's events, so it matches few too many. */
export const filterOf = (sources: readonly LogSource[]) => ({
  address: sources.map(({ emitter }) => emitter),
  topics: [[...new Set(sources.flatMap(({ topics }) => topics))]],
})

/** One kind of log of one contract, as `eth_getLogs` takes it. */
export interface LogPart {
  readonly filter: { readonly address: Address; readonly topics: readonly (readonly Hex[] | null)[] }
  /** Whether it only claims something, in texts of any length: whoever pays for a block decides how much. */
  readonly isClaim: boolean
}

const CLAIMS: ReadonlySet<Hex> = new Set([REGISTERED, URI_UPDATED, NEW_FEEDBACK, RESPONSE_APPENDED])

/** The same logs kind by kind. Of metadata only what is read, since other keys may have values of any length. */
export const partsOf = (sources: readonly LogSource[]): LogPart[] =>
  sources.flatMap(({ emitter: address, topics }) =>
    topics.map((topic) => ({
      filter: { address, topics: topic === METADATA_SET ? [[topic], null, [AGENT_WALLET]] : [[topic]] },
      isClaim: CLAIMS.has(topic),
    })),
  )

/** Whether a log belongs to one of the sources. */
export function logTest(sources: readonly LogSource[]): (log: RawLog) => boolean {
  const topicsOf = new Map(sources.map(({ emitter, topics }) => [emitter.toLowerCase(), new Set<string>(topics)]))
  return ({ address, topics: [topic = ''] }) => topicsOf.get(address)?.has(topic) ?? false
}
