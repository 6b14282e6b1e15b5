import { type Hex, looksLikeAddress, looksLikeHash } from '@callboard/values'
import { parseBuilderCodeSuffix } from '@callboard/x402'
import { getAddress } from 'viem/utils'
import type { BlockHeader, RawLog, Submission } from '../domain/chain-data.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../domain/topics.ts'
import { garbage } from './provider-error.ts'
import { isObject } from './results-in.ts'
import { turns } from './turns.ts'

// Parsed by hand: for every log, a schema library or an ABI decoder costs several times the CPU.
const isText = (value: unknown): value is string => typeof value === 'string'

function quantity(value: unknown): number | undefined {
  if (!isText(value) || !value.startsWith('0x') || value.length > 15) return undefined
  const number = Number(value)
  return Number.isInteger(number) ? number : undefined
}

/** The last second of the year 9999: a later time has another form, and consumers refuse it. */
const LAST_SECOND = 253_402_300_799
/** The highest that a column holds; no block has as many logs. */
const LAST_LOG = 2 ** 31 - 1

/** A quantity, unless it is above what can be recorded: another provider is to be asked, not the same one forever. */
const quantityUpTo = (most: number, value: unknown): number | undefined => {
  const number = quantity(value)
  return number !== undefined && number <= most ? number : undefined
}

/**
 * 32 bytes in lower case, regardless of the node's letter case.
 * @param expected a hash that was read before and is likely to recur: equal text is not parsed again
 */
function hash(value: unknown, expected?: string): Hex | undefined {
  if (value === expected) return expected as Hex | undefined
  return isText(value) && looksLikeHash(value) ? (value.toLowerCase() as Hex) : undefined
}

const BLOOM = /^0x[0-9a-f]{512}$/i

/** Reads a block's header; undefined when the node has no such block. @throws ProviderError */
export function readHeader(value: unknown): BlockHeader | undefined {
  if (value === null) return undefined
  if (!isObject(value)) throw garbage('a block')
  const { logsBloom } = value
  const [number, timestamp] = [quantity(value.number), quantityUpTo(LAST_SECOND, value.timestamp)]
  const [own, parentHash] = [hash(value.hash), hash(value.parentHash)]
  if (number === undefined || timestamp === undefined || !own || !parentHash) throw garbage('a block')
  if (!isText(logsBloom) || !BLOOM.test(logsBloom)) throw garbage('a block with a bloom')
  return { number, hash: own, parentHash, timestamp, logsBloom: logsBloom as Hex }
}

/** Yields between turns, since an answer may be long. @throws ProviderError */
export async function readLogs(value: unknown): Promise<RawLog[]> {
  if (!Array.isArray(value)) throw garbage('a list of logs')
  const logs: RawLog[] = []
  const turn = turns()
  for (const one of value) {
    logs.push(readLog(one, logs.at(-1)))
    const rest = turn()
    if (rest) await rest
  }
  return logs
}

const HEX = /^0x[0-9a-f]*$/i

/** @param before the previous log, most often of the same block and transaction, and about the same payer */
function readLog(value: unknown, before: RawLog | undefined): RawLog {
  if (!isObject(value) || value.removed === true) throw garbage('a log')
  const { address, topics, data } = value
  const [blockNumber, logIndex] = [quantity(value.blockNumber), quantityUpTo(LAST_LOG, value.logIndex)]
  const [blockHash, txHash] = [hash(value.blockHash, before?.blockHash), hash(value.transactionHash, before?.txHash)]
  if (blockNumber === undefined || logIndex === undefined || !blockHash || !txHash) throw garbage('a log in a block')
  if (!isText(address) || !isText(data) || !HEX.test(data)) throw garbage('a log with data')
  if (!Array.isArray(topics)) throw garbage('a log with topics')
  return {
    address: address.toLowerCase(),
    topics: topics.map((topic, at) => readTopic(topic, at, before)),
    data,
    blockNumber,
    blockHash,
    txHash,
    logIndex,
    blockTimestamp: quantityUpTo(LAST_SECOND, value.blockTimestamp) || undefined,
  }
}

function readTopic(value: unknown, at: number, before: RawLog | undefined): Hex {
  const expected = at > 0 ? before?.topics[at] : value === TRANSFER ? TRANSFER : AUTHORIZATION_USED
  const topic = hash(value, expected)
  if (!topic) throw garbage('a log with topics')
  return topic
}

/** The logs of all receipts of a block. @throws ProviderError */
export async function readReceiptLogs(value: unknown): Promise<RawLog[]> {
  if (!Array.isArray(value)) throw garbage('a list of receipts')
  return readLogs(value.flatMap((receipt: unknown) => logsOf(receipt)))
}

function logsOf(receipt: unknown): unknown[] {
  if (!isObject(receipt) || !Array.isArray(receipt.logs)) throw garbage('a receipt with logs')
  return receipt.logs
}

/** Reads who submitted a transaction; undefined when the node does not keep it. @throws ProviderError */
export function readSubmission(value: unknown): Submission | undefined {
  if (value === null) return undefined
  if (!isObject(value) || !isText(value.from) || !looksLikeAddress(value.from)) throw garbage('a transaction')
  if (!isText(value.input) || !HEX.test(value.input)) throw garbage('a transaction with input')
  const codes = parseBuilderCodeSuffix(value.input as Hex)
  return { facilitator: getAddress(value.from), builderCodes: codes ?? null }
}
