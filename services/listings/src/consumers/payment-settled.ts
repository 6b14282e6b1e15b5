import type { paymentSettled } from '@callboard/contract'
import type { ListingsConsumer } from '../context.ts'
import { creditPayment } from '../credit.ts'
import { lockPayment, sharePayee } from '../store/asked.repository.ts'
import { paidThrough } from '../store/listing.repository.ts'
import { putResource } from '../store/settlement.repository.ts'

/**
 * What our facilitator settled names its resource, which may say which listing of a wallet was called. An authorization
 * that a third party had submitted is passed over: it is public then, and any client can bring it to us with another
 * resource.
 */
export const onPaymentSettled: ListingsConsumer<typeof paymentSettled> = async (
  payment,
  { tx, resources, envelope },
) => {
  const { network, asset, payTo, payer, nonce, foreign, resourceUrl: resource } = payment
  if (foreign || resource === null || resources.chains.get(network)?.usdc.address !== asset) return
  if ((await paidThrough(tx, network, payTo)).length === 0) return
  await lockPayment(tx, payment)
  await putResource(tx, { network, payer, nonce, resource, sequence: envelope.sequence })
  await sharePayee(tx, network, payTo)
  await creditPayment(resources.chains, tx, payTo, payment)
}
