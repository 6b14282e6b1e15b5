import { chainOf } from '@callboard/evm'
import { HOUR_MS } from '@callboard/values'
import { transferCalldata } from '../chain/payer-facts.ts'
import { signCall } from '../chain/signing.ts'
import type { FacilitatorKit } from '../kit.ts'
import { storeTransaction, takeChainNonce } from '../store/lane.repository.ts'
import { inFlightAmount, lockPayer, revertsSince } from '../store/payer.repository.ts'
import { movePayment } from '../store/payment.repository.ts'
import type { FacilitatorTx, Payment } from '../store/tables.ts'
import { transferOf } from './payment-terms.ts'
import type { Step } from './steps.ts'
import { refusePayment, verifyClaim } from './verify-step.ts'

/**
 * Signs the transaction of a verified payment and stores it, before anybody sees it. Chain nonce, raw transaction and the
 * state `signed` commit together, so no nonce is ever handed out without a transaction that fills it.
 *
 * What the payer's other unfinished payments will move is counted as gone already. Where the balance does not reach for
 * all of them, this one waits for theirs and is verified again.
 */
export const sign: Step = async (kit, row, memo) => {
  if (!memo.facts) return verifyClaim(kit, row, memo)
  const { balance } = memo.facts
  memo.facts = undefined
  const chain = chainOf(kit.parts.chains, row.network)
  const data = transferCalldata(transferOf(row, chain), row.suffix)
  const { funded, maxFeePerGas, maxPriorityFeePerGas } = await kit.parts.fees.terms(row.network)
  await kit.parts.lanes.known(row.network)
  return kit.db.transaction().execute(async (tx) => {
    await lockPayer(tx, row)
    const reserved = await inFlightAmount(tx, row.network, row.asset, row.payer)
    if (balance < reserved + BigInt(row.amount)) return undefined
    if (await costsTooMuch(kit, tx, row)) return refusePayment(kit, tx, row, 'invalid_exact_evm_transaction_failed')
    const { lane, chainNonce } = await takeChainNonce(tx, row.network, funded)
    const gas = BigInt(kit.config.GAS_LIMIT)
    const call = { chain, lane, chainNonce, data, gas, maxFeePerGas, maxPriorityFeePerGas }
    const { raw, hash } = await signCall(kit.parts.keys, call)
    const now = new Date(kit.clock.now())
    await storeTransaction(tx, {
      hash,
      network: row.network,
      lane,
      chain_nonce: chainNonce,
      payment_key: row.key,
      raw,
      created_at: now,
      sent_at: null,
    })
    return movePayment(tx, row, 'stored', { facts: { lane, chain_nonce: chainNonce, tx_hash: hash }, now })
  })
}

/** A payer who moves his money away between verification and settlement makes us pay gas for nothing. */
async function costsTooMuch({ config, clock }: FacilitatorKit, tx: FacilitatorTx, row: Payment): Promise<boolean> {
  const reverts = await revertsSince(tx, row, new Date(clock.now() - HOUR_MS))
  return reverts >= config.REVERTS_PER_PAYER
}
