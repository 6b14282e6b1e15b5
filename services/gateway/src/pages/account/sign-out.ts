import { oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { sessionCookie } from '../../credentials/session-cookie.ts'
import { callAs, type OwnerRequest } from '../owner/owner.ts'
import type { Page } from '../shell/document.ts'
import { counted } from '../wording.ts'
import { signedOut } from './account-page.ts'
import { refusedPage } from './refused-page.ts'

/** The page for a browser whose session has ended. @param goesOn what is said about the rest */
export function finishSignOut({ request, reply }: OwnerRequest, answer: object, goesOn?: string): Page {
  if (isRefusal(answer)) return refusedPage(answer)
  reply.header('set-cookie', sessionCookie.cleared(request))
  request.state.session = null
  return signedOut(goesOn)
}

/** Signs out everywhere, and ends programs if that is ticked. */
export async function signOutEverywhere(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const grants = form.get('grants') === 'true'
  const answer = await callAs(asking, oauth.endSessions, { grants })
  if (isRefusal(answer)) return refusedPage(answer)
  const { ended: over, stays } = answer
  const left = [counted(stays.agents, 'agent'), counted(stays.programs, 'program'), counted(stays.apiKeys, 'API key')]
  const what = [counted(over.sessions, 'session'), ...(grants ? [counted(over.programs, 'program')] : [])]
  return finishSignOut(asking, answer, `Ended: ${what.join(' and ')}. Going on: ${left.join(', ')}.`)
}
