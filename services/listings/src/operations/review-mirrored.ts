import type { InputOf, listings } from '@callboard/contract'
import { audited } from '@callboard/store'
import { isoTime, isRefusal, refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { newTerms, termInWords, termsIn } from '../domain/mirror/after-probe.ts'
import type { Held } from '../domain/mirror/held.ts'
import type { Mirrored } from '../domain/mirror/mirrored.ts'
import { putBack, takenDown } from '../domain/mirror/take-down.ts'
import { changeMirrored } from '../mirror/change-mirrored.ts'
import { reasonRefused, unseenRefused } from '../review/next-or-refusal.ts'
import { seenOf } from '../review/seen.ts'
import { lockMirrored } from '../store/mirror.repository.ts'
import { sightingsOf } from '../store/sighting.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/**
 * Not bound to HTTP: only the operator's command reaches it. The operator approves the terms that it looked at, and only
 * while the last probe still reads them. The row is payable again once a fresh probe reads them. Every verdict is recorded.
 */
export const reviewMirrored: ListingsHandler<typeof listings.reviewMirrored> = async (input, ctx) => {
  const { slug, verdict, by = 'unnamed', ...given } = input
  if (verdict === 'look') return ctx.db.transaction().execute((tx) => looked(tx, slug))
  const action = { by, verb: `mirror ${verdict}`, subject: slug, arguments: given }
  return audited(ctx.db, action, async ({ tx, note }) => {
    const locked = await lockMirrored(tx, slug)
    if (!locked) return refuse('not_found')
    const named = (await sightingsOf(tx, slug)).map(({ source }) => source)
    const before = shown(locked, named)
    note(before)
    const next = judgedRow(locked, input, ctx.clock.now())
    if (isRefusal(next)) return next
    return shown(await changeMirrored(ctx, tx, locked, next), named)
  })
}

async function looked(tx: ListingsTx, slug: string) {
  const locked = await lockMirrored(tx, slug)
  if (!locked) return refuse('not_found')
  return shown(
    locked,
    (await sightingsOf(tx, slug)).map(({ source }) => source),
  )
}

/** A row after a verdict, or why the verdict is refused. */
function judgedRow(row: Mirrored, { verdict, seen, reason }: InputOf<typeof listings.reviewMirrored>, now: number) {
  if (seen !== undefined && seen !== seenTermsOf(row)) {
    return refuse('invalid_state', { message: 'Its offer is no longer the one that was seen. Look at it again.' })
  }
  if (verdict === 'suspend') {
    if (row.takenDown) return refuse('invalid_state', { message: 'The operator has already suspended it.' })
    return reasonRefused(verdict, reason) ?? takenDown(row, reason ?? '', now)
  }
  if (verdict === 'reopen') {
    if (row.takenDown) return putBack(row, now)
    return refuse('invalid_state', { message: `There is nothing to take back: it is ${row.state}.` })
  }
  if (row.takenDown) {
    return refuse('invalid_state', { message: 'The operator suspended it. Take that back with mirror reopen.' })
  }
  if (row.state !== 'suspended') {
    return refuse('invalid_state', { message: `There is nothing to approve: it is ${row.state}.` })
  }
  return unseenRefused(verdict, seen) ?? approved(row, now)
}

function approved(row: Mirrored, now: number): Mirrored {
  const fresh = newTerms(row.terms ?? [], termsIn(row.fact?.accepts ?? []))
  const held = row.held && fresh.length > 0 ? reviewedAgain(row.held) : row.held
  return {
    ...row,
    ...(held ? { held } : {}),
    terms: [...(row.terms ?? []), ...fresh],
    state: 'unprobed',
    stateSince: now,
    reason: null,
  }
}

/** Approving an offer lets it be paid; whether it is verified is asked anew. */
const reviewedAgain = (held: Held): Held =>
  held.verification === 'verified' ? { ...held, verification: 'requested', reviewed: null } : held

function shown(row: Mirrored, sources: string[]) {
  const { slug, state, reason, method, url, claim, terms, fact } = row
  return {
    ...{ slug, state, reason, method, url, title: claim.title, sources },
    approved: (terms ?? []).map(termInWords),
    asked: termsIn(fact?.accepts ?? []).map(termInWords),
    checkedAt: fact && isoTime(fact.checkedAt),
    seen: seenTermsOf(row),
  }
}

const seenTermsOf = ({ fact }: Mirrored): string => seenOf(termsIn(fact?.accepts ?? []))
