import { createHash } from 'node:crypto'
import type { listings } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { newTerms, termInWords, termsIn } from '../domain/mirror/after-probe.ts'
import type { Mirrored } from '../domain/mirror/mirrored.ts'
import { changeMirrored } from '../mirror/change-mirrored.ts'
import { lockMirrored } from '../store/mirror.repository.ts'
import { sightingsOf } from '../store/sighting.repository.ts'

/**
 * Not bound to HTTP: only the operator's command reaches it. What is approved are the terms of the last probe, and when they
 * were looked at before, those alone. The row is payable again once a fresh probe reads them.
 */
export const reviewMirrored: ListingsHandler<typeof listings.reviewMirrored> = async ({ slug, verdict, seen }, ctx) =>
  ctx.db.transaction().execute(async (tx) => {
    const locked = await lockMirrored(tx, slug)
    if (!locked) return refuse('not_found')
    const named = (await sightingsOf(tx, slug)).map(({ source }) => source)
    if (verdict === 'look') return shown(locked, named)
    if (locked.state !== 'suspended') {
      return refuse('invalid_state', { message: `There is nothing to approve: it is ${locked.state}.` })
    }
    if (seen !== undefined && seen !== nameOf(locked)) {
      return refuse('invalid_state', { message: 'What it asks is not what was seen; look at it again.' })
    }
    const asked = termsIn(locked.fact?.accepts ?? [])
    const terms = [...(locked.terms ?? []), ...newTerms(locked.terms ?? [], asked)]
    const now = ctx.clock.now()
    const approved = { ...locked, terms, state: 'unprobed', stateSince: now, reason: null } as const
    ctx.log.info({ slug, terms: asked }, 'the operator approved what a mirrored row asks')
    return shown(await changeMirrored(ctx, tx, locked, approved), named)
  })

function shown(row: Mirrored, sources: string[]) {
  const { slug, state, reason, method, url, claim, terms, fact } = row
  return {
    ...{ slug, state, reason, method, url, title: claim.title, sources },
    approved: (terms ?? []).map(termInWords),
    asked: termsIn(fact?.accepts ?? []).map(termInWords),
    checkedAt: fact && isoTime(fact.checkedAt),
    seen: nameOf(row),
  }
}

const NAME_CHARACTERS = 16

const nameOf = ({ fact }: Mirrored): string =>
  createHash('sha256')
    .update(JSON.stringify(termsIn(fact?.accepts ?? [])))
    .digest('base64url')
    .slice(0, NAME_CHARACTERS)
