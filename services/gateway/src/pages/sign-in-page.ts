import { html } from 'htm/preact'
import type { Page } from './document.ts'
import { SIGN_IN_SCRIPT } from './paths.ts'

interface About {
  readonly owner: string | undefined
  readonly returnTo: string | undefined
  /** Who is signed in has come to sign once more. */
  readonly again: boolean
  /** The ids of the chains whose wallets may sign in; the wallet's own counts where none is known. */
  readonly chainIds: readonly string[]
}

/** Where an owner proves their wallet; `sign-in.client.js` brings it to life. */
export const signInPage = (about: About): Page => ({
  status: 200,
  title: 'Sign in with your wallet',
  script: SIGN_IN_SCRIPT,
  body: html`
    ${
      about.owner &&
      html`<p>
          You are signed in as <code>${about.owner}</code>.${' '}
          ${
            about.again
              ? 'Sign once more with this wallet to go on.'
              : html`<a href=${about.returnTo ?? '/link'}>Go on</a>`
          }
        </p>
        <p><button id="sign-out" type="button">Sign out</button></p>
        <h2>${about.again ? 'Sign once more' : 'Use another wallet'}</h2>`
    }
    <p>Your wallet signs a message that proves the account is yours. It costs nothing and moves nothing.</p>
    <noscript>
      <p class="problem">Signing in needs script in this page, because your wallet talks to it.</p>
    </noscript>
    <div id="sign-in" data-return-to=${about.returnTo ?? '/signin'} data-chains=${about.chainIds.join(' ')}>
      <ul id="wallets" class="wallets" aria-label="Wallets in this browser"></ul>
      <p id="no-wallet" class="notice" hidden>
        No wallet was found in this browser. Install a wallet extension, or open this page in the browser of your wallet.
      </p>
      <p id="same-wallet" class="problem" hidden>
        Two wallets call themselves by the same identifier. Choose only one that you recognise.
      </p>
      <section id="confirm" aria-labelledby="confirm-heading" hidden>
        <h2 id="confirm-heading">The message to sign</h2>
        <pre id="message"></pre>
        <p><button id="sign" type="button">Sign this message</button></p>
      </section>
      <p id="status" role="status"></p>
    </div>
  `,
})
