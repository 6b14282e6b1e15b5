import { BusFault } from '@callboard/bus'
import { livenessProber, type ReadFailure } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { OauthCallingContext } from '../context.ts'
import { clientIdUrlProblem } from '../domain/client-id-url.ts'
import { freshForMs, MAX_DOCUMENT_BYTES, readMetadataDocument } from '../domain/metadata-document.ts'
import { clientById, keepDocument } from '../store/client.repository.ts'
import type { DocumentedClient } from './reading.ts'

/**
 * The client whose id is the URL of its metadata document: as last read while that is fresh, then read again. Failures
 * are not cached, and a stale document is not used as a fallback: it may list a redirect URI that has since been
 * removed. Concurrent requests for one client share one read.
 */
export function documentedClient(ctx: OauthCallingContext, id: string): Promise<DocumentedClient> {
  const { reading } = ctx.resources
  const underWay = reading.get(id)
  if (underWay) return underWay
  const begun = freshClient(ctx, id).finally(() => reading.delete(id))
  reading.set(id, begun)
  return begun
}

async function freshClient(ctx: OauthCallingContext, id: string): Promise<DocumentedClient> {
  const problem = clientIdUrlProblem(id, { allowLoopback: ctx.config.CLIENT_DOCUMENT_ALLOW_LOOPBACK })
  if (problem) return unacceptable(`The client_id ${problem}.`)
  const now = ctx.clock.now()
  const kept = await clientById(ctx.db, id)
  if (kept?.fresh_until && kept.fresh_until.getTime() > now) return kept
  const answer = await ask(ctx, id)
  if (isRefusal(answer)) return answer
  const read = readMetadataDocument(id, answer)
  if ('problem' in read) return unacceptable(`The metadata document of the client ${read.problem}.`)
  const document = { id, metadata: read.metadata, now: new Date(now) }
  await keepDocument(ctx.db, { ...document, freshUntil: new Date(now + freshForMs(answer.maxAgeSeconds)) })
  // Another replica may have read it after we did.
  return (await clientById(ctx.db, id)) ?? unreadable('It has been removed in the meantime.')
}

async function ask(ctx: OauthCallingContext, url: string) {
  const answer = await ctx
    .call(livenessProber.readDocument, { url, maxBytes: MAX_DOCUMENT_BYTES })
    .catch((error: unknown) => {
      if (error instanceof BusFault && UNAVAILABLE.has(error.kind)) return unreadable('It cannot be fetched right now.')
      throw error
    })
  if (isRefusal(answer)) return answer
  if (!answer.ok) return LASTING.has(answer.state) ? unacceptable(text(answer.message)) : unreadable(answer.message)
  if (answer.status === 429 || answer.status >= 500) return unreadable(`Its server answers ${answer.status}.`)
  return answer
}

const UNAVAILABLE: ReadonlySet<BusFault['kind']> = new Set([
  'no_responder',
  'overloaded',
  'disconnected',
  'unavailable',
  'deadline',
  'lost',
])

/** Failures that do not go away on their own. */
const LASTING: ReadonlySet<ReadFailure> = new Set(['refused_target', 'too_large'])

const text = (why: string) => `The metadata document of the client cannot be read. ${why}`
const unacceptable = (message: string) => refuse('invalid_request', { field: 'client_id', message })
const unreadable = (why: string) =>
  refuse('temporarily_unavailable', { field: 'client_id', message: text(why), retryAfterSeconds: 5 })
