/** The codings in which a shared read can be sent, in our order of preference. */
const CODINGS = ['br', 'gzip', 'identity'] as const
export type ContentCoding = (typeof CODINGS)[number]

/** RFC 9110 §12.4.2: zero to one, with up to three digits. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/
/** Old names of a coding that clients may still use (RFC 9110 §8.4.1.3). */
const OLD_NAMES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' }

/**
 * The coding that a client's `Accept-Encoding` prefers; among equal ones, the smallest. Identity ranks last if it is
 * not named, so a client that names a coding gets it. An invalid weight counts as zero.
 * @param header from the request; undefined and empty text ask for the representation as it is
 * @param worthCoding false: the body is so small that it is sent as it is, if the client accepts that
 * @returns undefined if the client accepts none of them
 * @source RFC 9110 §12.5.3
 */
export function chooseCoding(header: string | undefined, worthCoding = true): ContentCoding | undefined {
  if (!header?.trim()) return 'identity'
  const weights = weightsOf(header)
  const weightOf = (coding: ContentCoding): number => weights.get(coding) ?? weights.get('*') ?? 0
  const takesIdentity = (weights.get('identity') ?? weights.get('*') ?? 1) > 0
  if (!worthCoding && takesIdentity) return 'identity'
  const best = CODINGS.toSorted((one, other) => weightOf(other) - weightOf(one))[0]
  if (best && weightOf(best) > 0) return best
  return takesIdentity ? 'identity' : undefined
}

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(',')) {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase())
    if (name !== '') weights.set(OLD_NAMES[name] ?? name, weightIn(parameters))
  }
  return weights
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  if (weight === undefined) return 1
  return WEIGHT.test(weight) ? Number(weight) : 0
}
