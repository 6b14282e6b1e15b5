import { isObject, own } from '@callboard/x402'
import type { ToldResource } from '../claim.ts'
import { jsonOf, NotThatDocument, type Told } from './read.ts'

const MAX_ENTRIES = 2_000
/** Some entries have the method before the URL. */
const WITH_METHOD = /^([A-Za-z]{3,7})\s+(\S+)$/

/**
 * The resources of `/.well-known/x402`. It may only speak for its own origin.
 * @param at where it was read
 */
export function wellKnownDocument(text: string, at: URL): Told {
  const document = jsonOf(text)
  const listed = isObject(document) ? own(document, 'resources') : undefined
  if (!Array.isArray(listed)) throw new NotThatDocument('It is not a list of x402 resources: it has no `resources`.')
  const told = listed.slice(0, MAX_ENTRIES).map((entry: unknown) => entryOf(entry, at))
  const resources = told.filter((one) => typeof one !== 'string')
  const foreign = told.length - resources.length
  return { resources, leftOut: foreign > 0 ? { origin: foreign } : {}, entries: listed.length }
}

function entryOf(entry: unknown, at: URL): ToldResource | 'origin' {
  const [, method, named] = (typeof entry === 'string' && WITH_METHOD.exec(entry.slice(0, 4_096))) || []
  const given = isObject(entry) ? (own(entry, 'url') ?? own(entry, 'resource')) : (named ?? entry)
  const url = typeof given === 'string' ? URL.parse(given.slice(0, 4_096), at.href) : null
  if (url?.origin !== at.origin) return 'origin'
  if (!isObject(entry)) return { url: url.href, method, isOwnWord: true }
  return {
    url: url.href,
    method: own(entry, 'method'),
    title: own(entry, 'name') ?? own(entry, 'title'),
    description: own(entry, 'description'),
    accepts: own(entry, 'accepts'),
    isOwnWord: true,
  }
}
