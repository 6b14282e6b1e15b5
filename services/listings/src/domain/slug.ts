import { hash } from 'node:crypto'
import { reservedSlugs } from '@callboard/contract'
import anyAscii from 'any-ascii'

const MAX_LENGTH = 64
const ID_CHARACTERS = 6
/** The part before the id if a name cannot be spelled in letters a-z. */
const UNSPELLED = 'listing'

const RESERVED = reservedSlugs()

/**
 * The name of a listing in paths: its letters and digits, of any script spelled in a-z, joined by hyphens.
 * @returns undefined if none of it can be spelled this way
 */
export function slugOf(name: string): string | undefined {
  const words = anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const slug = words.join('-').slice(0, MAX_LENGTH).replace(/-$/, '')
  return slug === '' ? undefined : slug
}

/** Whether a name can be in a path: it has a letter or a digit of some script, or a sign that can be spelled. */
export const hasSlug = (name: string): boolean => slugOf(name) !== undefined || /[\p{L}\p{N}]/u.test(name)

/**
 * The slugs that a listing of a name may have; it takes the first free one: its own, unless a route uses that word;
 * then with a short id appended, always in the same sequence.
 */
export function* slugCandidates(name: string): Generator<string> {
  if (!hasSlug(name)) return
  const slug = slugOf(name)
  if (slug !== undefined && !RESERVED.has(slug)) yield slug
  const words = (slug ?? UNSPELLED).slice(0, MAX_LENGTH - ID_CHARACTERS - 1).replace(/-$/, '')
  for (let n = 1; ; n += 1) yield `${words}-${idOf(name, n)}`
}

/** Short and stable, of lower-case letters and digits: made from the name in its canonical form, and a counter. */
const idOf = (name: string, n: number): string =>
  BigInt(`0x${hash('sha256', `${n} ${name.normalize('NFKC').toLowerCase()}`, 'hex')}`)
    .toString(36)
    .slice(-ID_CHARACTERS)
