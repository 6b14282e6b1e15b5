import type { HowToPay } from '@callboard/contract'
import { html } from 'htm/preact'

/** The ways to call and pay, each with what it takes. */
const WAYS: readonly (readonly [way: keyof HowToPay, what: unknown])[] = [
  [
    'cli',
    html`With the <code>callboard</code> command, for no more than this price, and within its <code>policy.json</code>,
      which allows 0.10 USD per call if there is none`,
  ],
  [
    'client',
    html`In TypeScript, with <code>@callboard/client</code> and <code>viem</code>, for no more than this price`,
  ],
  [
    'typescript',
    html`In TypeScript, with the stock <code>@x402/fetch</code>, <code>@x402/evm</code> and <code>viem</code>, for no
      more than this price`,
  ],
  ['python', html`In Python, with <code>x402[httpx,evm]</code>, for no more than this price`],
  ['curl', html`To see the offer without paying: the answer is the 402`],
]

/** Texts to copy that call an endpoint and pay for it. A catalog of the version before gives fewer. */
export const Snippets = ({ howToPay }: { howToPay: Partial<HowToPay> }) =>
  WAYS.map(
    ([way, what]) =>
      howToPay[way] !== undefined &&
      html`<p>${what}:</p>
        <pre class="whole">${howToPay[way]}</pre>`,
  )
