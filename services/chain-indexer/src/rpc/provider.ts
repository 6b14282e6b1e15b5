import { ChainProof, type ChainWatch, endpointLabel, ForeignChain } from '@callboard/evm'
import type { Hex } from '@callboard/values'
import type { BlockHeader, RawLog, Submission } from '../domain/chain-data.ts'
import { filterOf, type LogPart, type LogSource, logTest } from '../domain/log-source.ts'
import { firstRange, type RangeSize } from '../domain/ranges.ts'
import type { View } from '../domain/sync-status.ts'
import type { EndpointSettings } from './endpoint-settings.ts'
import { callAll, type RpcCall } from './json-rpc.ts'
import { garbage, ProviderError, type ProviderFault } from './provider-error.ts'
import { readHeader, readLogs, readReceiptLogs, readSubmission } from './reading.ts'

const hex = (number: number): Hex => `0x${number.toString(16)}`

/** Faults that do not imply that another node may answer next. */
const ANSWERED: readonly ProviderFault[] = ['refused', 'rate_limited', 'too_large', 'foreign']

/**
 * One JSON-RPC endpoint of a chain, in the indexer's terms. It proves its chain id before it is asked anything, and all
 * its answers are validated.
 */
export class Provider {
  /** Its position in the settings and its host: safe to log. */
  readonly label: string
  readonly #endpoint: EndpointSettings
  /** Excludes Arc's system emitter, which repeats every transfer: only the sources' own logs are requested. */
  readonly #filter: ReturnType<typeof filterOf>
  readonly #isOfSource: ReturnType<typeof logTest>
  readonly #proof: ChainProof
  /** How many blocks it accepts per request. */
  range: RangeSize = firstRange

  constructor(
    place: number,
    endpoint: EndpointSettings,
    { chainId, sources }: { readonly chainId: number; readonly sources: readonly LogSource[] },
    watch?: ChainWatch['endpoint'],
  ) {
    this.label = endpointLabel(place, endpoint.url)
    this.#endpoint = endpoint
    this.#filter = filterOf(sources)
    this.#isOfSource = logTest(sources)
    this.#proof = new ChainProof({ network: endpoint.network, chainId, endpoint: this.label }, watch)
  }

  /**
   * Asks for the chain id now, ignoring any earlier proof: another chain's answer must never revert anything.
   * @throws ProviderError `foreign`
   */
  async proveChain(signal: AbortSignal): Promise<void> {
    await this.#proven(() => this.#proof.holdAnew(this.#askChainId(signal)))
  }

  /** Reads its newest block and the one at a height, in one round trip. */
  async view(height: number, signal: AbortSignal): Promise<View> {
    const asked = ['latest', hex(height)].map((block) => ({ method: 'eth_getBlockByNumber', params: [block, false] }))
    const [head, atCursor] = (await this.#call(asked, signal)).map(readHeader)
    if (!head || (atCursor && atCursor.number !== height)) throw garbage('the block that was asked for')
    return { head, atCursor }
  }

  /** Reads the headers at these heights, in order. @throws ProviderError when one is missing or at another height */
  async headers(heights: readonly number[], signal: AbortSignal): Promise<BlockHeader[]> {
    const headers = await this.leadingHeaders(heights, signal)
    if (headers.length === heights.length) return headers
    throw new ProviderError('inconsistent', `block ${heights[headers.length]} is missing`)
  }

  /** The same, up to the first that is missing: an endpoint may name a head that it does not have. */
  async leadingHeaders(heights: readonly number[], signal: AbortSignal): Promise<BlockHeader[]> {
    const asked = heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [hex(height), false] }))
    const headers: BlockHeader[] = []
    for (const [at, answer] of (await this.#call(asked, signal)).entries()) {
      const header = readHeader(answer)
      if (!header) break
      if (header.number !== heights[at]) throw garbage('the block that was asked for')
      headers.push(header)
    }
    return headers
  }

  /** The sources' logs from `from` to `to`, inclusive. */
  async logsOfRange(from: number, to: number, signal: AbortSignal): Promise<RawLog[]> {
    const filter = { ...this.#filter, fromBlock: hex(from), toBlock: hex(to) }
    const [answer] = await this.#call([{ method: 'eth_getLogs', params: [filter] }], signal)
    const logs = await readLogs(answer)
    if (logs.some((log) => log.blockNumber < from || log.blockNumber > to)) throw garbage('logs of the range')
    return logs
  }

  /** The sources' logs of these blocks, by hash: a node that lacks one refuses instead of returning nothing. */
  async logsOfBlocks(headers: readonly BlockHeader[], signal: AbortSignal): Promise<RawLog[]> {
    const asked = headers.map(({ hash }) => ({
      method: 'eth_getLogs',
      params: [{ ...this.#filter, blockHash: hash }],
    }))
    const logs: RawLog[] = []
    for (const [at, answer] of (await this.#call(asked, signal)).entries()) {
      const ofBlock = await readLogs(answer)
      if (ofBlock.some((log) => log.blockHash !== headers[at]?.hash)) throw garbage('logs of the block')
      logs.push(...ofBlock)
    }
    return logs
  }

  /** The logs of a block of one kind. */
  async logsOfPart({ hash }: BlockHeader, { filter }: LogPart, signal: AbortSignal): Promise<RawLog[]> {
    const [answer] = await this.#call([{ method: 'eth_getLogs', params: [{ ...filter, blockHash: hash }] }], signal)
    const logs = await readLogs(answer)
    if (logs.some((log) => log.blockHash !== hash)) throw garbage('logs of the block')
    return logs
  }

  /** The logs we read, from these blocks' receipts: more expensive than eth_getLogs and from another store. */
  async receiptLogs(headers: readonly BlockHeader[], signal: AbortSignal): Promise<RawLog[]> {
    const asked = headers.map(({ hash }) => ({ method: 'eth_getBlockReceipts', params: [hash] }))
    const logs: RawLog[] = []
    for (const answer of await this.#call(asked, signal)) logs.push(...(await readReceiptLogs(answer)))
    return logs.filter(this.#isOfSource)
  }

  /** Reads who submitted these transactions; those that the node does not keep are absent. */
  async submissions(txHashes: readonly Hex[], signal: AbortSignal): Promise<Map<Hex, Submission>> {
    const asked = txHashes.map((txHash) => ({ method: 'eth_getTransactionByHash', params: [txHash] }))
    const submissions = new Map<Hex, Submission>()
    for (const [at, answer] of (await this.#call(asked, signal)).entries()) {
      const [txHash, submission] = [txHashes[at], readSubmission(answer)]
      if (txHash && submission) submissions.set(txHash, submission)
    }
    return submissions
  }

  async #call(calls: readonly RpcCall[], signal: AbortSignal): Promise<unknown[]> {
    return this.#proven(async () => {
      await this.#proof.hold(this.#askChainId(signal))
      return callAll(this.#endpoint, calls, signal)
    })
  }

  #askChainId(signal: AbortSignal) {
    return async () => (await callAll(this.#endpoint, [{ method: 'eth_chainId', params: [] }], signal))[0]
  }

  async #proven<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof ForeignChain) throw new ProviderError('foreign', error.message)
      if (error instanceof ProviderError && !ANSWERED.includes(error.fault)) this.#proof.lost()
      throw error
    }
  }
}
