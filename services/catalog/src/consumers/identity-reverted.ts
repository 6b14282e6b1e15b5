import type { identityReverted } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepIdentity } from '../store/identity/keep-identity.ts'

/** Kept as reverted, since this event may arrive before the change that it takes back. */
export const onIdentityReverted: CatalogConsumer<typeof identityReverted> = async (said, { tx, envelope }) => {
  await keepIdentity(tx, { ...said, sequence: envelope.sequence }, true)
}
