import type { Refusal } from '@callboard/values'
import { Refused } from '../../answers/errors.ts'
import { signAgain, WEIGHS_MORE } from '../owner/sign-again.ts'
import type { Page } from '../shell/document.ts'
import { signInPrompt } from './account-page.ts'

export const PATH = '/account'

/** @throws Refused for a refusal without a page of its own */
export function refusedPage(refusal: Refusal): Page {
  if (refusal.refusal === 'unauthorized') return signInPrompt(403)
  if (refusal.refusal === 'fresh_signature_required') return signAgain(PATH, WEIGHS_MORE.account)
  throw new Refused(refusal)
}
