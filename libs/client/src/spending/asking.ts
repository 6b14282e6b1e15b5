import { setTimeout as wait } from 'node:timers/promises'
import { evidenceIn, hasEvidence } from './evidence.ts'

/** The header that carries a payment. */
export const PAYMENT_HEADER = 'payment-signature'

/** The headers of a payment, which nobody but `pay` sets: version 2, and version 1. */
export const PAYMENT_HEADERS: readonly string[] = [PAYMENT_HEADER, 'x-payment']

/** The latest answer, which the stock client hides behind its own error. */
export interface Seen {
  /** A 402 after which no payment was sent. */
  offer?: Response | undefined
  failure?: unknown
}

/**
 * Fetches, and presents a payment again that the seller does not know the outcome of yet: it cannot pay twice.
 * @param presenting is told the header of a payment before it is sent
 */
export const asking =
  (seen: Seen, presenting?: (header: string) => Promise<void>): typeof fetch =>
  async (...asked) => {
    const request = new Request(...asked)
    const payment = request.headers.get(PAYMENT_HEADER)
    const isPaid = payment !== null
    if (isPaid) await presenting?.(payment)
    const end = Date.now() + PATIENCE_MS
    for (;;) {
      const answer = await received(request.clone(), seen)
      const pauseMs = isPaid ? pauseOf(answer) : undefined
      if (pauseMs === undefined || Date.now() + pauseMs > end) return answer
      answer.body?.cancel().catch(() => {})
      await wait(pauseMs, undefined, { signal: request.signal })
    }
  }

async function received(request: Request, seen: Seen): Promise<Response> {
  try {
    const answer = await fetch(request)
    const read = answer.status === 402 ? await beginningOf(answer) : answer
    seen.offer = read.status === 402 ? read.clone() : undefined
    return read
  } catch (error) {
    seen.failure = error
    throw error
  }
}

const PATIENCE_MS = 60_000

/**
 * After how long a payment is presented again: the seller answered 503 with `Retry-After`, and says nothing of the
 * payment, or that it is pending.
 */
function pauseOf(answer: Response): number | undefined {
  const { status, headers } = answer
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const isOpen = status === 503 && (!hasEvidence(answer) || evidenceIn(answer).errorReason === 'settlement_pending')
  return isOpen && seconds >= 0 ? Math.max(1, seconds) * 1_000 : undefined
}

const LONGEST_OFFER_BYTES = 1_000_000

/** A 402 with as much of its body as is read: the stock client would read one without an end. */
async function beginningOf(answer: Response): Promise<Response> {
  const reader = answer.body?.getReader()
  const chunks: Uint8Array[] = []
  for (let bytes = 0; bytes < LONGEST_OFFER_BYTES; bytes += chunks.at(-1)?.length ?? 0) {
    const { value } = (await reader?.read()) ?? {}
    if (!value) break
    chunks.push(value)
  }
  // It is not waited for: a seller may never acknowledge it.
  reader?.cancel().catch(() => {})
  return new Response(Buffer.concat(chunks), { status: answer.status, headers: answer.headers })
}
