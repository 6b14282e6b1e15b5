import { hash } from 'node:crypto'
import { resourceOf } from '@callboard/contract'
import { slugOf } from '../slug.ts'
import type { MirrorMethod } from './mirrored.ts'

/** A resource with a longer URL is not imported. */
export const MAX_URL = 2048
const MAX_SLUG = 64
/** Ten characters of base 36; the slugs of listings end in ids of six, so that the two cannot collide. */
const ID_CHARACTERS = 10

/** Two claims are the same row if method, origin and path are equal. Queries differ from call to call. */
export const resourceKey = ({ method, url }: { readonly method: MirrorMethod; readonly url: string }): string =>
  `${method} ${resourceOf(url)}`

/**
 * The URL of a resource in the form that is stored, from what a source gave. A name that ends in a dot is the same host
 * (RFC 1034, 3.1): it would otherwise be a second resource, which our own hosts and listings would not be found to be.
 * @returns undefined if it is not an http(s) URL with a host, has credentials, or is too long
 */
export function mirrorUrl(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > MAX_URL) return undefined
  const url = URL.parse(given)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  if (url.hostname.endsWith('.')) return undefined
  return url.href.length <= MAX_URL ? url.href : undefined
}

/**
 * The slugs that a mirrored resource may have; it takes the first free one. They consist of its host and path, and end
 * in an id of the resource: no source can choose them, and none takes a name that a listing would want.
 */
export function* mirrorSlugs(resource: { readonly method: MirrorMethod; readonly url: string }): Generator<string> {
  const { host, pathname } = new URL(resource.url)
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  const words = (slugOf(`${host} ${last}`) ?? 'mirrored').slice(0, MAX_SLUG - ID_CHARACTERS - 1).replace(/-$/, '')
  for (let n = 1; ; n += 1) yield `${words}-${idOf(`${n} ${resourceKey(resource)}`)}`
}

const idOf = (text: string): string =>
  BigInt(`0x${hash('sha256', text, 'hex')}`)
    .toString(36)
    .slice(-ID_CHARACTERS)
