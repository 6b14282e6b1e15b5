import type { ListingRecord, StatusAction } from '@callboard/contract'
import type { Changes } from './changes.ts'

/** One request that changes a listing. */
export type Step = 'create' | 'edit' | 'replace' | StatusAction

/** What a publication does, and what a seller has to agree to first. */
export interface Plan {
  readonly steps: readonly Step[]
  /** Why it needs `--yes`; undefined where it does not. */
  readonly surprise: string | undefined
}

export const STEP_WORDS: Readonly<Record<Step, string>> = {
  create: 'create a draft',
  edit: 'change the name and description',
  suspend: 'suspend',
  revise: 'make it a draft',
  replace: 'replace the category and the operations',
  activate: 'activate',
  request_verification: 'request verification',
}

/** How a listing gets from where it is to what its file says; a live one is live again at the end. */
export function planOf(listing: ListingRecord | undefined, changes: Changes, activates: boolean): Plan {
  if (!listing) return { steps: activates ? ['create', 'activate'] : ['create'], surprise: undefined }
  const { status, verification, slug } = listing
  const isLive = status === 'live'
  const edits = Object.keys(changes.words).length > 0
  const replaces = changes.sells.length > 0
  const isReviewed = verification !== 'none'
  const steps: Step[] = [
    ...(edits ? (['edit'] as const) : []),
    ...(replaces && isLive ? (['suspend'] as const) : []),
    ...((replaces || activates) && status !== 'draft' && !(isLive && !replaces) ? (['revise'] as const) : []),
    ...(replaces ? (['replace'] as const) : []),
    ...((isLive && replaces) || (activates && !isLive) ? (['activate'] as const) : []),
    ...(isLive && replaces && isReviewed ? (['request_verification'] as const) : []),
  ]
  return { steps, surprise: surpriseOf({ offline: isLive && replaces, edits, verification, slug }) }
}

function surpriseOf(change: {
  readonly offline: boolean
  readonly edits: boolean
  readonly verification: ListingRecord['verification']
  readonly slug: string
}): string | undefined {
  const { offline, edits, verification, slug } = change
  const again = verification === 'none' ? '' : ' It is then reviewed again, and search hides it until it is verified.'
  if (offline) return `${slug} is live. It goes offline, is changed, and is activated again.${again}`
  if (edits && verification === 'verified')
    return `${slug} is verified. Unless the change is a correction of a word or two, it is reviewed again, and search hides it until then.`
  return undefined
}
