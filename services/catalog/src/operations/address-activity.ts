import type { AddressActivity, catalog } from '@callboard/contract'
import type { AddressRead, CatalogContext, CatalogHandler } from '../context.ts'
import { foreignCursor, openPlace, type Paging, sealPlace } from '../cursors.ts'
import { LEDGER_ORDER, LedgerPlace } from '../domain/places.ts'
import { type Window, windowOf } from '../domain/range.ts'
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
  const read = await ctx.resources.addresses(`${address} ${range}`, () => readOf(ctx, window, address))
  const rows = after ? await ledgerPage(ctx.db, { since: window.since, address }, PAGE + 1, after) : read.rows
  const page = rows.slice(0, PAGE)
  const last = rows.length > PAGE ? page.at(-1)?.place : undefined
  return {
    address,
    role: roleOf(read.sums.totals),
    ...read.sums,
    items: page.map(({ item }) => item),
    nextCursor: last ? sealPlace(paging, last) : null,
  }
}

/** The sums of an address and its newest payments, at one moment. */
const readOf = (ctx: CatalogContext, window: Window, address: string): Promise<AddressRead> =>
  atOneMoment(ctx.db, async (tx) => ({
    rows: await ledgerPage(tx, { since: window.since, address }, PAGE + 1),
    sums: await addressSums(tx, window, address),
  }))

function roleOf({ paid, received }: AddressActivity['totals']): AddressActivity['role'] {
  const stands = ({ calls, transfers }: typeof paid) => calls + transfers.count > 0
  if (stands(paid)) return stands(received) ? 'both' : 'payer'
  return stands(received) ? 'recipient' : 'none'
}
