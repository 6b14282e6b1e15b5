import { oauth, router } from '@callboard/contract'
import { isRefusal, type Refusal, refuse } from '@callboard/values'
import type { ZodError } from 'zod'
import { callAs, type OwnerRequest } from '../owner/owner.ts'
import type { Page } from '../shell/document.ts'
import { apiKeyPage, routerKeyPage } from './key-page.ts'

/** Makes the key that a form asks for. @returns the page that shows it once, or why there is none */
export const makeKey = (asking: OwnerRequest, form: URLSearchParams): Promise<Page | Refusal> =>
  form.get('what') === 'router-key' ? makeRouterKey(asking, form) : makeApiKey(asking, form)

async function makeApiKey(asking: OwnerRequest, form: URLSearchParams): Promise<Page | Refusal> {
  const input = oauth.createKey.input.safeParse({ label: form.get('label') })
  if (!input.success) return faulty(input.error)
  const answer = await callAs(asking, oauth.createKey, input.data)
  return isRefusal(answer) ? answer : apiKeyPage(answer)
}

async function makeRouterKey(asking: OwnerRequest, form: URLSearchParams): Promise<Page | Refusal> {
  const limit = form.get('daily_limit_usd')
  const input = router.createKey.input.safeParse({
    ...{ label: form.get('label'), source: form.get('source') },
    ...(limit ? { dailyLimitUsd: limit } : {}),
  })
  if (!input.success) return faulty(input.error)
  const answer = await callAs(asking, router.createKey, input.data)
  return isRefusal(answer) ? answer : routerKeyPage(answer)
}

const LABEL = 'A key needs a name of 1 to 80 characters, on one line.'
const FAULTS: Readonly<Record<PropertyKey, string>> = {
  source: 'A Router key draws on your Compute or on your balance.',
  dailyLimitUsd:
    'A daily limit is an amount of USD, such as 2.50. Without one, only what the key draws on limits its spending.',
}

const faulty = ({ issues: [first] }: ZodError): Refusal =>
  refuse('invalid_request', { message: FAULTS[first?.path[0] ?? ''] ?? LABEL })
