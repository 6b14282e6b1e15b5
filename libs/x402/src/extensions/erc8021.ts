import type { Hex } from '@callboard/values'
import { bytesToHex, hexToBytes } from 'viem/utils'
import { fromUtf8, toUtf8 } from '../base64.ts'
import { BuilderCodes } from './builder-code.ts'

/** The last 16 bytes of calldata that carries a suffix. */
export const ERC_8021_MARKER = '80218021802180218021802180218021'

/** Schema id and marker, the fixed end of a suffix; the two bytes before it are the length of the map. */
const TRAILER = `02${ERC_8021_MARKER}`

/**
 * The suffix to append to a transaction's calldata: CBOR map ‖ its 2-byte length ‖ schema 2 ‖ marker. It belongs to the
 * whole transaction, so only payments with equal suffixes may share one.
 * @throws RangeError when a code breaks the rules, which is the caller's mistake
 * @source ERC-8021, schema 2
 */
export function encodeBuilderCodeSuffix(codes: BuilderCodes): Hex {
  const checked = BuilderCodes.safeParse(codes)
  if (!checked.success) throw new RangeError('builder codes break the rules of ERC-8021 schema 2')
  const { a, w, s } = checked.data
  const entries = [
    ...(a ? [text('a') + text(a)] : []),
    ...(w ? [text('w') + text(w)] : []),
    ...(s?.length ? [text('s') + head(4, s.length) + s.map(text).join('')] : []),
  ]
  const cbor = head(5, entries.length) + entries.join('')
  return `0x${cbor}${hexByte(cbor.length >> 9)}${hexByte((cbor.length >> 1) & 255)}${TRAILER}`
}

/** Parses the codes at the end of a transaction's calldata; undefined when there is no well-formed suffix. */
export function parseBuilderCodeSuffix(calldata: Hex): BuilderCodes | undefined {
  const end = calldata.length - TRAILER.length
  if (calldata.length % 2 !== 0 || calldata.slice(end) !== TRAILER) return undefined
  const length = Number.parseInt(calldata.slice(end - 4, end), 16)
  const start = end - 4 - length * 2
  if (Number.isNaN(length) || start < 2) return undefined
  const cbor = calldata.slice(start, end - 4)
  if (!/^[0-9a-f]*$/i.test(cbor)) return undefined
  const parsed = BuilderCodes.safeParse(readMap(hexToBytes(`0x${cbor}`)))
  return parsed.success ? parsed.data : undefined
}

const hexByte = (byte: number) => byte.toString(16).padStart(2, '0')

/** A CBOR head: major type and a count below 256, in its shortest form. */
const head = (major: number, count: number) =>
  count < 24 ? hexByte((major << 5) | count) : `${hexByte((major << 5) | 24)}${hexByte(count)}`

const text = (value: string) => {
  const bytes = toUtf8(value)
  return head(3, bytes.length) + bytesToHex(bytes).slice(2)
}

/** Reads a map of text to text or to a list of text that uses all bytes; undefined for any other CBOR. */
function readMap(bytes: Uint8Array): Record<string, unknown> | undefined {
  let at = 0
  const count = (major: number): number | undefined => {
    const byte = bytes[at++]
    if (byte === undefined || byte >> 5 !== major) return undefined
    const short = byte & 31
    return short < 24 ? short : short === 24 ? bytes[at++] : undefined
  }
  const readText = (): string | undefined => {
    const length = count(3)
    if (length === undefined || at + length > bytes.length) return undefined
    at += length
    return fromUtf8(bytes.subarray(at - length, at))
  }
  const readList = (): string[] | undefined => {
    const length = count(4)
    const items = Array.from({ length: length ?? 0 }, readText).filter((item) => item !== undefined)
    return items.length === length ? items : undefined
  }
  const isList = () => (bytes[at] ?? 0) >> 5 === 4

  const size = count(5)
  if (size === undefined || size > 3) return undefined
  const map = new Map<string, unknown>()
  for (let entry = 0; entry < size; entry++) {
    const key = readText()
    const value = isList() ? readList() : readText()
    if (key === undefined || value === undefined || map.has(key)) return undefined
    map.set(key, value)
  }
  return at === bytes.length ? Object.fromEntries(map) : undefined
}
