import { type LinkRequest, MAX_LINKS, type Scope } from '@callboard/contract'
import { html } from 'htm/preact'
import { signInAt } from '../owner/return-to.ts'
import type { Page } from '../shell/document.ts'
import { SCOPE_SENTENCES, short } from '../wording.ts'

/** The form for the code that the agent shows. */
const CodeEntry = ({ code }: { readonly code?: string }) =>
  html`<form method="get" action="/link">
    <p>
      <label for="code">The code your agent shows</label>
      <input
        id="code"
        name="user_code"
        class="code"
        required
        autocomplete="off"
        autocapitalize="characters"
        spellcheck=${false}
        maxlength="32"
        value=${code}
        aria-describedby="code-hint"
      />
      <br /><span id="code-hint" class="hint">Eight letters. Case and hyphens do not matter.</span>
    </p>
    <button class="primary">Continue</button>
  </form>`

export const codeEntry: Page = {
  status: 200,
  title: 'Link an agent',
  body: html`<p>Enter the code only if you started this yourself.</p>
    <${CodeEntry} />`,
}

/** A code as it was typed, if it can be one. */
const typedCode = (code: string): string => (/^[A-Za-z -]{1,32}$/.test(code) ? code : '')

/** For an owner whom a page of another site sent here: it could send many wrong codes, which are counted as the owner's. */
export const codeSentHere = (code: string): Page => ({
  ...codeEntry,
  body: html`<p>Another page sent you here. Continue only if you started this yourself.</p>
    <${CodeEntry} code=${typedCode(code)} />`,
})

/** For a visitor who is not signed in; it shows nothing about a code. */
export const signInPrompt = (path: string, status: 200 | 403 = 200): Page => ({
  status,
  title: 'Sign in to link an agent',
  body: html`${status === 403 && html`<p class="problem">You are no longer signed in. Nothing was decided.</p>`}
    <p>Only the owner of an account can link an agent to it. Signing in costs nothing and moves no funds.</p>
    <p><a class="button primary" href=${signInAt(path)}>Sign in with your wallet</a></p>`,
})

/** Unknown, used, denied and expired codes look alike. */
export const unusableCode = (code: string): Page => ({
  status: 404,
  title: 'This code cannot be used',
  body: html`<p>No open request has this code. It is unknown, has been used, or is too old. Nothing was changed.</p>
    <p>Compare it with what your agent shows, or start again from the agent.</p>
    <${CodeEntry} code=${typedCode(code)} />`,
})

/** For a form whose request was shown to its owner: a second press of a button, a reload, or an answer that came late. */
export const alreadyDecided = (status: 404 | 409): Page => ({
  status,
  title: 'This request is no longer open',
  body: html`<p>
      It was decided before, or is too old. If you pressed a button twice, the first press counts. This one changed
      nothing.
    </p>
    <p>Your account page lists every agent that acts for you. If this one is missing, it can ask again.</p>
    <p><a class="button" href="/account">Your agents</a></p>`,
})

export const tooManyCodes = (retryAfterSeconds: number): Page => ({
  status: 429,
  title: 'Too many attempts',
  retryAfterSeconds,
  body: html`<p>Too many wrong codes were entered. Try again in ${retryAfterSeconds} s. Nothing was changed.</p>`,
})

export const noSlotLeft: Page = {
  status: 409,
  title: 'You cannot link another agent',
  body: html`<p>${MAX_LINKS} of ${MAX_LINKS} agents are linked. Nothing was granted.</p>
    <p>End an agent that you do not need. Then let this one ask again.</p>
    <p><a class="button" href="/account">Your agents</a></p>`,
}

/** What an approval granted. */
export interface Granted {
  readonly request: LinkRequest
  readonly scopes: readonly Scope[]
  readonly routerAllowanceUsd: number
  readonly trustDevice: boolean
  readonly routerUnavailable: boolean
}

export function approved({ request, scopes, routerAllowanceUsd, trustDevice, routerUnavailable }: Granted): Page {
  const { wallet } = request.proven
  const { label, device } = request.claimed
  return {
    status: 200,
    title: 'The agent is linked',
    body: html`<p class="done" role="status">
        Agent ${label} with the wallet <code>${short(wallet)}</code> now acts for you. Return to your agent.
      </p>
      <h2>What you granted</h2>
      <ul>
        ${scopes.map((scope) => html`<li>${SCOPE_SENTENCES[scope]}</li>`)}
        ${scopes.includes('router.use') && html`<li>A daily Router limit of ${routerAllowanceUsd} USD, for your Compute and not for a balance that you bought</li>`}
        ${trustDevice && html`<li>Trust in the device ${device}</li>`}
      </ul>
      ${scopes.includes('router.use') && html`<${RouterKey} isMissing=${routerUnavailable} />`}
      <h2>How to end it</h2>
      <p>
        <a href="/account">Your account page</a> lists every agent, each with a button that ends it. The agent’s tokens and
        Router keys then stop working at once.
      </p>`,
  }
}

/** Some OAuth libraries pass on only the token answer's members that they know, and the Router key is in no other. */
const RouterKey = ({ isMissing }: { isMissing: boolean }) => html`
  <h2>If your agent has no Router key</h2>
  ${
    isMissing
      ? html`<p class="notice">The Router was unavailable, so the agent has no Router key yet.</p>`
      : html`<p>
        The agent receives the key once, as <code>router_key</code> next to its tokens. Some OAuth libraries drop members
        that they do not know, and the key with them.
      </p>`
  }
  <p>
    Nothing is lost. The agent can make another key with its access token: <code>POST /api/agents/self/router-key</code>. This
    ends its older keys. <a href="/docs#agents.createRouterKey">Reference</a>
  </p>
`

export const denied = (request: LinkRequest): Page => ({
  status: 200,
  title: 'The agent was denied',
  body: html`<p class="done" role="status">
      Agent ${request.claimed.label} with the wallet <code>${short(request.proven.wallet)}</code> did not get access.
    </p>
    <p>
      Nothing was granted. If someone sent you the link or the code, they tried to get into your account. Do not answer
      them.
    </p>`,
})
