import { z } from 'zod'
import { IN_BLOCK } from './token-events.ts'
import { Address } from './words.ts'

/** The most characters stored of a URI that an agent or a client names. */
export const MAX_CLAIMED_URI = 2_048
/** The most characters stored of a tag. */
export const MAX_CLAIMED_TAG = 64

/** An unsigned number of a registry, as decimal text: agent ids have up to 78 digits. */
export const RegistryNumber = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, 'must be a whole number')

/** Text that an account wrote into a registry, without characters that are not shown; `cut` where it was longer. */
export const ClaimedUri = z.object({ text: z.string().max(MAX_CLAIMED_URI), cut: z.boolean() })
export type ClaimedUri = z.output<typeof ClaimedUri>

const Tag = z.string().max(MAX_CLAIMED_TAG)

/** What every log of the two registries says: the agent it is about. */
const OF_AGENT = {
  ...IN_BLOCK,
  /** The identity registry that issued the agent's token, even where the reputation registry logged the event. */
  registry: Address,
  agentId: RegistryNumber,
}

/** Identifies one feedback entry of a client on an agent. */
const OF_FEEDBACK = { ...OF_AGENT, client: Address, index: RegistryNumber }

/**
 * One log of an ERC-8004 identity or reputation registry. Every text in it is its author's claim.
 * @source ERC-8004: Registered, Transfer, URIUpdated, MetadataSet of `agentWallet`, NewFeedback, FeedbackRevoked,
 *   ResponseAppended
 */
export const ObservedIdentity = z.discriminatedUnion('change', [
  z.object({ ...OF_AGENT, change: z.literal('registered'), owner: Address, uri: ClaimedUri }),
  z.object({ ...OF_AGENT, change: z.literal('transferred'), owner: Address }),
  z.object({ ...OF_AGENT, change: z.literal('uri_set'), uri: ClaimedUri }),
  /** Null: the agent has no wallet from here on. */
  z.object({ ...OF_AGENT, change: z.literal('wallet_set'), wallet: Address.nullable() }),
  z.object({
    ...OF_FEEDBACK,
    change: z.literal('feedback_given'),
    /** An int128 as decimal text; its last `decimals` digits are the fraction. */
    value: z.string().regex(/^(0|-?[1-9][0-9]{0,38})$/),
    decimals: z.number().int().min(0).max(255),
    tag1: Tag,
    tag2: Tag,
    uri: ClaimedUri,
  }),
  z.object({ ...OF_FEEDBACK, change: z.literal('feedback_revoked') }),
  z.object({ ...OF_FEEDBACK, change: z.literal('feedback_answered'), responder: Address }),
])
export type ObservedIdentity = z.output<typeof ObservedIdentity>
