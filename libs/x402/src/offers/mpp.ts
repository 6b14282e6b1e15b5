import { fromBase64Url, fromUtf8 } from '../base64.ts'
import { isObject, own, readJson } from '../json.ts'
import type { Extensions } from '../messages/payment-required.ts'

/** One challenge of a `WWW-Authenticate` header: a scheme and its parameters, names in lower case. */
export interface AuthChallenge {
  readonly scheme: string
  readonly params: ReadonlyMap<string, string>
}

/**
 * A payment challenge of the machine payments protocol. Callboard recognizes it and never pays it.
 * @source tempoxyz/mpp-specs, HTTP Authentication scheme `Payment`
 */
export interface MppChallenge {
  readonly id: string
  readonly realm: string
  readonly method: string
  readonly intent: string
  /** The decoded request, or null when it is not base64url JSON of an object. */
  readonly request: Record<string, unknown> | null
  /** RFC 3339, as sent. */
  readonly expires?: string
  readonly description?: string
}

/** Longest header we read; longer ones are ignored. */
const MAX_CHARACTERS = 64 * 1024

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const SCHEME = new RegExp(`(${TOKEN})(?:[ \\t]+|(?=[ \\t]*(?:,|$)))`, 'y')
const PARAM = new RegExp(`(${TOKEN})[ \\t]*=[ \\t]*(?:"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"|(${TOKEN}))[ \\t]*(?=,|$)`, 'sy')
/** A scheme's single token instead of parameters; it ends where its element does, so it is not a parameter. */
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*[ \t]*(?=,|$)/y
const SEPARATOR = /[ \t,]+/y
const REST = /[^,]*/y

/**
 * Splits `WWW-Authenticate` values into challenges. Commas separate both challenges and parameters, so a name followed
 * by `=` is a parameter of the challenge before it; a quoted text may contain commas and escapes. Unreadable text is
 * skipped up to the next comma.
 * @source RFC 9110, 11.6.1
 */
export function parseWwwAuthenticate(values: readonly string[]): AuthChallenge[] {
  return values.filter(({ length }) => length <= MAX_CHARACTERS).flatMap(parseList)
}

function parseList(text: string): AuthChallenge[] {
  const challenges: { scheme: string; params: Map<string, string> }[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  while (at < text.length) {
    take(SEPARATOR)
    const param = take(PARAM)
    if (param) {
      const [, name = '', quoted, plain = ''] = param
      const params = challenges.at(-1)?.params
      const key = name.toLowerCase()
      if (params && !params.has(key)) params.set(key, quoted?.replace(/\\(.)/gs, '$1') ?? plain)
      continue
    }
    const scheme = take(SCHEME)
    if (scheme?.[1]) challenges.push({ scheme: scheme[1], params: new Map() })
    take(scheme ? TOKEN68 : REST)
  }
  return challenges
}

/** The MPP challenges in `WWW-Authenticate` values of a 402, in order; those without a required member are omitted. */
export function readMppChallenges(values: readonly string[]): MppChallenge[] {
  return parseWwwAuthenticate(values)
    .filter(({ scheme }) => scheme.toLowerCase() === 'payment')
    .flatMap(({ params }) => {
      const [id, realm, method, intent, request] = ['id', 'realm', 'method', 'intent', 'request'].map((name) =>
        params.get(name),
      )
      if (!id || realm === undefined || !method || !intent || request === undefined) return []
      const expires = params.get('expires')
      const description = params.get('description')
      return {
        id,
        realm,
        method,
        intent,
        request: decodeRequest(request),
        ...(expires === undefined ? {} : { expires }),
        ...(description === undefined ? {} : { description }),
      }
    })
}

function decodeRequest(text: string): Record<string, unknown> | null {
  const bytes = fromBase64Url(text)
  const json = bytes && fromUtf8(bytes)
  const read = json === undefined ? undefined : readJson(json, 'finite')
  return read?.ok && isObject(read.value) ? read.value : null
}

/** Members by which MPP servers bind a route, in addition to its method. */
const ROUTE_MEMBERS = ['_mppx_scope', 'digest', 'opaque']

/**
 * Whether an x402 offer of an MPP server names more of its route than the method: a server configured for it accepts
 * only payments whose nonce is derived from that, as only its own clients' are.
 * @source mppx 0.11, extension `mppx`; pympp 0.16, whose `route_binding` is `required` unless another is set
 */
export function bindsRoute(extensions: Extensions | undefined): boolean {
  const mppx = extensions && own(extensions, 'mppx')
  const info = isObject(mppx) ? mppx.info : undefined
  return isObject(info) && ROUTE_MEMBERS.some((name) => own(info, name) !== undefined)
}
