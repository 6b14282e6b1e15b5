import { clientOf } from '@callboard/evm'
import type { Caip2, Hex } from '@callboard/values'
import { ChainAway } from '../chain/chain-away.ts'
import { LENS_MOST } from '../chain/payer-lens.ts'
import { type MinedTransaction, readMined } from '../chain/sent-facts.ts'
import type { JointKit } from '../kit.ts'
import { leasePayments } from '../store/lease.repository.ts'
import { type Move, movePayments } from '../store/move.repository.ts'
import { type Claim, claimPayments, findPayments } from '../store/payment.repository.ts'
import type { Payment } from '../store/tables.ts'
import { type Answer, askAll, type Question } from './ask-chain.ts'
import { type Settled, settleAll } from './record-settled.ts'
import { sendAll } from './send-step.ts'
import { type SignOutcome, type SignWish, signAll } from './sign-together.ts'
import { together } from './together.ts'

/** Rows of one statement. */
const ROWS = 500

/**
 * What payments do together. Each is driven by itself, step by step; what a step asks of Postgres or of a node travels
 * with what the others ask at that moment. Nothing of this decides anything.
 */
export interface Joint {
  readonly find: (key: string) => Promise<Payment | undefined>
  /** @returns undefined when the key is taken */
  readonly claim: (claim: Claim) => Promise<Payment | undefined>
  /** Takes or renews a lease for this process. @returns undefined when the payment is not open or somebody else's */
  readonly lease: (key: string) => Promise<Payment | undefined>
  /** @returns undefined when somebody else moved the payment or took it over */
  readonly move: (move: Move) => Promise<Payment | undefined>
  /** @throws ChainAway */
  readonly ask: (question: Question) => Promise<Answer>
  /** @throws ChainAway */
  readonly sign: (wish: SignWish) => Promise<SignOutcome>
  readonly send: (row: Payment) => Promise<void>
  /** A transaction, once it is in a block. @throws ChainAway */
  readonly mined: (network: Caip2, hash: Hex) => Promise<MinedTransaction | undefined>
  /** @returns undefined when somebody else moved the payment or took it over */
  readonly settle: (settled: Settled) => Promise<Payment | undefined>
}

export function openJoint(kit: JointKit): Joint {
  const { db, parts } = kit
  const rows = { most: ROWS }
  const isShared = (error: unknown) => error instanceof ChainAway
  const move = together((moves: readonly Move[]) => movePayments(db, moves, new Date(kit.clock.now())), rows)
  const ask = perNetwork((network) =>
    together((questions: readonly Question[]) => askAll(kit, network, questions), { most: LENS_MOST, isShared }),
  )
  const sign = perNetwork((network) =>
    together((wishes: readonly SignWish[]) => signAll(kit, network, wishes), { ...rows, isShared }),
  )
  const send = perNetwork(() => together((signed: readonly Payment[]) => sendAll(kit, signed), rows))
  const settle = perNetwork(() => together((all: readonly Settled[]) => settleAll(kit, all), rows))
  const mined = perNetwork((network) =>
    together(
      async (hashes: readonly Hex[]) => {
        const found = await readMined(clientOf(parts.clients, network), network, hashes)
        return hashes.map((hash) => found.get(hash))
      },
      { ...rows, isShared },
    ),
  )
  return {
    find: together(async (keys: readonly string[]) => {
      const found = new Map((await findPayments(db, keys)).map((row) => [row.key, row]))
      return keys.map((key) => found.get(key))
    }, rows),
    claim: together((claims: readonly Claim[]) => claimPayments(db, claims), rows),
    lease: together((keys: readonly string[]) => leasePayments(db, keys, parts.instance), rows),
    move,
    ask: (question) => ask(question.transfer.network)(question),
    sign: (wish) => sign(wish.row.network)(wish),
    send: (row) => send(row.network)(row),
    mined: (network, hash) => mined(network)(hash),
    settle: (settled) => settle(settled.row.network)(settled),
  }
}

/** One of each per network, made when it is first needed. */
function perNetwork<T>(make: (network: Caip2) => T): (network: Caip2) => T {
  const made = new Map<Caip2, T>()
  return (network) => {
    const one = made.get(network) ?? make(network)
    made.set(network, one)
    return one
  }
}
