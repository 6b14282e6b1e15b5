import { type Hex, looksLikeAddress, looksLikeHash } from '@callboard/values'
import { getAddress } from 'viem/utils'
import type { BlockHeader, RawLog } from '../domain/chain-data.ts'
import { garbage } from './provider-error.ts'

/** Reading by hand: on the way of every log, where a schema library or an ABI decoder costs several times the CPU. */
type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const isText = (value: unknown): value is string => typeof value === 'string'

function quantity(value: unknown): number | undefined {
  if (!isText(value) || !value.startsWith('0x') || value.length > 15) return undefined
  const number = Number(value)
  return Number.isInteger(number) ? number : undefined
}

/** 32 bytes in lower case, whatever case the node writes. */
function hash(value: unknown): Hex | undefined {
  return isText(value) && looksLikeHash(value) ? (value.toLowerCase() as Hex) : undefined
}

const BLOOM = /^0x[0-9a-f]{512}$/i

/** A block's header; undefined when the node says that it has no such block. @throws ProviderError */
export function readHeader(value: unknown): BlockHeader | undefined {
  if (value === null) return undefined
  if (!isObject(value)) throw garbage('a block')
  const { logsBloom } = value
  const [number, timestamp] = [quantity(value.number), quantity(value.timestamp)]
  const [own, parentHash] = [hash(value.hash), hash(value.parentHash)]
  if (number === undefined || timestamp === undefined || !own || !parentHash) throw garbage('a block')
  if (!isText(logsBloom) || !BLOOM.test(logsBloom)) throw garbage('a block with a bloom')
  return { number, hash: own, parentHash, timestamp, logsBloom: logsBloom as Hex }
}

/** @throws ProviderError */
export function readLogs(value: unknown): RawLog[] {
  if (!Array.isArray(value)) throw garbage('a list of logs')
  return value.map(readLog)
}

const HEX = /^0x[0-9a-f]*$/i

function readLog(value: unknown): RawLog {
  if (!isObject(value) || value.removed === true) throw garbage('a log')
  const { address, topics, data } = value
  const [blockNumber, logIndex] = [quantity(value.blockNumber), quantity(value.logIndex)]
  const [blockHash, txHash] = [hash(value.blockHash), hash(value.transactionHash)]
  if (blockNumber === undefined || logIndex === undefined || !blockHash || !txHash) throw garbage('a log in a block')
  if (!isText(address) || !isText(data) || !HEX.test(data)) throw garbage('a log with data')
  if (!Array.isArray(topics)) throw garbage('a log with topics')
  const words = topics.map(hash).filter((word) => word !== undefined)
  if (words.length !== topics.length) throw garbage('a log with topics')
  return {
    address: address.toLowerCase(),
    topics: words,
    data,
    blockNumber,
    blockHash,
    txHash,
    logIndex,
    blockTimestamp: quantity(value.blockTimestamp) || undefined,
  }
}

/** The logs of all receipts of a block. @throws ProviderError */
export function readReceiptLogs(value: unknown): RawLog[] {
  if (!Array.isArray(value)) throw garbage('a list of receipts')
  return value.flatMap((receipt: unknown) => readLogs(isObject(receipt) ? receipt.logs : undefined))
}

/** Who sent a transaction; undefined when the node does not keep the transaction. @throws ProviderError */
export function readSender(value: unknown): Hex | undefined {
  if (value === null) return undefined
  if (!isObject(value) || !isText(value.from) || !looksLikeAddress(value.from)) throw garbage('a transaction')
  return getAddress(value.from)
}
