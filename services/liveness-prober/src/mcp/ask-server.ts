import {
  asPaidWithinMcp,
  type ForeignOffer,
  type ForeignOfferContext,
  isObject,
  readChallenge,
  readToolOffer,
  sampleInput,
} from '@callboard/x402'
import { asksToWait } from '../domain/answer.ts'
import type { GuardedOrigin } from '../guarded-fetch/index.ts'
import { type Asked, type McpSession, openSession } from './session.ts'
import { type ListedTool, nextCursor, soldTools } from './tools.ts'

/** A paid tool, and the offer that an unpaid call of it received. */
export interface ToolOffer {
  readonly tool: ListedTool
  readonly offer: ForeignOffer
}

const MAX_PAGES = 4
/** At most this many tools of one server are asked for their price. */
const MAX_TOOLS = 8

/**
 * Asks a possible MCP server which tools it sells, and calls, without payment and one after another, those that it
 * marks as paid. Whatever is not read in time is left out.
 * @param withinMs for all of it
 * @returns undefined if it is not one
 * @throws the signal's reason if the caller gave up
 */
export async function askServer(
  known: ForeignOfferContext,
  origin: GuardedOrigin,
  url: URL,
  { withinMs, signal }: { readonly withinMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ToolOffer[] | undefined> {
  const over = AbortSignal.timeout(withinMs)
  const offers: ToolOffer[] = []
  let session: McpSession | undefined
  try {
    session = await openSession(origin, url, signal ? AbortSignal.any([signal, over]) : over)
    const sold = session && (await listSold(session))
    if (!session || !sold) return undefined
    for (const tool of sold) {
      const asked = await session.ask('tools/call', { name: tool.name, arguments: argumentsFor(tool) })
      const offer = offerIn(asked, known)
      if (offer) offers.push({ tool, offer })
      if (!asked.fetched.ok || asksToWait(asked.fetched.status)) break
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (!over.aborted) throw error
  } finally {
    // After its caller gave up, the origin must not be called, not even for this.
    if (!signal?.aborted) await session?.end()
  }
  return offers
}

/** @returns undefined if there is no such list */
async function listSold(session: McpSession): Promise<ListedTool[] | undefined> {
  const pages: unknown[] = []
  let cursor: string | undefined
  do {
    const { answer } = await session.ask('tools/list', cursor === undefined ? {} : { cursor })
    pages.push(answer?.result)
    cursor = nextCursor(answer?.result)
  } while (cursor !== undefined && pages.length < MAX_PAGES)
  return pages.some(isObject) ? soldTools(pages).slice(0, MAX_TOOLS) : undefined
}

/** Arguments that the tool's own schema accepts. */
function argumentsFor({ inputSchema }: ListedTool): object {
  const sample: unknown = JSON.parse(sampleInput(inputSchema))
  return isObject(sample) ? sample : {}
}

/** The offer in the protocol's answer, or in a 402 of the transport below it. */
function offerIn({ fetched, answer }: Asked, known: ForeignOfferContext): ForeignOffer | undefined {
  if (answer) return readToolOffer(answer, known)
  const challenge = fetched.ok ? readChallenge(fetched, known) : undefined
  return challenge?.kind === 'x402' ? asPaidWithinMcp(challenge) : undefined
}
