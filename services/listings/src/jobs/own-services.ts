import { BusFault } from '@callboard/bus'
import { x402Facilitator } from '@callboard/contract'
import { type Calling, every, type Job } from '@callboard/runtime'
import { isRefusal, MINUTE_MS } from '@callboard/values'
import { readBazaar } from '@callboard/x402'
import { changeListing } from '../change-listing.ts'
import type { Callee, ListingsContext } from '../context.ts'
import type { Listing } from '../domain/listing.ts'
import { changeOfOwn, type OwnService, ownListing, ownPayments } from '../domain/own-service.ts'
import { insertListing, lockBySlug, movePayee } from '../store/listing.repository.ts'

/** How often our own offer is compared with its listings. */
const LOOK_MS = 10_000
/** How often the listings are checked even if the offer has not changed. */
const ANYWAY_MS = MINUTE_MS

const decoder = (baseUrl: string): Omit<OwnService, 'discovery'> => ({
  slug: 'x402-decode',
  name: 'x402 payment decoder',
  description:
    'Decodes an x402 payment header or payload and says what is right and wrong with it: terms, window, signature. Sold by this service.',
  operation: x402Facilitator.decode.summary,
  url: new URL(x402Facilitator.decode.http?.path ?? '/', baseUrl).href,
})

/**
 * Lists what this service itself sells, in the group `svc` (docs/adr/0056): the listings follow our own offer, on each
 * chain that it names. Any number of replicas may run this at once. Without a running facilitator, nothing is listed.
 */
export const listOwnServices: Job<ListingsContext, Callee> = {
  name: 'list-own-services',
  run(ctx, signal) {
    let listed: Listed | undefined
    const looking = every<ListingsContext, Callee>(this.name, LOOK_MS, async (ctx) => {
      listed = await listUnless(listed, ctx)
    })
    return looking.run(ctx, signal)
  },
}

/** What was asked when it was listed, and when that was. */
interface Listed {
  readonly asked: string
  readonly at: number
}

async function listUnless(
  listed: Listed | undefined,
  ctx: ListingsContext & Calling<Callee>,
): Promise<Listed | undefined> {
  const { resources, config, clock, call } = ctx
  const service = decoder(config.BASE_URL)
  const asked = { operation: x402Facilitator.decode.id, resourceUrl: service.url }
  const offer = await call(x402Facilitator.offer, asked).catch((error: unknown) => {
    if (error instanceof BusFault && error.kind === 'no_responder') return undefined
    throw error
  })
  if (!offer || isRefusal(offer)) return undefined
  const { paymentRequired } = offer
  const payments = ownPayments(paymentRequired, resources.chains)
  const said = JSON.stringify(payments)
  if (listed?.asked === said && performance.now() - listed.at < ANYWAY_MS) return listed
  const described = { ...service, discovery: readBazaar(paymentRequired.extensions) }
  for (const at of payments.keys()) {
    const wanted = ownListing(described, payments, at, resources.chains, clock.now())
    if (wanted) await listAsWanted(ctx, wanted)
  }
  return { asked: said, at: performance.now() }
}

/** Under the row's lock, so that of two replicas one writes and the other finds it written. */
async function listAsWanted(ctx: ListingsContext, wanted: Listing): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const isNew = await insertListing(tx, wanted)
    const held = await lockBySlug(tx, wanted.slug)
    if (!held) return
    if (held.group !== 'svc') {
      ctx.log.error({ slug: wanted.slug, owner: held.owner }, 'our own service is not listed: its slug is taken')
      return
    }
    const change = isNew ? {} : changeOfOwn(held, wanted)
    if (!change) return
    await movePayee(tx, wanted)
    // Our own listing needs no review: it is verified as it is.
    await changeListing(ctx, tx, { ...held, verification: 'none' }, { ...change, verification: 'verified' })
  })
}
