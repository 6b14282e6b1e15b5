import { AgentLabel, oauth } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import { callAs, type OwnerRequest } from '../owner/owner.ts'
import type { Page } from '../shell/document.ts'
import { counted } from '../wording.ts'
import { endEverything } from './end-everything.ts'
import { endThing } from './end-thing.ts'
import { readAccount } from './read-account.ts'
import { refusedPage } from './refused-page.ts'
import { GONE, NOT_KNOWN, shown } from './show-account.ts'
import { finishSignOut } from './sign-out.ts'
import { isKind, isListed, type Thing, thingOf, WORDS } from './things.ts'

/** Ends the thing that a form names. */
export async function ended(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const [kind, id] = [form.get('what'), form.get('id') ?? '']
  if (!isKind(kind)) return shown(asking, GONE)
  const account = await readAccount(asking)
  const thing = thingOf(account, kind, id)
  if (!thing) {
    if (!isListed(account, kind)) return shown(asking, NOT_KNOWN)
    // A trust that has ended is not listed, though the end of what it approved may wait for another service.
    const isDevice = kind === 'device' && AgentLabel.safeParse(id).success
    const unfinished = isDevice ? await endThing(asking, { kind, id }, 'keep') : undefined
    return unfinished ? notEnded(asking, { kind, name: id }, unfinished) : shown(asking, GONE)
  }
  const keeps = form.get('descendants') === 'keep'
  const refusal = await endThing(asking, thing, keeps ? 'keep' : 'end')
  if (refusal) return notEnded(asking, thing, refusal)
  const { called, done: follows } = WORDS[thing.kind]
  const rest =
    thing.descendants === 0
      ? ''
      : ` ${keeps ? 'Kept' : 'Also ended'} ${counted(thing.descendants, 'agent')} linked through it.`
  return shown(asking, { status: 200, text: `Ended ${called} “${thing.name}”. ${follows}${rest}` })
}

/** If another service is away, the end may have begun, and a part of it waits. */
async function notEnded(
  asking: OwnerRequest,
  { kind, name }: Pick<Thing, 'kind' | 'name'>,
  refusal: Refusal,
): Promise<Page> {
  if (refusal.refusal !== 'temporarily_unavailable') return refusedPage(refusal)
  const text = `Not all of ${WORDS[kind].called} “${name}” has ended, and what is left may still work.`
  return shown(asking, { status: 503, text: `${text} ${refusal.message ?? ''} Try again in a moment.` })
}

/** Ends everything, and says what may still act for the owner. */
export async function everythingEnded(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const also = { listings: form.get('listings') === 'true' }
  const { ended, left } = await endEverything(asking, also)
  if (left.length > 0) {
    const text = `Not everything has ended. Not all of these could be ended: ${left.join(', ')}. Programs and this browser’s session are still active. Try again. Ended: ${inWords(ended) || 'nothing'}.`
    return shown(asking, { status: 503, text })
  }
  const answer = await callAs(asking, oauth.endSessions, { grants: true })
  if (isRefusal(answer)) return refusedPage(answer)
  const { sessions, programs } = answer.ended
  const since = await endEverything(asking, { ...also, isLast: true })
  const all = inWords(sum([ended, since.ended, new Map(Object.entries({ program: programs, session: sessions }))]))
  const rest =
    since.left.length === 0
      ? 'Nothing acts for you any more.'
      : `Not all of these could be ended: ${since.left.join(', ')}. Sign in, and end everything once more.`
  return finishSignOut(asking, answer, `Ended: ${all}. ${rest}`)
}

type Counts = ReadonlyMap<string, number>

function sum(counts: readonly Counts[]): Counts {
  const all = new Map<string, number>()
  for (const [noun, count] of counts.flatMap((one) => [...one])) all.set(noun, (all.get(noun) ?? 0) + count)
  return all
}

const inWords = (counts: Counts): string => [...counts].map(([noun, count]) => counted(count, noun)).join(', ')
