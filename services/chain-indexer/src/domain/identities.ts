import { type ClaimedUri, MAX_CLAIMED_TAG, MAX_CLAIMED_URI, type ObservedIdentity } from '@callboard/contract'
import { identityRegistryAbi, reputationRegistryAbi } from '@callboard/evm'
import { type Address, type Hex, shownPartOf } from '@callboard/values'
import { decodeEventLog, isAddress } from 'viem/utils'
import type { LogPlace, RawLog } from './chain-data.ts'
import { checksummed } from './checksummed.ts'
import { logsOf, placeOf } from './logs.ts'
import type { Registries } from './registries.ts'

type InBlock = 'network' | 'txHash' | 'logIndex' | 'blockNumber' | 'blockHash' | 'observedAt'
type WithoutPlace<Change> = Change extends unknown ? Omit<Change, InBlock> : never

/** The content of one registry log, without its block. */
export type IdentityChange = WithoutPlace<ObservedIdentity>

/** A change with its log's place and emitter. */
export interface IdentityFact {
  readonly place: LogPlace
  readonly emitter: Address
  readonly change: IdentityChange
}

/**
 * Reads what the logs of a chain's registries say about agents, in chain order. Texts are truncated to the length kept
 * and stripped of what is not shown, including NUL. A log that does not conform to ERC-8004 is ignored.
 * @param registries in any letter case
 */
export const identitiesIn = (logs: readonly RawLog[], { identity, reputation }: Registries): IdentityFact[] =>
  [
    { emitter: identity, read: agentChange },
    { emitter: reputation, read: feedbackChange },
  ]
    .flatMap(({ emitter, read }) =>
      logsOf(logs, emitter).flatMap((log) => {
        const change = unlessMalformed(() => read(log, identity))
        return change ? [{ place: placeOf(log), emitter, change }] : []
      }),
    )
    .toSorted(({ place: a }, { place: b }) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)

function agentChange(log: RawLog, registry: Address): IdentityChange | undefined {
  const { eventName, args } = decodeEventLog({ abi: identityRegistryAbi, ...partsOf(log) })
  if (eventName === 'Transfer')
    return { registry, agentId: String(args.tokenId), change: 'transferred', owner: args.to }
  if (eventName === 'Registered')
    return { ...agent(registry, args), change: 'registered', owner: args.owner, uri: claimedUri(args.agentURI) }
  if (eventName === 'URIUpdated') return { ...agent(registry, args), change: 'uri_set', uri: claimedUri(args.newURI) }
  if (eventName !== 'MetadataSet' || args.metadataKey !== AGENT_WALLET) return undefined
  const wallet = walletIn(args.metadataValue)
  return wallet === undefined ? undefined : { ...agent(registry, args), change: 'wallet_set', wallet }
}

function feedbackChange(log: RawLog, registry: Address): IdentityChange | undefined {
  const { eventName, args } = decodeEventLog({ abi: reputationRegistryAbi, ...partsOf(log) })
  const of = { ...agent(registry, args), client: args.clientAddress, index: String(args.feedbackIndex) }
  if (eventName === 'FeedbackRevoked') return { ...of, change: 'feedback_revoked' }
  if (eventName === 'ResponseAppended') return { ...of, change: 'feedback_answered', responder: args.responder }
  return {
    ...of,
    ...{ change: 'feedback_given', value: String(args.value), decimals: args.valueDecimals },
    ...{ tag1: claimedTag(args.tag1), tag2: claimedTag(args.tag2), uri: claimedUri(args.feedbackURI) },
  }
}

const AGENT_WALLET = 'agentWallet'

const agent = (registry: Address, { agentId }: { readonly agentId: bigint }) => ({ registry, agentId: String(agentId) })

const partsOf = ({ topics, data }: RawLog) => ({ topics: topics as [Hex, ...Hex[]], data: data as Hex })

/** The address in the bytes of `agentWallet`, which viem gives in lower case; null for none, undefined if invalid. */
function walletIn(value: Hex): Address | null | undefined {
  if (value === '0x' || value === ZERO) return null
  return isAddress(value) ? checksummed(value) : undefined
}

const ZERO = '0x0000000000000000000000000000000000000000'

const claimedUri = (uri: string): ClaimedUri => ({
  text: shownStart(uri, MAX_CLAIMED_URI),
  cut: uri.length > MAX_CLAIMED_URI,
})

const claimedTag = (tag: string): string => shownStart(tag, MAX_CLAIMED_TAG)

/**
 * What is shown of the beginning of a text, which may be a whole file in a `data:` URI: it is truncated before anything
 * else, and again once normalized, since that can make it longer. Both cuts come before what is not shown is replaced:
 * Postgres stores no half of a surrogate pair, and a block with one would be read forever.
 */
const shownStart = (text: string, maxLength: number): string =>
  shownPartOf(text.slice(0, maxLength).normalize().slice(0, maxLength), 'line')

/** viem throws for a log that does not match its ABI. */
function unlessMalformed<Change>(read: () => Change | undefined): Change | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
