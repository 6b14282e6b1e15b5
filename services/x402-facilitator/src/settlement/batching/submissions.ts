import { type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Logger } from '@callboard/runtime'
import type { Hex } from '@callboard/values'
import { inChain, type MinedTransaction, mined } from '../../chain/sent-facts.ts'
import { refusalOf } from '../../chain/signing.ts'
import type { Payment } from '../../store/tables.ts'
import type { StoredTransactions } from './stored-transactions.ts'

/** A stored transaction on its way to a node, for all payments that it carries. */
export interface Submission {
  /** Resolves when a node has answered: with the transaction, where the answer says in which block it is. Never rejects. */
  readonly answered: Promise<MinedTransaction | undefined>
  /** Does something the first time that it is asked to, whichever of its payments asks. */
  readonly once: (work: () => void) => void
}

interface SubmissionsContext {
  readonly chains: ChainSet
  readonly clients: ChainClients
  readonly stored: StoredTransactions
  readonly log: Logger
}

/**
 * Hands stored transactions to nodes, each once at a time, however many payments it carries. A receipt that a node answers
 * with is as good as one that it is asked for; that it answers something else, or nothing, says nothing.
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
    const submission: Submission = {
      answered: this.#submit(hash).finally(() => this.#underWay.delete(hash)),
      once: (work) => {
        if (isDone) return
        isDone = true
        work()
      },
    }
    this.#underWay.set(hash, submission)
    return submission
  }

  async #submit(hash: Hex): Promise<MinedTransaction | undefined> {
    const { chains, clients, stored, log } = this.#ctx
    try {
      const { network, raw } = await stored.take(hash)
      const client = clientOf(clients, network)
      const found = mined(await client.submit(raw))
      const [included] = found ? await inChain(client, chainOf(chains, network), [found]) : []
      return included
    } catch (error) {
      log.warn({ hash, refusal: refusalOf(error) }, 'no node took a settlement, or none says so')
      return undefined
    }
  }
}
