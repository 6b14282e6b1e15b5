import { listings } from '@callboard/client'
import type { ListingRecord, ListingWarning } from '@callboard/contract'
import type { Command, Invocation } from '../../command.ts'
import { EXIT, Usage } from '../../exit-codes.ts'
import { nextStep } from '../../selling/next-step.ts'
import { ownListing, slugIn } from '../../selling/own-listing.ts'
import { type Seller, sellerOf } from '../../selling/seller.ts'
import { UnderWay } from '../../selling/under-way.ts'

interface Acted {
  readonly listing: ListingRecord
  readonly warnings?: readonly ListingWarning[]
}

interface Action {
  readonly verb: string
  readonly about: readonly string[]
  /** Whether the listing is already what the command makes of it. */
  readonly isDone: (listing: ListingRecord) => boolean
  readonly act: (seller: Seller, listing: ListingRecord) => Promise<Acted>
}

const actionCommand = ({ verb, about, isDone, act }: Action): Command => ({
  usage: `sell ${verb} SLUG`,
  about,
  options: {},
  takesWords: true,
  async run({ settings, print, words }: Invocation) {
    const slug = slugIn(words, verb)
    const seller = sellerOf(settings)
    const found = await ownListing(seller, slug)
    const changes = !isDone(found)
    const { listing, warnings = [] } = changes ? await act(seller, found) : { listing: found }
    // A publication that broke off is not ended against what its seller has decided since.
    if (verb === 'suspend') new UnderWay(settings, seller.api.baseUrl, slug).end()
    const { status, verification } = listing
    const next = nextStep(listing)
    print.result({ slug, changed: changes, status, verification, warnings, next: next ?? null }, [
      `${slug}: ${status}${verification === 'none' ? '' : `, verification ${verification}`}${changes ? '' : ' already'}`,
      ...warnings.map(({ message }) => `  warning  ${message}`),
      ...(next ? [`  next  ${next}`] : []),
    ])
    return EXIT.ok
  },
})

/** `callboard sell activate SLUG` */
export const sellActivate = actionCommand({
  verb: 'activate',
  about: [
    '  Takes a draft live: its endpoints are probed, and its splitter has to be on the chain. Also a suspended listing.',
  ],
  isDone: ({ status }) => status === 'live',
  async act(seller, { slug, status, rejection, suspension }) {
    // Of a listing that the operator took down, the service says why it cannot be activated.
    if (status === 'suspended' && !rejection && !suspension)
      await seller.call(listings.setStatus, { slug, action: 'revise' })
    return seller.call(listings.setStatus, { slug, action: 'activate' })
  },
})

/** `callboard sell verify SLUG` */
export const sellVerify = actionCommand({
  verb: 'verify',
  about: ['  Requests the operator’s review of a live listing. Search shows it by default once it is verified.'],
  isDone: ({ verification }) => verification !== 'none',
  act: (seller, { slug }) => seller.call(listings.setStatus, { slug, action: 'request_verification' }),
})

/** `callboard sell suspend SLUG` */
export const sellSuspend = actionCommand({
  verb: 'suspend',
  about: ['  Takes a live listing offline, until you activate it again. A verified one is then reviewed again.'],
  isDone: ({ status }) => status === 'suspended',
  act: (seller, { slug }) => seller.call(listings.setStatus, { slug, action: 'suspend' }),
})

/** `callboard sell withdraw SLUG` */
export const sellWithdraw: Command = {
  usage: 'sell withdraw SLUG --yes',
  about: ['  Ends a listing for good. What it earned stays yours, and its slug never goes to another listing.'],
  options: { yes: { type: 'boolean' } },
  takesWords: true,
  async run({ settings, print, values, words }) {
    const slug = slugIn(words, 'withdraw')
    const seller = sellerOf(settings)
    const { name, status } = await ownListing(seller, slug)
    if (values.yes !== true)
      throw new Usage(`This ends ${slug} (${name}, ${status}) for good. To do that, repeat the command with --yes.`)
    await seller.call(listings.withdraw, { slug })
    new UnderWay(settings, seller.api.baseUrl, slug).end()
    print.result({ slug, withdrawn: true }, [`${slug} is withdrawn.`])
    return EXIT.ok
  },
}
