import type { Hex } from '@callboard/values'
import { digestOf, type WrittenRead } from './block-read.ts'

/** Height, hash and parent hash. */
export interface CertifiedBlock {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
}

/** Proof that every block of a range was read: the stored reads, and the blocks between the ends of ranges. */
export interface Certificate {
  readonly format: 'callboard-certificate/1'
  readonly network: string
  readonly from: number
  readonly to: number
  readonly reads: readonly WrittenRead[]
  /** Blocks inside ranges, requested when the certificate was made: their parent hashes link the ranges' ends. */
  readonly inner: readonly CertifiedBlock[]
}

/** The result of checking a certificate, or the first contradiction in it. */
export type Finding =
  | {
      readonly holds: true
      readonly blocks: readonly (CertifiedBlock & { readonly endpoint: string })[]
      readonly digest: string
    }
  | { readonly holds: false; readonly because: string }

/**
 * Checks a certificate on its own: its digests form a chain, its reads are contiguous, and every block of the range
 * names the previous one as its parent. A read that begins at or below the end of the last one is a reorganization.
 * @param digest a digest noted earlier that must be among its reads: the reads up to it cannot have been changed since
 */
export function checked({ network, from, to, reads, inner }: Certificate, digest?: string): Finding {
  const between = new Map(inner.map((block) => [block.number, block]))
  const chain = new Map<number, CertifiedBlock & { endpoint: string }>()
  let top: number | undefined
  for (const [at, read] of reads.entries()) {
    const before = reads[at - 1]
    if (digestOf(network, read) !== read.digest)
      return against(`the digest of read ${read.place} is not that of what it says`)
    if (before && (read.previous !== before.digest || read.place !== before.place + 1))
      return against(`read ${read.place} does not follow read ${before.place}`)
    if (top !== undefined && read.from > top + 1) return against(`blocks ${top + 1} to ${read.from - 1} were not read`)
    const parent = chain.get(read.from - 1)
    if (parent && parent.hash !== read.parentHash)
      return against(`block ${read.from} does not follow block ${read.from - 1} as it was read`)
    for (let gone = read.from; top !== undefined && gone <= top; gone += 1) chain.delete(gone)
    const blocks = blocksOf(read, between)
    if (typeof blocks === 'string') return against(blocks)
    for (const block of blocks) chain.set(block.number, { ...block, endpoint: read.endpoint })
    top = read.to
  }
  if (digest !== undefined && !reads.some((read) => read.digest === digest))
    return against('the noted digest is of none of its reads')
  const blocks: (CertifiedBlock & { endpoint: string })[] = []
  for (let number = from; number <= to; number += 1) {
    const block = chain.get(number)
    if (!block) return against(`block ${number} was not read`)
    blocks.push(block)
  }
  return { holds: true, blocks, digest: reads.at(-1)?.digest ?? '' }
}

const against = (because: string): Finding => ({ holds: false, because })

/** The blocks of one read, linked from its parent to its last hash; a sentence where they do not link. */
function blocksOf(read: WrittenRead, inner: ReadonlyMap<number, CertifiedBlock>): CertifiedBlock[] | string {
  const count = read.to - read.from + 1
  if (count < 1 || read.hashes.length !== (read.how === 'block' ? count : Math.min(2, count)))
    return `read ${read.place} has not the hashes of its blocks`
  const blocks: CertifiedBlock[] = []
  let parentHash = read.parentHash
  for (let number = read.from; number <= read.to; number += 1) {
    const known = knownHash(read, number)
    const block = inner.get(number)
    const hash = known ?? block?.hash
    if (hash === undefined) return `block ${number} was read as one of a range, and its hash is not told`
    const isOther = block !== undefined && known === undefined && block.parentHash !== parentHash
    if (isOther) return `block ${number} does not follow block ${number - 1}`
    blocks.push({ number, hash, parentHash })
    parentHash = hash
  }
  const last = inner.get(read.to)
  const isLed = last?.hash === read.hashes.at(-1) && last?.parentHash === blocks.at(-2)?.hash
  if (read.how === 'range' && count > 1 && !isLed) return `block ${read.to} does not follow block ${read.to - 1}`
  return blocks
}

function knownHash({ how, from, to, hashes }: WrittenRead, number: number): Hex | undefined {
  if (how === 'block') return hashes[number - from]
  return number === from ? hashes[0] : number === to ? hashes.at(-1) : undefined
}

/** The heights whose headers a certificate of these reads needs in addition to the stored ones. */
export const innerHeights = (reads: readonly WrittenRead[]): number[] =>
  reads.flatMap(({ how, from, to }) =>
    how === 'range' && to > from ? Array.from({ length: to - from }, (_, at) => from + 1 + at) : [],
  )
