import { chainOf, clientOf } from '@callboard/evm'
import { coalesce } from '@callboard/runtime'
import { type Caip2, type Hex, memoizeBy } from '@callboard/values'
import { ChainUnavailable, TokenPaused } from '../../chain/chain-unavailable.ts'
import { LENS_MOST } from '../../chain/payer-lens.ts'
import { readSent } from '../../chain/sent-facts.ts'
import type { BatchingContext } from '../../context.ts'
import { leasePayments } from '../../store/lease.repository.ts'
import { type Move, movePayments } from '../../store/move.repository.ts'
import { findPayments, tellingClaims } from '../../store/payment.repository.ts'
import { failAll } from '../steps/record-failed.ts'
import { settleAll } from '../steps/record-settled.ts'
import { askAll } from './ask-chain.ts'
import type { Answer, Batcher, Failed, Question, Settled, SignRequest } from './batcher.ts'
import { signBatch } from './sign-batch.ts'

/** Rows per statement. */
const ROWS = 500

export function openBatcher(ctx: BatchingContext): Batcher {
  const { db, resources } = ctx
  const rows = { most: ROWS }
  const isShared = (error: unknown) => error instanceof ChainUnavailable
  const move = coalesce((moves: readonly Move[]) => movePayments(moves, new Date(ctx.clock.now())).execute(db), rows)
  const ask = perNetwork((network) =>
    coalesce((questions: readonly Question[]) => askAll(ctx, network, questions), { most: LENS_MOST, isShared }),
  )
  const sign = perNetwork((network) =>
    coalesce((requests: readonly SignRequest[]) => signBatch(ctx, network, requests), { ...rows, isShared }),
  )
  const settle = perNetwork((network) => coalesce((all: readonly Settled[]) => settleAll(ctx, network, all), rows))
  const fail = perNetwork((network) => coalesce((all: readonly Failed[]) => failAll(ctx, network, all), rows))
  const sent = perNetwork((network) =>
    coalesce(
      async (hashes: readonly Hex[]) => {
        const found = await readSent(clientOf(resources.clients, network), chainOf(resources.chains, network), hashes)
        return hashes.map((hash) => found.get(hash))
      },
      { ...rows, isShared },
    ),
  )
  return {
    find: coalesce(async (keys: readonly string[]) => {
      const found = new Map((await findPayments(db, keys)).map((row) => [row.key, row]))
      return keys.map((key) => found.get(key))
    }, rows),
    claim: coalesce(tellingClaims(db), rows),
    lease: coalesce((keys: readonly string[]) => leasePayments(db, keys, resources.instance), rows),
    move,
    ask: async (question) => unlessPaused(question, await ask(question.transfer.network)(question)),
    sign: (request) => sign(request.row.network)(request),
    sent: (network, hash) => sent(network)(hash),
    settle: (settled) => settle(settled.row.network)(settled),
    fail: (failed) => fail(failed.move.seen.network)(failed),
  }
}

/** Reports a payment that was already made as such; for any other, a paused token allows no conclusion. */
function unlessPaused({ transfer: { network } }: Question, answer: Answer): Answer {
  if (answer.paused && !answer.authorizationUsed) throw new TokenPaused(network)
  return answer
}

/** Makes one instance per network. */
const perNetwork = <Made>(make: (network: Caip2) => Made) => memoizeBy(make, (network) => network)
