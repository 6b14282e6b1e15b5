/** The codings in which a shared read goes out, the one we would rather send first. */
export const CODINGS = ['br', 'gzip', 'identity'] as const
export type ContentCoding = (typeof CODINGS)[number]

/** RFC 9110 §12.4.2: zero to one, with up to three digits. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/
/** Names under which old clients ask for a coding (RFC 9110 §8.4.1.3). */
const OLD_NAMES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' }

/**
 * The coding that a client wants most, by its `Accept-Encoding`; of those it wants alike, the smallest. Identity counts as
 * wanted least where it is not named, so a client that names a coding gets it. A weight that is none counts as zero.
 * @param header what the request says; undefined and an empty text ask for the representation as it is
 * @param worthCoding false: a body so small that it goes out as it is, where the client takes that
 * @returns undefined when the client takes none of them
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
