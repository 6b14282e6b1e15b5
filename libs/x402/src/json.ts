import { fromUtf8 } from './base64.ts'

/** Why a JSON text from a third party was not read. */
export type JsonFault =
  | 'not_utf8'
  | 'byte_order_mark'
  | 'not_json'
  | 'duplicate_key'
  | 'forbidden_key'
  | 'number_out_of_range'
  | 'too_deep'

export type JsonRead =
  | { readonly ok: true; readonly value: unknown }
  /** `key` is the member at fault, if a member is. */
  | { readonly ok: false; readonly reason: JsonFault; readonly key?: string }

/** RFC 8259 §8.1 forbids writing one; some readers treat it as part of the first token. */
const BYTE_ORDER_MARK = '\ufeff'
/** Deeper nesting than any payment object needs; bounds every recursive reader downstream. */
const MAX_DEPTH = 48
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/**
 * Reads JSON that two parsers cannot read differently: no repeated key, no `__proto__`, no number beyond a double.
 * @param numbers `exact` also refuses integers beyond 2^53, for money; `finite` lets them pass, for foreign catalogues
 */
export function readJson(text: string, numbers: 'exact' | 'finite' = 'exact'): JsonRead {
  if (text.startsWith(BYTE_ORDER_MARK)) return { ok: false, reason: 'byte_order_mark' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'not_json' }
  }
  return ambiguity(text, numbers) ?? { ok: true, value }
}

/** The same for the bytes of a body. */
export function readJsonBytes(bytes: Uint8Array): JsonRead {
  const text = fromUtf8(bytes)
  return text === undefined ? { ok: false, reason: 'not_utf8' } : readJson(text)
}

/** Scans the tokens of a text that is known to be JSON. An object's frame holds its keys, an array's frame is null. */
function ambiguity(text: string, numbers: 'exact' | 'finite'): JsonRead | undefined {
  const fault = (reason: JsonFault, key?: string): JsonRead => ({
    ok: false,
    reason,
    ...(key === undefined ? {} : { key }),
  })
  const frames: (Set<string> | null)[] = []
  let atKey = false
  for (const [token] of text.matchAll(TOKEN)) {
    const keys = frames.at(-1)
    if (token === '{' || token === '[') {
      if (frames.push(token === '{' ? new Set() : null) > MAX_DEPTH) return fault('too_deep')
      atKey = token === '{'
    } else if (token === '}' || token === ']') {
      frames.pop()
      atKey = false
    } else if (token === ',') {
      atKey = keys != null
    } else if (token === ':') {
      atKey = false
    } else if (token.startsWith('"')) {
      if (!atKey || !keys) continue
      const key = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1)
      if (key === '__proto__') return fault('forbidden_key', key)
      if (keys.has(key)) return fault('duplicate_key', key)
      keys.add(key)
    } else if (isOutOfRange(token, numbers)) {
      return fault('number_out_of_range')
    }
  }
  return undefined
}

function isOutOfRange(token: string, numbers: 'exact' | 'finite'): boolean {
  if (token === 'true' || token === 'false' || token === 'null') return false
  const number = Number(token)
  return !Number.isFinite(number) || (numbers === 'exact' && Math.abs(number) > Number.MAX_SAFE_INTEGER)
}

/** Whether a value is a JSON object, as opposed to an array, null or a scalar. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Deep equality of JSON values; key order is ignored, and an `undefined` member counts as absent. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => sameJson(item, right[at]))
  }
  if (!isObject(left) || !isObject(right)) return false
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    sameJson(own(left, key), own(right, key)),
  )
}

/** A member that the object itself has: a key such as `constructor` never reaches the prototype. */
export const own = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Whether every member of `expected`, at any depth of objects, is in `actual` unchanged; more members are allowed. */
export function contains(expected: unknown, actual: unknown): boolean {
  if (!isObject(expected)) return sameJson(expected, actual)
  if (!isObject(actual)) return false
  return Object.entries(expected).every(([key, value]) =>
    Object.hasOwn(actual, key) ? contains(value, actual[key]) : value === undefined,
  )
}
