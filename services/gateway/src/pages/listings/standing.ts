import type { DirectoryResult, HiddenReason, ListingVisibility } from '@callboard/contract'

/** Where a listing is found, in the words of the page. */
export const RESULT_NAMES: Readonly<Record<DirectoryResult, string>> = {
  discovery: 'search',
  'discovery?includeUnverified=true': 'search with what was not reviewed',
  services: 'the services',
  'services?includeUnverified=true': 'the services with what was not reviewed',
  calls: 'the catalogue',
}

/** Results that leave a listing out for the same reasons. */
export interface LeftOut {
  readonly results: readonly DirectoryResult[]
  readonly reasons: readonly HiddenReason[]
}

export interface Standing {
  readonly shownIn: readonly { readonly result: DirectoryResult; readonly place: number | null }[]
  readonly leftOut: readonly LeftOut[]
}

/** Where a listing is shown, and what keeps it out of the rest: what keeps it out of several is said once. */
export function standingOf({ results }: Pick<ListingVisibility, 'results'>): Standing {
  const leftOut = new Map<string, { results: DirectoryResult[]; reasons: readonly HiddenReason[] }>()
  for (const { result, shown, reasons } of results) {
    if (shown) continue
    const same = JSON.stringify(reasons)
    const group = leftOut.get(same) ?? { results: [], reasons }
    group.results.push(result)
    leftOut.set(same, group)
  }
  return {
    shownIn: results.filter(({ shown }) => shown).map(({ result, place }) => ({ result, place })),
    leftOut: [...leftOut.values()],
  }
}
