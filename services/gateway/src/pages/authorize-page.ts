import type { AuthorizationRequest, Scope } from '@callboard/contract'
import type { Refusal } from '@callboard/values'
import { html } from 'htm/preact'
import type { Page } from './document.ts'
import { Line } from './link-page.ts'
import { signInAt } from './return-to.ts'
import { AS_LEFT, SCOPE_SENTENCES } from './wording.ts'

export interface Consent {
  readonly request: AuthorizationRequest
  /** The signed-in owner. */
  readonly owner: string
  /** The path of this request, to come back to. */
  readonly path: string
  /** The request as it came. */
  readonly query: string
  /** Binds the form to the session and the request. */
  readonly formToken: string
  /** Nothing was ticked. */
  readonly isEmpty?: true
  /** The scopes that the owner had left ticked before their wallet signed again; all that are asked for when absent. */
  readonly ticked?: readonly string[]
}

/** Only an agent has a daily limit. */
const SENTENCES: Readonly<Record<Scope, string>> = {
  ...SCOPE_SENTENCES,
  'router.use': 'Spend your Compute allowance and Router balance',
}

/** What the place that the answer goes to is. */
const PLACES: Readonly<Record<AuthorizationRequest['redirect']['to'], string>> = {
  site: 'The website that gets your answer',
  loopback: 'A program on this computer gets your answer',
  program: 'The app on this device that answers to this name gets your answer',
}

const NAMED_BY_ITSELF = 'Claimed by the program; any program can register, under any name'
const NAMED_BY_DOCUMENT = 'Claimed by the document below; anyone can write one, under any name'

/** Who asks for an authorization, what it may do, and where the answer goes: the page of the consent. */
export const authorizePage = (consent: Consent): Page => ({
  status: consent.isEmpty ? 400 : 200,
  title: 'Let a program act for you?',
  posts: true,
  redirectsTo: consent.request.redirect.formAction,
  body: html`
    ${
      consent.isEmpty &&
      html`<p class="problem" role="alert">
        Nothing was decided. Tick at least one thing that the program can do, or deny it.
      </p>`
    }
    ${consent.ticked && !consent.isEmpty && html`<p class="notice">${AS_LEFT}</p>`}
    <dl><${Facts} ...${consent.request} /></dl>
    <form method="post" action="/oauth/authorize">
      <input type="hidden" name="query" value=${consent.query} />
      <input type="hidden" name="csrf" value=${consent.formToken} />
      <fieldset>
        <legend>What it can do</legend>
        ${consent.request.scopes.map(
          (scope) => html`<label class="tick">
            <input type="checkbox" name="scopes" value=${scope} checked=${!consent.isEmpty && (consent.ticked?.includes(scope) ?? true)} />
            <span>${SENTENCES[scope]} <span class="origin">(<code>${scope}</code>)</span></span>
          </label>`,
        )}
      </fieldset>
      <p>
        You are signed in as <code>${consent.owner}</code>.${' '}
        <a href=${signInAt(consent.path)}>Not you? Sign out or change wallet</a>
      </p>
      <p class="notice">
        Allow only if you started this yourself a moment ago, and if you know the place that the answer goes to. If
        someone sent you this link, deny.
      </p>
      <div class="choices">
        <button name="decision" value="deny">Deny this program</button>
        <button name="decision" value="approve">Allow this program</button>
      </div>
    </form>
  `,
})

const Facts = ({ client, redirect, audience }: AuthorizationRequest) => html`
  <${Line} name=${PLACES[redirect.to]} origin="Checked by this service">
    <strong class="code">${redirect.host}</strong>
  <//>
  <${Line} name="Name" origin=${client.documentHost ? NAMED_BY_DOCUMENT : NAMED_BY_ITSELF}>
    ${client.name ?? 'None given'}
  <//>
  ${
    client.documentHost &&
    html`<${Line} name="Known by" origin="Read by this service">
      Metadata document of <strong class="code">${client.documentHost}</strong>
      ${redirect.to !== 'site' && ', which does not tell whether a program on your device is the one it describes'}
    <//>`
  }
  <${Line} name="Client id" origin=${client.documentHost ? 'The address of that document' : 'Given by this service'}>
    <code>${client.id}</code>
  <//>
  <${Line} name="For use at" origin="Asked by the program"><code>${audience}</code><//>
`

/** For whoever is not signed in; nothing of the request is told before. */
export const signInPrompt = (path: string, status: 200 | 403 = 200): Page => ({
  status,
  title: 'Sign in to decide on a request',
  body: html`${status === 403 && html`<p class="problem">You are not signed in any more. Nothing was decided.</p>`}
    <p>A program asks to act for you. Only the owner of an account can allow that. Signing in costs nothing.</p>
    <p><a class="button" href=${signInAt(path)}>Sign in with your wallet</a></p>`,
})

/** A request that nobody may be sent on from. */
export const unanswerable = (reason: string): Page => ({
  status: 400,
  title: 'This request cannot be answered',
  body: html`<p>${reason} Nothing was granted, and you were not sent on.</p>
    <p>
      Start again from the program that sent you here. If it fails again, its registration is gone or is another one; its
      makers can mend that.
    </p>`,
})

/** A request of a client whose metadata document cannot be read now; nobody may be sent on from here either. */
export const unreadable = ({ message, retryAfterSeconds = 5 }: Refusal): Page => ({
  status: 503,
  title: 'This request cannot be looked at now',
  retryAfterSeconds,
  body: html`<p>${message} Nothing was granted, and you were not sent on.</p>
    <p>Try again in ${retryAfterSeconds} s. If it goes on, its makers have to mend their server.</p>`,
})
