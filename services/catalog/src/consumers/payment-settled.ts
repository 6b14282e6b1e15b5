import type { paymentSettled } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepResource } from '../store/payment-resource.repository.ts'

/**
 * What our facilitator settled names its resource, which may show which of a payee's listings was called. An authorization
 * that a third party had submitted is passed over: it is public then, and anyone can bring it to us with another resource.
 */
export const onPaymentSettled: CatalogConsumer<typeof paymentSettled> = async (payment, { tx, envelope }) => {
  const { foreign, resourceUrl: resource } = payment
  if (!foreign && resource !== null) await keepResource(tx, { ...payment, resource }, envelope.sequence)
}
