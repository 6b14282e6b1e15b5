import { keptForm } from '../owner/kept-form.ts'
import { formTokenOf, type OwnerRequest } from '../owner/owner.ts'
import type { Page } from '../shell/document.ts'
import { accountPage, type Shown } from './account-page.ts'
import { readAccount } from './read-account.ts'
import { readOverview } from './read-overview.ts'
import { PATH } from './refused-page.ts'

/** The page as it is now. @param filled the form that was not carried out */
export async function shown(asking: OwnerRequest, said?: Shown['said'], filled?: URLSearchParams): Promise<Page> {
  const [account, overview] = await Promise.all([readAccount(asking), readOverview(asking)])
  return accountPage({
    ...{ owner: asking.caller.owner, account, overview },
    now: asking.ctx.clock.now(),
    formToken: formTokenOf(asking.request, PATH),
    ...(said ? { said } : {}),
    ...(filled ? { filled } : {}),
  })
}

export const GONE: Shown['said'] = {
  status: 404,
  text: 'It has already ended, or it is not yours. Nothing was changed.',
}
export const NOT_KNOWN: Shown['said'] = {
  status: 503,
  text: 'It cannot be looked up right now, and may still act for you. Nothing was changed. Try again in a moment.',
}

/** The form that its owner left to sign again, shown filled in once. */
export function leftBehind(asking: OwnerRequest): URLSearchParams | undefined {
  const filled = keptForm.read(asking, PATH)
  if (filled) keptForm.forget(asking)
  return filled
}

/** Keeps a form while its owner signs again. */
export function keep(asking: OwnerRequest, form: URLSearchParams): void {
  const fields = new URLSearchParams(form)
  fields.delete('csrf')
  keptForm.keep(asking, PATH, fields)
}
