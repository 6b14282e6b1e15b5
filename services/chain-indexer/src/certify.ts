import type { Caip2 } from '@callboard/values'
import type { IndexerContext } from './context.ts'
import { type Certificate, checked, innerHeights } from './domain/certificate.ts'
import type { BlockHeader } from './domain/chain-data.ts'
import type { Provider } from './rpc/provider.ts'
import { readsOf } from './store/block-read.repository.ts'

/** Headers requested at once. */
const AT_ONCE = 500

/**
 * Makes the certificate of a range of blocks. Blocks inside ranges of history were not read by hash: their headers are
 * requested now, from the first endpoint whose headers link the range's ends.
 * @throws Error that says what is missing
 */
export async function certify(ctx: IndexerContext, network: Caip2, from: number, to: number): Promise<Certificate> {
  const followed = ctx.resources.followed.find(({ chain }) => chain.network === network)
  if (!followed) throw new Error(`${network} is not followed`)
  const reads = await readsOf(ctx.db, network, from, to)
  const heights = innerHeights(reads)
  let because =
    reads.length === 0
      ? `blocks ${from} to ${to} were not read since reads are written down`
      : 'no endpoint can be asked for the blocks inside the ranges that were read'
  for (const provider of heights.length > 0 ? followed.providers.awake() : [undefined]) {
    const inner = provider ? await headersAt(provider, heights).catch(() => []) : []
    const plain = inner.map(({ number, hash, parentHash }) => ({ number, hash, parentHash }))
    const certificate: Certificate = { format: 'callboard-certificate/1', network, from, to, reads, inner: plain }
    const finding = checked(certificate)
    if (finding.holds) return certificate
    because = finding.because
  }
  throw new Error(because)
}

async function headersAt(provider: Provider, heights: readonly number[]): Promise<BlockHeader[]> {
  const headers: BlockHeader[] = []
  const never = new AbortController().signal
  for (let at = 0; at < heights.length; at += AT_ONCE)
    headers.push(...(await provider.headers(heights.slice(at, at + AT_ONCE), never)))
  return headers
}
