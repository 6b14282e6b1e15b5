import { livenessProber, SOURCE_DOCUMENT_BYTES, type SourceKind } from '@callboard/contract'
import type { Calling } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import type { Callee } from '../context.ts'
import { NotThatDocument, readDocumentOf, type Told } from '../domain/mirror/documents/index.ts'

/** The result of reading one document of a source. */
export type Page =
  | { readonly state: 'read'; readonly told: Told }
  | { readonly state: 'too_large' }
  /** In words, and how long the source asks us to wait. */
  | { readonly state: 'failed'; readonly problem: string; readonly waitMs: number }

/** Reads one document of a source through the prober, and parses it. */
export async function readPage({ call }: Calling<Callee>, kind: SourceKind, url: URL): Promise<Page> {
  const answer = await call(livenessProber.readSource, { url: url.href, maxBytes: SOURCE_DOCUMENT_BYTES })
  const failed = (problem: string, waitMs = 0): Page => ({
    state: 'failed',
    problem: `${url.href}: ${problem}`,
    waitMs,
  })
  if (isRefusal(answer)) return failed(`The prober refused: ${answer.refusal}.`)
  if (!answer.ok) return answer.state === 'too_large' ? { state: 'too_large' } : failed(answer.message)
  if (answer.status !== 200) return failed(`It answers ${answer.status}.`, answer.retryAfterMs ?? 0)
  try {
    return { state: 'read', told: readDocumentOf(kind, answer.text, url) }
  } catch (error) {
    if (error instanceof NotThatDocument) return failed(error.message)
    throw error
  }
}
