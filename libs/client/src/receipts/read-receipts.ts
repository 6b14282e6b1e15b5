import type { OutputOf, router } from '@callboard/contract'
import { ApiUnreachable } from '../api.ts'
import { whyUnreachable } from '../unreachable.ts'

type Page = OutputOf<typeof router.receipts>

/** The Router did not return its receipts; the message contains its answer. */
export class NoReceipts extends Error {
  override readonly name = 'NoReceipts'
  /** Of its answer. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const TIMEOUT_MS = 30_000

/**
 * Yields every receipt of a Router key, as JWS, in the order of the chain.
 * @param after the place of the last known receipt
 * @throws NoReceipts where the Router refuses, ApiUnreachable where it does not answer
 */
export async function* readReceipts(baseUrl: string, routerKey: string, after = 0): AsyncGenerator<string> {
  let from = after
  for (;;) {
    const page = await pageAfter(new URL(`/v1/receipts?after=${from}`, baseUrl), routerKey)
    const last = page.data.at(-1)?.receipt.seq
    for (const { jws } of page.data) yield jws
    if (!page.has_more) return
    // A page that leads nowhere would be asked for again without end.
    if (last === undefined || !(last > from)) throw new ApiUnreachable(`${baseUrl} repeats a page of its receipts`)
    from = last
  }
}

async function pageAfter(url: URL, routerKey: string): Promise<Page> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${routerKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new ApiUnreachable(`${url.origin} cannot be reached: ${whyUnreachable(error)}`, { cause: error })
  })
  const body = (await answer.json().catch(() => undefined)) as Page & { error?: { message?: string } }
  if (answer.ok && Array.isArray(body?.data)) return body
  throw new NoReceipts(`The Router answered ${answer.status}: ${body?.error?.message ?? 'no receipts'}`, answer.status)
}
