import type { Address, Hex } from '@callboard/values'
import type { BlockHeader, RawLog, Submission } from '../domain/chain-data.ts'
import { firstRange, type RangeSize } from '../domain/ranges.ts'
import type { View } from '../domain/standing.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../domain/topics.ts'
import { callAll, type EndpointSettings, type RpcCall } from './json-rpc.ts'
import { garbage, ProviderError } from './provider-error.ts'
import { readHeader, readLogs, readReceiptLogs, readSubmission } from './reading.ts'

const hex = (number: number): Hex => `0x${number.toString(16)}`

/** One JSON-RPC endpoint of a chain, in the words of the indexer. Everything it says is checked for being an answer. */
export class Provider {
  /** Its place in the settings and its host: what may stand in a log. */
  readonly label: string
  readonly #endpoint: EndpointSettings
  readonly #token: Address
  /** How many blocks it takes in one question. */
  range: RangeSize = firstRange

  constructor(place: number, endpoint: EndpointSettings, token: Address) {
    this.label = `${place}:${new URL(endpoint.url).host}`
    this.#endpoint = endpoint
    this.#token = token
  }

  /** Its newest block and the one at a height, in one round trip. */
  async view(height: number, signal: AbortSignal): Promise<View> {
    const asked = ['latest', hex(height)].map((block) => ({ method: 'eth_getBlockByNumber', params: [block, false] }))
    const [head, atCursor] = (await this.#call(asked, signal)).map(readHeader)
    if (!head || (atCursor && atCursor.number !== height)) throw garbage('the block that was asked for')
    return { head, atCursor }
  }

  /** The headers at these heights, in their order. @throws ProviderError when one is missing or another's */
  async headers(heights: readonly number[], signal: AbortSignal): Promise<BlockHeader[]> {
    const asked = heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [hex(height), false] }))
    return (await this.#call(asked, signal)).map((answer, at) => {
      const header = readHeader(answer)
      if (!header) throw new ProviderError('inconsistent', `block ${heights[at]} is missing`)
      if (header.number !== heights[at]) throw garbage('the block that was asked for')
      return header
    })
  }

  /** The token's logs of both topics in `from` to `to`, both included. */
  async logsOfRange(from: number, to: number, signal: AbortSignal): Promise<RawLog[]> {
    const filter = { ...this.#filter(), fromBlock: hex(from), toBlock: hex(to) }
    const [answer] = await this.#call([{ method: 'eth_getLogs', params: [filter] }], signal)
    const logs = await readLogs(answer)
    if (logs.some((log) => log.blockNumber < from || log.blockNumber > to)) throw garbage('logs of the range')
    return logs
  }

  /** The token's logs of these blocks, by hash: a node that lacks one refuses instead of answering with nothing. */
  async logsOfBlocks(headers: readonly BlockHeader[], signal: AbortSignal): Promise<RawLog[]> {
    const asked = headers.map(({ hash }) => ({
      method: 'eth_getLogs',
      params: [{ ...this.#filter(), blockHash: hash }],
    }))
    const logs: RawLog[] = []
    for (const [at, answer] of (await this.#call(asked, signal)).entries()) {
      const ofBlock = await readLogs(answer)
      if (ofBlock.some((log) => log.blockHash !== headers[at]?.hash)) throw garbage('logs of the block')
      logs.push(...ofBlock)
    }
    return logs
  }

  /** The logs we read, as the receipts of these blocks hold them: dearer than eth_getLogs and from another store. */
  async receiptLogs(headers: readonly BlockHeader[], signal: AbortSignal): Promise<RawLog[]> {
    const asked = headers.map(({ hash }) => ({ method: 'eth_getBlockReceipts', params: [hash] }))
    const emitter = this.#token.toLowerCase()
    const logs: RawLog[] = []
    for (const answer of await this.#call(asked, signal)) logs.push(...(await readReceiptLogs(answer)))
    return logs.filter(
      ({ address, topics }) => address === emitter && [TRANSFER, AUTHORIZATION_USED].some((t) => t === topics[0]),
    )
  }

  /** Who brought these transactions; those that the node does not keep are absent. */
  async submissions(txHashes: readonly Hex[], signal: AbortSignal): Promise<Map<Hex, Submission>> {
    const asked = txHashes.map((txHash) => ({ method: 'eth_getTransactionByHash', params: [txHash] }))
    const submissions = new Map<Hex, Submission>()
    for (const [at, answer] of (await this.#call(asked, signal)).entries()) {
      const [txHash, submission] = [txHashes[at], readSubmission(answer)]
      if (txHash && submission) submissions.set(txHash, submission)
    }
    return submissions
  }

  /** Arc's system emitter, which repeats every transfer, is kept out here: only the token's own logs are asked for. */
  #filter() {
    return { address: this.#token, topics: [[TRANSFER, AUTHORIZATION_USED]] }
  }

  #call(calls: readonly RpcCall[], signal: AbortSignal): Promise<unknown[]> {
    return callAll(this.#endpoint, calls, signal)
  }
}
