/** What was derived from the versions of a listing. `versions` identifies them. */
export type VersionCache<Value> = (slug: string, versions: string, make: () => Promise<Value>) => Promise<Value>

/**
 * Keeps what was derived from a listing's versions until it has others, so it is never out of date. Only the listings
 * read last are kept. Callers that ask while it is being derived wait for it; a failure is not kept.
 */
export function versionCache<Value>(most: number): VersionCache<Value> {
  /** In the order of their last reading. */
  const kept = new Map<string, { readonly versions: string; readonly value: Promise<Value> }>()
  return (slug, versions, make) => {
    const known = kept.get(slug)
    const entry = known?.versions === versions ? known : { versions, value: make() }
    kept.delete(slug)
    kept.set(slug, entry)
    const [oldest] = kept.keys()
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    if (entry !== known) {
      entry.value.catch(() => {
        if (kept.get(slug) === entry) kept.delete(slug)
      })
    }
    return entry.value
  }
}
