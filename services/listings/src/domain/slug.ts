import { hash } from 'node:crypto'
import { reservedSlugs } from '@callboard/contract'
import anyAscii from 'any-ascii'

const MAX_LENGTH = 64
const ID_CHARACTERS = 6
/** What stands before the id of a name that no script's table spells in letters a-z. */
const UNSPELLED = 'listing'

const RESERVED = reservedSlugs()

/**
 * The name of a listing in paths: its letters and digits, of whatever script spelled in a-z, joined by hyphens.
 * @returns undefined when nothing of it can be spelled so
 */
export function slugOf(name: string): string | undefined {
  const words = anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const slug = words.join('-').slice(0, MAX_LENGTH).replace(/-$/, '')
  return slug === '' ? undefined : slug
}

/** Whether a name can be in a path at all: it has a letter or a digit of some script, or a sign that can be spelled. */
export const hasSlug = (name: string): boolean => slugOf(name) !== undefined || /[\p{L}\p{N}]/u.test(name)

/**
 * The slugs that a listing of a name can have, the first free one: its own, unless a route has that word; then that with a
 * short id, ever the same ones.
 */
export function* slugCandidates(name: string): Generator<string> {
  if (!hasSlug(name)) return
  const slug = slugOf(name)
  if (slug !== undefined && !RESERVED.has(slug)) yield slug
  const words = (slug ?? UNSPELLED).slice(0, MAX_LENGTH - ID_CHARACTERS - 1).replace(/-$/, '')
  for (let n = 1; ; n += 1) yield `${words}-${idOf(name, n)}`
}

/** Short and stable, of lower-case letters and digits: the name in its canonical form, and the how-manieth. */
const idOf = (name: string, n: number): string =>
  BigInt(`0x${hash('sha256', `${n} ${name.normalize('NFKC').toLowerCase()}`, 'hex')}`)
    .toString(36)
    .slice(-ID_CHARACTERS)
