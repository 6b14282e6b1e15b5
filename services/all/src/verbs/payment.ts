import type { Env } from '@callboard/runtime'
import { type Attempt, type PaymentStory, paymentStory, type StoredPayment } from '../payment-story.ts'
import { besideTables, unreadLine } from '../tables-beside.ts'
import { printable } from './printable.ts'

/**
 * Prints the story of a payment: its state, the transactions that were tried, its events, and who was credited.
 * @param asked a transaction's hash, a payment's key or a request's id; letter case does not matter
 * @returns 1 where nothing that was read tells of it
 */
export async function printPayment(env: Env, asked: string): Promise<number> {
  return besideTables(env, async (tables) => {
    const story = await paymentStory(tables, asked.toLowerCase())
    console.log([...linesOf(story), ...unreadLine(story.unread)].join('\n'))
    if (story.payments.length > 0 || story.observed.length > 0) return 0
    console.error(
      story.unread.length === 0
        ? `${asked}: no payment and no observed settlement has this key, hash or request id`
        : `${asked}: nothing that was read has this key, hash or request id; the rest may`,
    )
    return 1
  })
}

const linesOf = ({ payments, attempts, observed, told, credited }: PaymentStory): string[] => [
  ...payments.flatMap((payment) =>
    paymentLines(
      payment,
      attempts.filter(({ paymentKey }) => paymentKey === payment.key),
    ),
  ),
  ...observed.map(
    ({ network, txHash, logIndex, block, payer, payTo, amount, facilitator }) =>
      `seen on ${network} in block ${block}: ${txHash} log ${logIndex} moved ${amount} from ${payer} to ${payTo}${facilitator ? `, brought by ${facilitator}` : ''}`,
  ),
  ...told.map(({ service, name, at, publishedAt, gaveUp }) =>
    gaveUp === null
      ? `${at.toISOString()} ${service} told ${name}, ${publishedAt ? `published ${publishedAt.toISOString()}` : 'not published yet'}`
      : `${at.toISOString()} ${service} gave up ${name}: ${printable(gaveUp)}`,
  ),
  ...credited.map(({ service, sentence }) => `credited by ${service}: ${sentence}`),
  ...(payments.length + observed.length > 0 && credited.length === 0
    ? ['credited to no one that the tables read tell of']
    : []),
]

function paymentLines(payment: StoredPayment, attempts: readonly Attempt[]): string[] {
  const { key, state, reason, payer, payTo, amount, requestId, createdAt, updatedAt, bought, confirmation } = payment
  return [
    `payment ${key}`,
    `  ${state}${reason ? ` (${printable(reason)})` : ''} since ${updatedAt.toISOString()}, claimed ${createdAt.toISOString()} by request ${requestId ?? 'of an older release'}`,
    `  ${amount} base units from ${payer} to ${payTo}${bought ? `, for ${bought}` : ''}; counts once it is ${confirmation}`,
    ...attempts.map(
      ({ hash, lane, chainNonce, signedAt, sentAgainAt }) =>
        `  attempt ${hash} of ${lane}, nonce ${chainNonce}, signed ${signedAt.toISOString()}${sentAgainAt ? `, sent again ${sentAgainAt.toISOString()}` : ''}`,
    ),
    ...settledLines(payment),
  ]
}

const settledLines = ({ settledTx, block, isForeign }: StoredPayment): string[] =>
  settledTx ? [`  decided by ${settledTx} in block ${block}${isForeign ? ', which a third party submitted' : ''}`] : []
