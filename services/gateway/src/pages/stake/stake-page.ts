import type { OutputOf, router } from '@callboard/contract'
import { decimalText } from '@callboard/values'
import { html } from 'htm/preact'
import { signInAt } from '../owner/return-to.ts'
import type { Page } from '../shell/document.ts'
import { Fact, Time } from '../shell/fact.ts'

export interface Staking {
  readonly owner: string
  readonly usage: OutputOf<typeof router.usage>
  /** Stake contracts by CAIP-2 network. */
  readonly contracts: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  readonly now: number
}

/** An owner’s stake, the Compute that it gives today and tomorrow, and the contracts that take stakes. */
export const stakePage = ({ owner, usage, contracts, now }: Staking): Page => {
  const { compute, stake, stakeDecimals } = usage
  return {
    status: 200,
    title: 'Your stake',
    body: html`
      <p>The tokens that <code>${owner}</code> has staked give it Compute: an amount in USD to spend on language models, renewed every day.</p>
      <dl class="sheet">
        <${Fact} name="Staked" origin="Read from the chain">${decimalText(BigInt(stake), stakeDecimals)} tokens<//>
        <${Fact} name="Compute today">${compute.limitUsd} USD<//>
        <${Fact} name="Spent today">${compute.spentUsd} USD${compute.heldUsd !== '0' && ` and ${compute.heldUsd} USD held for calls in progress`}<//>
        <${Fact} name="Left today">${compute.remainingUsd} USD<//>
        <${Fact} name="Compute tomorrow">
          ${compute.nextLimitUsd} USD, <${Time} at=${compute.resetsAt} now=${now} />, if the stake does not change
        <//>
      </dl>
      <p>Tokens that you stake count from 00:00 UTC on the next day. Tokens that you withdraw stop counting at once.</p>
      <h2>Where to stake</h2>
      <${Contracts} contracts=${contracts} />
      <p><a class="button" href="/account">Your account</a></p>
    `,
  }
}

function Contracts({ contracts }: Pick<Staking, 'contracts'>) {
  const named = Object.entries(contracts)
  if (named.length === 0) return html`<p class="empty">This instance has no stake contract.</p>`
  return html`<p>Stake and withdraw with this wallet, directly at the contract. No page here moves your tokens.</p>
    <ul class="items">
      ${named.map(([network, contract]) => html`<li><code>${contract}</code> on <code>${network}</code></li>`)}
    </ul>`
}

/** For a visitor who is not signed in. */
export const signInForStake: Page = {
  status: 200,
  title: 'Sign in to see your stake',
  body: html`<p>This page shows what your wallet has staked, and how much Compute that gives you today and tomorrow.</p>
    <p><a class="button primary" href=${signInAt('/stake')}>Sign in with your wallet</a></p>`,
}
