import { type ListingRecord, listings, type ResultOf } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { Refused, refusalOf } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { callAs, formTokenOf, type OwnerRequest } from '../owner/owner.ts'
import { addOwnerForm, addOwnerPage } from '../owner/owner-page.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { listingsPage, type OwnListing, type OwnListings, signInForListings } from './listings-page.ts'

const PATH = '/account/listings'
const MAX_FORM_BYTES = 4 * 1024
/** Few, since the visibility of each is requested from the directory and the prober. */
const ON_A_PAGE = 10

/** An owner's listings, each with its visibility and a button that takes it offline. It runs no script. */
export function addListings(scope: FastifyInstance, ctx: GatewayContext): void {
  addOwnerPage(scope, ctx, {
    path: PATH,
    signIn: () => signInForListings(),
    show: async (asking) => {
      const { cursor } = asking.request.query as Record<string, unknown>
      return sendPage(asking.reply, await shown(asking, { cursor }))
    },
  })
  addOwnerForm(scope, ctx, {
    path: PATH,
    maxBytes: MAX_FORM_BYTES,
    signIn: () => signInForListings(403),
    about: () => PATH,
    shownAt: () => PATH,
    decide: async (asking, form) => sendPage(asking.reply, await takenOffline(asking, form)),
  })
}

/** @throws Refused for an invalid cursor */
async function shown(asking: OwnerRequest, more: { cursor?: unknown; said?: OwnListings['said'] }): Promise<Page> {
  const { cursor, said } = more
  const input = listings.mine.input.safeParse({ limit: String(ON_A_PAGE), ...(cursor === undefined ? {} : { cursor }) })
  if (!input.success)
    throw new Refused({ refusal: 'invalid_request', message: 'The address does not name a page of this list.' })
  const page = await callAs(asking, listings.mine, input.data)
  if (isRefusal(page)) throw new Refused(page)
  const { cursor: from } = input.data
  return listingsPage({
    ...(from === undefined ? {} : { cursor: from }),
    listings: await Promise.all(page.listings.map((listing) => withVisibility(asking, listing))),
    nextCursor: page.nextCursor,
    now: asking.ctx.clock.now(),
    formToken: formTokenOf(asking.request, PATH),
    ...(said ? { said } : {}),
  })
}

/** If a listing's visibility cannot be determined, the listing is still shown. */
async function withVisibility(asking: OwnerRequest, listing: ListingRecord): Promise<OwnListing> {
  try {
    const visibility = await callAs(asking, listings.visibility, { slug: listing.slug })
    return { listing, visibility: isRefusal(visibility) ? 'unavailable' : visibility }
  } catch (error) {
    if (refusalOf(error) === undefined) throw error
    return { listing, visibility: 'unavailable' }
  }
}

/** @throws Refused invalid_request if the form names no listing */
async function takenOffline(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const input = listings.setStatus.input.safeParse({ slug: form.get('suspend'), action: 'suspend' })
  if (!input.success) throw new Refused({ refusal: 'invalid_request', message: 'The form does not name a listing.' })
  const answer = await callAs(asking, listings.setStatus, input.data)
  const said = saidOf(answer)
  // What was done is said also where the page of the list is none.
  return shown(asking, { cursor: form.get('cursor') ?? undefined, said }).catch((error) => {
    if (refusalOf(error)?.refusal !== 'invalid_request') throw error
    return shown(asking, { said })
  })
}

/** @throws Refused for a refusal without words of its own */
function saidOf(answer: ResultOf<typeof listings.setStatus>): NonNullable<OwnListings['said']> {
  if (!isRefusal(answer)) return { status: 200, text: `“${answer.listing.name}” is offline. No search shows it.` }
  switch (answer.refusal) {
    case 'not_found':
      return { status: 404, text: 'The listing is not yours, or no longer exists. Nothing was changed.' }
    case 'invalid_state':
      return { status: 409, text: `Nothing was changed. ${answer.message ?? ''}` }
    default:
      throw new Refused(answer)
  }
}
