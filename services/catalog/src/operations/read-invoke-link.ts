import type { catalog } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { invokedCall } from '../domain/entry/invoked-call.ts'
import { isSigned, slugOf } from '../domain/invoke-link.ts'
import { findPublished } from '../store/entry/entry.repository.ts'
import { liveOffersOf } from '../store/entry/offer.repository.ts'
import { atOneMoment } from '../store/tables.ts'

export const readInvokeLink: CatalogHandler<typeof catalog.readInvokeLink> = async ({ sig, ...call }, ctx) => {
  const { LINK_SIGNING_KEY: keys } = ctx.config
  if (!isSigned(keys, call, sig)) {
    return refuse('invalid_request', { field: 'sig', message: 'The link was not made here, or was changed.' })
  }
  const slug = slugOf(call)
  return atOneMoment(ctx.db, async (tx) => {
    const found = await findPublished(tx, slug)
    if (!found) return refuse('not_found', { field: 'schema' })
    const { listed, schemas, checks } = found
    const { operations } = listed.snapshot
    const at = operations.findIndex(({ method, url }) => method === call.method && url === call.url)
    const operation = operations[at]
    if (!operation) return refuse('not_found', { field: 'url' })
    // Without a payment it cannot be paid at all now, which its page says.
    if (operation.payment && operation.payment.network !== call.network) {
      return refuse('not_found', { field: 'network' })
    }
    const [live] = await liveOffersOf(tx, slug, [operation])
    const check = checks.find(({ method, url }) => method === call.method && url === call.url)
    return invokedCall(listed, operation, { schemas: schemas[at] ?? {}, live, check, linkKey: keys[0] })
  })
}
