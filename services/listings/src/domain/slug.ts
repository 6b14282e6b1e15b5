const MAX_LENGTH = 64

/**
 * The name of a listing in paths: its letters and digits in lower case, without accents, joined by hyphens.
 * @returns undefined when the name has no letter a-z and no digit
 */
export function slugOf(name: string): string | undefined {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const slug = words.join('-').slice(0, MAX_LENGTH).replace(/-$/, '')
  return slug === '' ? undefined : slug
}
