import type { ListingRecord, StatusAction } from '@callboard/contract'
import type { Changes } from './changes.ts'
import { command } from './next-step.ts'
import type { Begun } from './under-way.ts'

/** One request that changes a listing. */
export type Step = 'create' | 'edit' | 'replace' | StatusAction

/** What a publication does, and what a seller has to say first. */
export interface Plan {
  readonly steps: readonly Step[]
  /** Why it needs `--yes`; undefined where it does not. */
  readonly surprise: string | undefined
  /** Why it needs `--activate` or `--offline`; undefined where it does not. */
  readonly undecided: string | undefined
}

/** What a seller asks of a publication, besides what the file says. */
export interface Requested {
  readonly activates?: boolean
  readonly staysOffline?: boolean
  /** An earlier publication of this machine that has not ended. */
  readonly begun?: Begun | undefined
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
export function planOf(listing: ListingRecord | undefined, changes: Changes, requested: Requested = {}): Plan {
  const { activates = false, begun } = requested
  if (!listing) {
    const steps = activates ? (['create', 'activate'] as const) : (['create'] as const)
    return { steps, surprise: undefined, undecided: undefined }
  }
  const { status, verification, slug } = listing
  const isLive = status === 'live'
  const edits = Object.keys(changes.words).length > 0
  const replaces = changes.sells.length > 0
  const goesOffline = isLive && replaces
  const goesLive = goesOffline || (!isLive && (activates || begun !== undefined))
  const lacksReview = begun?.isReviewed === true && verification === 'none'
  const steps: Step[] = [
    ...(edits ? (['edit'] as const) : []),
    ...(goesOffline ? (['suspend'] as const) : []),
    ...((replaces || goesLive) && status !== 'draft' ? (['revise'] as const) : []),
    ...(replaces ? (['replace'] as const) : []),
    ...(goesLive ? (['activate'] as const) : []),
    ...((goesOffline && verification !== 'none') || ((isLive || goesLive) && lacksReview)
      ? (['request_verification'] as const)
      : []),
  ]
  return {
    steps,
    surprise: surpriseOf({ offline: goesOffline, edits, verification, slug }),
    undecided: goesLive && !requested.staysOffline ? undefined : undecidedOf(listing, requested),
  }
}

/**
 * A listing that was live, and is offline by its seller's or the service's doing: the file does not say what it is to be.
 * A live one is not what `--offline` says.
 */
function undecidedOf(listing: ListingRecord, { staysOffline = false }: Requested): string | undefined {
  const { slug, status, listedAt, rejection, suspension } = listing
  if (staysOffline && status === 'live') {
    const suspend = command('suspend', { slug })
    return `${slug} is live, and --offline leaves a listing offline that is. Take it offline first${suspend ? ` with: ${suspend}` : ''}.`
  }
  if (staysOffline || status === 'live' || listedAt === null || rejection || suspension) return undefined
  return `${slug} was live, and is ${status} now: buyers do not find it. To take it live again, add --activate; to leave it offline, --offline.`
}

/** What the change of a live listing has left that broke off, and how it is ended; undefined where nothing is in between. */
export function leftBy({ steps }: Plan, done: readonly Step[], slug: string): string | undefined {
  const next = steps[done.length]
  if (next === 'request_verification') {
    const verify = command('verify', { slug })
    return `${slug} is live, and its review is not requested. Repeat the command${verify ? `, or request it with: ${verify}` : '.'}`
  }
  const isOffline = done.includes('suspend') || !steps.includes('suspend')
  if (!steps.includes('activate') || (!isOffline && next !== 'suspend')) return undefined
  return `${slug} ${isOffline ? 'is' : 'may be'} offline. Once that is fixed, repeat the command, on another machine with --activate.`
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
