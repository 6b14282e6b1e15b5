import type { DirectoryResult, HiddenReason, ListingVisibility } from '@callboard/contract'

/** Names of the places where a listing is found, in the page's words. */
export const RESULT_NAMES: Readonly<Record<DirectoryResult, string>> = {
  discovery: 'search',
  'discovery?includeUnverified=true': 'search including unreviewed listings',
  services: 'the list of services',
  'services?includeUnverified=true': 'the list of services including unreviewed ones',
  calls: 'the catalogue',
}

/** Results that exclude a listing for the same reasons. */
export interface LeftOut {
  readonly results: readonly DirectoryResult[]
  readonly reasons: readonly HiddenReason[]
}

export interface VisibilitySummary {
  readonly shownIn: readonly { readonly result: DirectoryResult; readonly place: number | null }[]
  readonly leftOut: readonly LeftOut[]
}

/** Where a listing is shown, and what excludes it elsewhere; reasons shared by several results are listed once. */
export function visibilitySummaryOf({ results }: Pick<ListingVisibility, 'results'>): VisibilitySummary {
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
