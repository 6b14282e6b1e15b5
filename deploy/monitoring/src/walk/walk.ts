import { until } from '@callboard/testkit/until'
import type { Cluster } from '@callboard/tools/cluster'
import type { Death } from './deaths.ts'
import type { Pager } from './pager.ts'

/** The observations of one death, in measured seconds. */
export interface Seen {
  /** From the death to the page; absent where none came in time. */
  readonly pagedAfter?: number
  /** From the recovery to the end of the page; absent where it did not end in time. */
  readonly endedAfter?: number
  /** Other pages meanwhile. */
  readonly beside: readonly string[]
}

/** The most seconds from the recovery to the end of its page, with default windows. */
export const END_WITHIN_SECONDS = 300

export interface Walked {
  readonly cluster: Cluster
  readonly pager: Pager
  /** The factor by which every window is shortened. */
  readonly times: number
}

const measured = async (what: string, ask: () => boolean, withinMs: number): Promise<number | undefined> => {
  const startedAt = performance.now()
  const came = await until(what, ask, withinMs).catch(() => false)
  return came ? (performance.now() - startedAt) / 1_000 : undefined
}

/** Causes one death, waits for its page, recovers, and waits for the end of this page and of any others. */
export async function walkOne({ cluster, pager, times }: Walked, death: Death): Promise<Seen> {
  pager.taken()
  await death.kill(cluster)
  const isPaged = () => pager.isPaged(death.page)
  const pagedAfter = await measured('its page comes', isPaged, (death.withinSeconds * 1_000) / times)
  await death.recover(cluster)
  const isOver = () => !isPaged()
  const endMs = (END_WITHIN_SECONDS * 1_000) / times
  const endedAfter = pagedAfter === undefined ? undefined : await measured('its page ends', isOver, endMs)
  await untilCalm(pager, endMs)
  const beside = pager.taken().filter((words) => !words.startsWith(death.page.alertname))
  return {
    ...(pagedAfter === undefined ? {} : { pagedAfter }),
    ...(endedAfter === undefined ? {} : { endedAfter }),
    beside: [...new Set(beside)].sort(),
  }
}

/** The one that is always active, and those about the past hour, which outlast their causes. */
const OUTLASTING = /^(Watchdog|\w+BudgetBurn)\b/

/** Waits until no page is active but those that may be when nothing is wrong with a process. */
export const untilCalm = (pager: Pager, withinMs: number): Promise<unknown> =>
  until('no page stands', () => pager.standing().every((words) => OUTLASTING.test(words)), withinMs).catch(
    () => undefined,
  )
