import type { AddressActivity, catalog } from '@callboard/contract'
import type { CatalogHandler } from '../context.ts'
import { foreignCursor, openPlace, type Paging, sealPlace } from '../cursors.ts'
import { LEDGER_ORDER, LedgerPlace } from '../domain/places.ts'
import { windowOf } from '../domain/range.ts'
import { addressSums } from '../store/address-sums.repository.ts'
import { ledgerPage } from '../store/ledger/ledger.repository.ts'
import { atOneMoment } from '../store/tables.ts'

/** The same as the default page size of the ledger. */
const PAGE = 50

export const addressActivity: CatalogHandler<typeof catalog.addressActivity> = async (input, ctx) => {
  const { address, range, cursor } = input
  const paging: Paging = {
    keys: ctx.config.LINK_SIGNING_KEY,
    operation: 'catalog.addressActivity',
    order: LEDGER_ORDER,
    question: { address, range },
  }
  const after = cursor === undefined ? undefined : openPlace(paging, LedgerPlace, cursor)
  if (cursor !== undefined && !after) return foreignCursor()
  const window = windowOf(range, ctx.clock.now())
  return atOneMoment(ctx.db, async (tx) => {
    const rows = await ledgerPage(tx, { since: window.since, address }, PAGE + 1, after)
    const page = rows.slice(0, PAGE)
    const last = rows.length > PAGE ? page.at(-1)?.place : undefined
    const sums = await addressSums(tx, window, address)
    return {
      address,
      role: roleOf(sums.totals),
      ...sums,
      items: page.map(({ item }) => item),
      nextCursor: last ? sealPlace(paging, last) : null,
    }
  })
}

function roleOf({ paid, received }: AddressActivity['totals']): AddressActivity['role'] {
  const stands = ({ calls, transfers }: typeof paid) => calls + transfers.count > 0
  if (stands(paid)) return stands(received) ? 'both' : 'payer'
  return stands(received) ? 'recipient' : 'none'
}
