import { isObject, own, readJson } from '../json.ts'
import { V1_NETWORKS } from '../messages/v1-networks.ts'
import { type ForeignOffer, type ForeignOfferContext, readForeignOffer } from './foreign-offer.ts'
import { unless } from './stock-client.ts'

/** An MCP server's answer to an unpaid `tools/call`: the members of a JSON-RPC 2.0 response. */
export interface ToolAnswer {
  readonly result?: unknown
  readonly error?: unknown
}

/** The code of an error whose data is an offer. @source x402 v1 specification, MCP transport */
const PAYMENT_REQUIRED_CODE = 402

/**
 * Reads the offer of an MCP tool. Only a result marked as an error counts: others may contain offers as their data.
 * Clients of HTTP endpoints can pay none of its entries, and sound ones give that as the reason.
 * @returns undefined where nothing is asked for
 * @source x402 v2 specification, MCP transport: `structuredContent`, or as text; `_meta["x402/error"]` is Cloudflare's
 */
export function readToolOffer(
  answer: ToolAnswer,
  context: Partial<ForeignOfferContext> = {},
): ForeignOffer | undefined {
  const offer = placesOf(answer).find(
    (place): place is Record<string, unknown> => isObject(place) && 'accepts' in place,
  )
  return offer && asPaidWithinMcp(readForeignOffer(offer, { networks: V1_NETWORKS, tokens: [], ...context }))
}

/** Marks the entries of an offer as payable by MCP clients only. */
export const asPaidWithinMcp = <Offer extends Pick<ForeignOffer, 'payability'>>(offer: Offer): Offer => ({
  ...offer,
  payability: offer.payability.map((verdict) => unless(verdict, 'mcp')),
})

/** The places where an offer may be, the specification's own first. */
function placesOf({ result, error }: ToolAnswer): unknown[] {
  if (isObject(error)) return error.code === PAYMENT_REQUIRED_CODE ? [error.data] : []
  if (!isObject(result) || result.isError !== true) return []
  return [
    result.structuredContent,
    firstTextOf(result.content),
    isObject(result._meta) ? own(result._meta, 'x402/error') : undefined,
  ]
}

/** The first block of a content as JSON; undefined where it is not text, or not JSON. */
function firstTextOf(content: unknown): unknown {
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  const read = isObject(first) && typeof first.text === 'string' ? readJson(first.text, 'finite') : undefined
  return read?.ok ? read.value : undefined
}
