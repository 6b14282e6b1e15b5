import type { ProbedResource, ProbeReport, ShownOffer } from '@callboard/contract'
import { type Challenge, fitsTemplate, readServiceMetadata, refersElsewhere } from '@callboard/x402'
import { cleanObject, plainText } from './foreign-json.ts'

/** The greatest size of everything a resource says about itself, as JSON. */
const MAX_BYTES = 8 * 1024
/** The part of it for ways to pay. */
const MAX_ACCEPTS_BYTES = 5 * 1024
const MAX_DESCRIPTION = 512
const MAX_MIME_TYPE = 128
const MAX_EXTENSIONS = 8
const MAX_EXTENSION_CHARACTERS = 4 * 1024

/** What was read of a resource; no challenge if there was no answer. */
type Read = Pick<ProbeReport, 'state' | 'result'> & { readonly challenge: Challenge | null }

/**
 * What a resource's own offer says about it, within bounds: ways to pay first, then texts, then extensions, each only
 * if it fits. Undefined if there was no readable offer.
 */
export function probedResource(url: URL, { state, result, challenge }: Read): ProbedResource | undefined {
  if (state !== 'ok_402' || result?.kind !== 'x402' || challenge?.kind !== 'x402') return undefined
  const accepts = withinBytes(result.accepts)
  if (accepts.length === 0 || result.x402Version === null) return undefined
  const { resource, discovery, extensions } = challenge
  const template = discovery?.routeTemplate
  const base: ProbedResource = {
    resource: url.origin + (template !== undefined && fitsTemplate(template, url.pathname) ? template : url.pathname),
    type: discovery?.type ?? 'http',
    x402Version: result.x402Version,
    accepts,
  }
  const texts = {
    ...readServiceMetadata(resource),
    description: plainText(resource?.description, MAX_DESCRIPTION),
    mimeType: plainText(resource?.mimeType, MAX_MIME_TYPE),
  }
  let described = base
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined) described = ifItFits(described, { [name]: text })
  }
  for (const [name, extension] of Object.entries(extensions ?? {}).slice(0, MAX_EXTENSIONS)) {
    const kept = cleanObject({ [name]: extension }, MAX_EXTENSION_CHARACTERS)
    if (kept && !refersElsewhere(kept))
      described = ifItFits(described, { extensions: { ...described.extensions, ...kept } })
  }
  return described
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

function ifItFits(before: ProbedResource, more: Partial<ProbedResource>): ProbedResource {
  const after = { ...before, ...more }
  return bytesOf(after) <= MAX_BYTES ? after : before
}

/** The entries that fit, in their own order; payable ones have priority. */
function withinBytes(accepts: readonly ShownOffer[]): ShownOffer[] {
  const chosen = new Set<ShownOffer>()
  let bytes = 0
  for (const entry of [...accepts].sort((a, b) => Number(b.payable) - Number(a.payable))) {
    bytes += bytesOf(entry)
    if (bytes > MAX_ACCEPTS_BYTES) break
    chosen.add(entry)
  }
  return accepts.filter((entry) => chosen.has(entry))
}
