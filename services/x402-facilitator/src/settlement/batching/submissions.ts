import { type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Logger } from '@callboard/runtime'
import type { Caip2, Hex } from '@callboard/values'
import {
  heldAgainstChain,
  isIncluded,
  type MinedTransaction,
  type ReceivedTransaction,
  received,
} from '../../chain/sent-facts.ts'
import { refusalOf } from '../../chain/signing.ts'
import type { Payment } from '../../store/tables.ts'
import type { StoredTransactions } from './stored-transactions.ts'

/** A stored transaction on its way to a node, for all payments that it carries. */
export interface Submission {
  /** Resolves when a node has answered: with the transaction, where the answer is its receipt. Never rejects. */
  readonly answered: Promise<ReceivedTransaction | undefined>
  /** Resolves after that: with the transaction, where the chain has the block that the receipt names. Never rejects. */
  readonly included: Promise<MinedTransaction | undefined>
  /** Runs `work` on the first call only, regardless of which of its payments calls. */
  readonly once: (work: () => void) => void
}

interface SubmissionsContext {
  readonly chains: ChainSet
  readonly clients: ChainClients
  readonly stored: StoredTransactions
  readonly log: Logger
}

type Pushed = ReceivedTransaction & { readonly network: Caip2 }

/**
 * Sends stored transactions to nodes, each one at a time regardless of how many payments it carries. A receipt in a
 * node's answer counts like one that was requested; any other answer, or none, proves nothing.
 */
export class Submissions {
  readonly #ctx: SubmissionsContext
  readonly #underWay = new Map<Hex, Submission>()

  constructor(ctx: SubmissionsContext) {
    this.#ctx = ctx
  }

  of({ key, tx_hash: hash }: Payment): Submission {
    if (!hash) throw new Error(`payment ${key} is signed and has no transaction`)
    const underWay = this.#underWay.get(hash)
    if (underWay) return underWay
    let isDone = false
    const answered = this.#submit(hash)
    const submission: Submission = {
      answered,
      included: this.#held(hash, answered).finally(() => this.#underWay.delete(hash)),
      once: (work) => {
        if (isDone) return
        isDone = true
        work()
      },
    }
    this.#underWay.set(hash, submission)
    return submission
  }

  async #submit(hash: Hex): Promise<Pushed | undefined> {
    const { clients, stored, log } = this.#ctx
    try {
      const { network, raw } = await stored.take(hash)
      const found = received(await clientOf(clients, network).submit(raw))
      return found && { ...found, network }
    } catch (error) {
      log.warn({ hash, refusal: refusalOf(error) }, 'no node took a settlement, or none says so')
      return undefined
    }
  }

  async #held(hash: Hex, answered: Promise<Pushed | undefined>): Promise<MinedTransaction | undefined> {
    const { chains, clients, log } = this.#ctx
    const found = await answered
    if (!found) return undefined
    const { network } = found
    try {
      const [held] = await heldAgainstChain(clientOf(clients, network), chainOf(chains, network), [found])
      return isIncluded(held) ? held : undefined
    } catch (error) {
      log.warn({ hash, refusal: refusalOf(error) }, 'a receipt could not be held against the chain')
      return undefined
    }
  }
}
