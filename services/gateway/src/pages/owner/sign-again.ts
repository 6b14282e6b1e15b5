import { FRESH_SIGNATURE_MS, LIGHT_ALLOWANCE_USD } from '@callboard/contract'
import { MINUTE_MS } from '@callboard/values'
import { html } from 'htm/preact'
import type { Page } from '../shell/document.ts'
import { signInAgainAt } from './return-to.ts'

/** What needs a fresh signature, in the words of each deciding page. */
export const WEIGHS_MORE = {
  agent: `The agent may create and change listings in your name, its device is trusted, or your agents together may spend more than ${LIGHT_ALLOWANCE_USD} USD per day.`,
  program: 'The program may create and change listings in your name, or spend without a daily limit.',
  account: `Your agents together may spend more than ${LIGHT_ALLOWANCE_USD} USD per day.`,
  key: 'A key acts in your name, or spends your money, until you revoke it.',
} as const

/** For an owner whose wallet last signed too long ago for what they want to allow. */
export const signAgain = (path: string, whatWeighs: string): Page => ({
  status: 403,
  title: 'Sign again to allow this',
  body: html`<p class="notice" role="alert">
      Nothing has been decided yet. Your wallet signed in more than ${FRESH_SIGNATURE_MS / MINUTE_MS} minutes ago, and what you are
      about to allow carries more risk than most. ${whatWeighs}
    </p>
    <p>
      Your wallet therefore has to sign once more, which costs nothing. You then return to where you were, and decide.
    </p>
    <p><a class="button primary" href=${signInAgainAt(path)}>Sign again with your wallet</a></p>
    <p><a href=${path}>Go back without signing</a></p>`,
})
