import type { identityChanged } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepIdentity } from '../store/identity/keep-identity.ts'

export const onIdentityChanged: CatalogConsumer<typeof identityChanged> = async (said, { tx, envelope }) => {
  await keepIdentity(tx, { ...said, sequence: envelope.sequence }, false)
}
