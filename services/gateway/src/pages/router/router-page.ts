import type { OutputOf, router } from '@callboard/contract'
import { baseUnits, decimalText } from '@callboard/values'
import { html } from 'htm/preact'
import { signInAt } from '../owner/return-to.ts'
import type { Page } from '../shell/document.ts'
import { Fact, Time } from '../shell/fact.ts'
import { counted } from '../wording.ts'
import { type Asked, TopUp } from './top-up.ts'

type Usage = OutputOf<typeof router.usage>
type Row = Usage['usage'][number]

/** What an owner may spend on language models and has spent, and how to buy more. */
export interface Spending {
  readonly usage: Usage
  /** The owner's names for its keys, by id; without agents' keys and ended ones. */
  readonly labels: ReadonlyMap<string, string>
  /** The price of a top-up; undefined while it cannot be requested. */
  readonly asked: Asked | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

/** Rows of usage on the page. */
const SHOWN_ROWS = 50

export const routerPage = ({ usage, labels, asked, now }: Spending): Page => {
  const { usage: rows, more = 0 } = usage
  const shown = rows.slice(0, SHOWN_ROWS)
  return {
    status: 200,
    title: 'Router balance and usage',
    wide: true,
    body: html`
      <p>What your Router keys may spend on language models, and what they have spent.</p>
      <${Left} usage=${usage} now=${now} />
      <h2>Top up</h2>
      <${TopUp} asked=${asked} />
      <h2>Usage in the last 31 days</h2>
      ${
        rows.length === 0
          ? html`<p class="empty">None of your keys was used in the last 31 days.</p>`
          : html`<${Rows} rows=${shown} labels=${labels} />`
      }
      <${Rest} count=${rows.length - shown.length + more} />
      <p><a class="button" href="/account">Your account</a></p>
    `,
  }
}

/** What is left of today’s Compute and of the balance. */
export const Left = ({ usage: { compute, balance }, now }: Pick<Spending, 'usage' | 'now'>) => html`
  <dl class="sheet">
    <${Fact} name="Compute left today">
      ${compute.remainingUsd} USD of ${compute.limitUsd}; ${compute.spentUsd} spent${
        compute.heldUsd !== '0' && `, ${compute.heldUsd} held for calls in progress`
      }. Resets <${Time} at=${compute.resetsAt} now=${now} />.
    <//>
    <${Fact} name="Balance left">
      ${
        balance
          ? `${balance.remainingUsd} USD of ${balance.purchasedUsd} bought; ${balance.spentUsd} spent${heldOf(balance)}.`
          : '0 USD. You have not bought any yet.'
      }
    <//>
  </dl>
`

/** More digits than any amount in USD has: nothing is rounded. */
const USD_DIGITS = 18
const unitsOf = (usd: string): bigint => baseUnits(usd, USD_DIGITS) ?? 0n

/** What is neither left nor spent belongs to calls in progress. */
function heldOf({ purchasedUsd, spentUsd, remainingUsd }: NonNullable<Usage['balance']>): string {
  const held = unitsOf(purchasedUsd) - unitsOf(spentUsd) - unitsOf(remainingUsd)
  return held > 0n ? `, ${decimalText(held, USD_DIGITS)} held for calls in progress` : ''
}

const Rest = ({ count }: { count: number }) =>
  count > 0
    ? html`<p class="meta">And ${counted(count, 'more row')}, from earlier days or other keys. The sums above include all of them.</p>`
    : null

const SOURCES: Readonly<Record<Row['source'], string>> = { compute: 'Compute', balance: 'balance' }

const Rows = ({ rows, labels }: { rows: readonly Row[]; labels: Spending['labels'] }) => html`
  <table>
    <caption class="visually-hidden">Usage by day, model and key</caption>
    <thead>
      <tr><th scope="col">Day</th><th scope="col">Model</th><th scope="col">Key</th><th scope="col">Calls</th><th scope="col">Cost</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ day, model, keyId, source, calls, costUsd }) => html`<tr>
          <td>${day}</td>
          <td>${model}</td>
          <td>${labels.get(keyId) ?? html`<span class="meta">an agent’s key, or ended</span>`}</td>
          <td>${calls}</td>
          <td>${costUsd} USD from ${SOURCES[source]}</td>
        </tr>`,
      )}
    </tbody>
  </table>
`

/** For a visitor who is not signed in. */
export const signInForRouter: Page = {
  status: 200,
  title: 'Sign in to see your Router balance',
  body: html`<p>This page shows what your Router keys may spend on language models, what they have spent, and how to buy more.</p>
    <p><a class="button primary" href=${signInAt('/account/router')}>Sign in with your wallet</a></p>`,
}
