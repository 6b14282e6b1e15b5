import { hash } from 'node:crypto'
import type { Calling } from '@callboard/runtime'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import type { Callee, ListingsContext } from '../context.ts'
import { claimedResource } from '../domain/mirror/claim.ts'
import type { Told } from '../domain/mirror/documents/index.ts'
import type { ClaimedResource } from '../domain/mirror/mirrored.ts'
import { afterPage, afterTooLarge, MAX_PAGES, newRun, nextDocument, type SourceRun } from '../domain/mirror/source.ts'
import { lockMirror } from '../store/mirror.repository.ts'
import { endSightings, noteUnnamed } from '../store/sighting.repository.ts'
import { endLease, lockSource, type Source, type SourceLease, type SourceProgress } from '../store/source.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { importResources } from './import-resources.ts'
import { type Page, readPage } from './read-page.ts'

/** A run that is interrupted for longer starts over. */
const LONGEST_RUN_MS = DAY_MS
const LONGEST_BACKOFF_MS = 6 * HOUR_MS
const LOOPS = 'It returns the same entries again and again, or never ends. What it named before stays.'

/** What a document names, and how much of it is not imported, by reason. */
interface Named extends Omit<Told, 'leftOut'> {
  readonly leftOut: Readonly<Record<string, number>>
}

const UNREAD: Named = { resources: [], leftOut: { unread: 1 }, entries: 0 }

type Importing = ListingsContext & Calling<Callee>

/** A locked source, and its run so far. */
interface Running {
  readonly source: Source
  readonly run: SourceRun
}

/**
 * Reads the next document of a leased source and imports what it names, in a transaction of the source's own. A run
 * continues where it stopped, on any replica; a failure is retried later, and ends no earlier naming by the source.
 */
export async function importPage(ctx: Importing, lease: SourceLease): Promise<void> {
  const now = ctx.clock.now()
  const { source } = lease
  const isYoung = source.run !== null && now - source.run.startedAt < LONGEST_RUN_MS
  const run = isYoung && source.run ? source.run : newRun(ctx.newId(), now)
  const { kind, url } = nextDocument(source, run)
  const page = await readPage(ctx, kind, url).catch((error: unknown): Page => {
    ctx.log.warn({ err: error, source: source.name }, 'a document of a source was not read')
    return { state: 'failed', problem: 'The prober could not be asked.', waitMs: 0 }
  })
  let outcome: 'read' | 'failed' | 'too_large' | 'loops' = page.state
  await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockSource(tx, lease)
    if (!locked) return
    const progress = await progressAfter(ctx, tx, { source: locked, run }, page)
    if (progress.problem === LOOPS) outcome = 'loops'
    await endLease(tx, source.name, progress)
  })
  ctx.resources.mirror.pages.inc({ kind: source.kind, outcome })
}

async function progressAfter(ctx: Importing, tx: ListingsTx, running: Running, page: Page): Promise<SourceProgress> {
  const { source, run } = running
  const isFollowing = run.pages > 0 && run.follow.length > 0
  if (page.state === 'read') return await takeInPage(ctx, tx, running, page.told)
  // If one document of a catalog cannot be read, that says nothing about the others.
  if (isFollowing) return await takeInPage(ctx, tx, running, UNREAD)
  if (page.state === 'failed') return failed(ctx, running, page.problem, page.waitMs)
  if (source.kind !== 'facilitator') return failed(ctx, { source, run: null }, 'It is larger than this service reads.')
  const next = afterTooLarge(run)
  if (next.pages >= MAX_PAGES) return failed(ctx, { source, run: null }, LOOPS)
  return { ...held(source), dueAt: soon(ctx), run: next }
}

async function takeInPage(
  ctx: Importing,
  tx: ListingsTx,
  { source, run }: Running,
  told: Named,
): Promise<SourceProgress> {
  const since = new Date(run.startedAt)
  const read = told.resources.map(claimedResource)
  const claims = read.filter((claim): claim is ClaimedResource => typeof claim !== 'string')
  const notTaken: Record<string, number> = { ...told.leftOut }
  for (const fault of read) if (typeof fault === 'string') notTaken[fault] = (notTaken[fault] ?? 0) + 1
  await lockMirror(tx)
  const taken = await importResources(ctx, tx, source.name, claims)
  for (const [why, count] of Object.entries(taken.notTaken)) notTaken[why] = (notTaken[why] ?? 0) + count
  const next = afterPage(source.kind, run, { ...told, digest: digestOf(told), notTaken })
  if (next === 'loops') return failed(ctx, { source, run: null }, LOOPS)
  if (next !== 'done') return { ...held(source), dueAt: soon(ctx), run: next }

  const ended = await endSightings(tx, source.name, since)
  if (ended.length > 0) await noteUnnamed(tx, ended, source.name, new Date(ctx.clock.now()))
  const total = { ...run.notTaken }
  for (const [why, count] of Object.entries(notTaken)) total[why] = (total[why] ?? 0) + count
  const now = ctx.clock.now()
  const dueAt = new Date(now + source.interval_ms)
  return { dueAt, run: null, failures: 0, problem: null, goodAt: new Date(now), notTaken: total }
}

const DIGEST_CHARACTERS = 12

const digestOf = ({ resources, leftOut }: Named): string =>
  hash('sha256', JSON.stringify([resources.map(({ url }) => url), leftOut]), 'base64url').slice(0, DIGEST_CHARACTERS)

const held = ({ failures, problem }: Source) => ({ failures, problem })

const soon = ({ clock, config }: Importing): Date => new Date(clock.now() + config.MIRROR_PAGE_PAUSE_MS)

/** Later with every failure in a row, and no sooner than the source asks. */
function failed(
  ctx: Importing,
  { source, run }: { readonly source: Source; readonly run: SourceRun | null },
  problem: string,
  waitMs = 0,
): SourceProgress {
  const failures = source.failures + 1
  const backoff = Math.min(
    MINUTE_MS * 2 ** Math.min(failures - 1, 20),
    Math.min(source.interval_ms, LONGEST_BACKOFF_MS),
  )
  const dueAt = new Date(ctx.clock.now() + Math.max(backoff, Math.min(waitMs, DAY_MS)))
  return { dueAt, run, failures, problem: problem.slice(0, 500) }
}
