import { html } from 'htm/preact'
import { SIGN_IN_SCRIPT } from '../paths.ts'
import type { Page } from '../shell/document.ts'

interface About {
  readonly owner: string | undefined
  readonly returnTo: string | undefined
  /** Whether a signed-in owner has come to sign again. */
  readonly again: boolean
  /** The ids of the chains whose wallets may sign in; if none are known, the wallet's own is used. */
  readonly chainIds: readonly string[]
  /** This page's address, to be opened where the wallet is. */
  readonly address: string
}

const ACCOUNT = '/account'

/** The page where an owner proves their wallet; `sign-in.client.js` makes it work. */
export const signInPage = (about: About): Page => ({
  status: 200,
  title: 'Sign in with your wallet',
  script: SIGN_IN_SCRIPT,
  opensWallets: true,
  body: html`
    ${about.owner && html`<${SignedIn} ...${about} />`}
    <p>Your wallet signs a message that proves the account is yours. This costs nothing and moves no funds.</p>
    <noscript>
      <p class="problem">
        Signing in needs JavaScript on this page, because the page talks to your wallet. No other page of this service needs it.
      </p>
    </noscript>
    <div
      id="sign-in"
      data-return-to=${about.returnTo ?? ACCOUNT}
      data-chains=${about.chainIds.join(' ')}
    >
      <ul id="wallets" class="wallets" aria-label="Wallets in this browser"></ul>
      <p id="same-wallet" class="problem" hidden>
        Two wallets use the same identifier. Choose only one that you recognise.
      </p>
      <section id="confirm" aria-labelledby="confirm-heading" hidden>
        <h2 id="confirm-heading">The message to sign</h2>
        <pre id="message"></pre>
        <p><button id="sign" type="button" class="primary" aria-describedby="message">Sign this message</button></p>
      </section>
      <p id="status" role="status"></p>
      <${NoWallet} ...${about} />
    </div>
  `,
})

const SignedIn = ({ owner, returnTo, again }: About) => html`
  <p class="notice">
    You are signed in as <code>${owner}</code>.${' '}
    ${
      again
        ? 'Sign once more with this wallet to continue.'
        : html`<a href=${returnTo ?? ACCOUNT}>${returnTo ? 'Continue' : 'Your account'}</a>`
    }
  </p>
  <p><button id="sign-out" type="button" class="small" hidden>Sign out</button></p>
  <h2>${again ? 'Sign once more' : 'Use another wallet'}</h2>
`

/** Shown in a browser without any wallet. */
const NoWallet = ({ address }: About) => html`
  <section id="no-wallet" aria-labelledby="no-wallet-heading" hidden>
    <h2 id="no-wallet-heading">No wallet was found in this browser</h2>
    <p>A wallet is the program that holds your key. To use your wallet with this page, do one of the following:</p>
    <ul>
      <li>
        <strong>On a phone:</strong> open your wallet app, find its browser (often “Browser”, “Explore” or “dApps”), and open
        this address there: <code>${address}</code>
      </li>
      <li>
        <strong>On a computer:</strong> install your wallet’s browser extension from its makers’ website, unlock it, and
        reload this page.
      </li>
      <li>
        <strong>The wallet is in another browser or on another device:</strong> open the same address there. An agent’s
        code or link works wherever you are signed in.
      </li>
    </ul>
    <p>
      If you have an extension and it is not found, unlock it, allow it on this site, and reload the page. Some extensions are
      switched off in private windows.
    </p>
    <p><button id="look-again" type="button">Look again</button></p>
  </section>
`
