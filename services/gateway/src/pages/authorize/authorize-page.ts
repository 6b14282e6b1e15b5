import type { AuthorizationRequest } from '@callboard/contract'
import type { Refusal } from '@callboard/values'
import { html } from 'htm/preact'
import { signInAt } from '../owner/return-to.ts'
import { Choices } from '../shell/choices.ts'
import type { Page } from '../shell/document.ts'
import { Fact } from '../shell/fact.ts'
import { ScopeTick, startsTicked } from '../shell/grants.ts'
import { AS_LEFT, counted, short } from '../wording.ts'

export interface Consent {
  readonly request: AuthorizationRequest
  /** The signed-in owner. */
  readonly owner: string
  /** The path of this request, to return to. */
  readonly path: string
  /** The query as received. */
  readonly query: string
  /** Binds the form to the session and the request. */
  readonly formToken: string
  /** Set if nothing was ticked. */
  readonly isEmpty?: true
  /** The scopes that the owner had ticked before their wallet signed again; absent on the first visit. */
  readonly ticked?: readonly string[]
}

/** The kinds of destination of an answer, in words. */
const PLACES: Readonly<Record<AuthorizationRequest['redirect']['to'], string>> = {
  site: 'The website that gets your answer',
  loopback: 'A program on this computer gets your answer',
  program: 'The app on this device that handles this name gets your answer',
}

const NAMED_BY_ITSELF = 'Claimed by the program. Any program can register, under any name'
const NAMED_BY_DOCUMENT = 'Claimed by the document below. Anyone can write one, under any name'

/** The consent page: who asks for an authorization, what it permits, on behalf of whom, and the decision. */
export const authorizePage = (consent: Consent): Page => ({
  status: consent.isEmpty ? 400 : 200,
  title: 'Let a program act for you?',
  posts: true,
  redirectsTo: consent.request.redirect.formAction,
  body: html`
    ${
      consent.isEmpty &&
      html`<p class="problem" role="alert">
        Nothing was decided. Tick at least one thing that the program can do, or deny the program.
      </p>`
    }
    ${consent.ticked && !consent.isEmpty && html`<p class="notice">${AS_LEFT}</p>`}
    <${Who} ...${consent.request} />
    <form method="post" action="/oauth/authorize">
      <input type="hidden" name="query" value=${consent.query} />
      <input type="hidden" name="csrf" value=${consent.formToken} />
      <input type="hidden" name="refreshes" value=${String(consent.request.lifetimes.mostDays !== null)} />
      <input type="hidden" name="form_action" value=${consent.request.redirect.formAction} />
      <${Grants} ...${consent} />
      <p>
        Signed in as <code>${short(consent.owner)}</code>.${' '}
        <a href=${signInAt(consent.path)}>Not you? Change wallet</a>
      </p>
      <p class="notice warned">
        Allow only what you started yourself a moment ago, at a place that you know.${' '}
        <strong>If someone sent you this link, deny.</strong>
      </p>
      <${Choices} deny="Deny this program" approve="Allow this program" />
    </form>
    <${More} ...${consent} />
  `,
})

const Who = ({ client, redirect, allowedBefore }: AuthorizationRequest) => html`<dl class="sheet">
  <div class="first">
    <dt>${PLACES[redirect.to]}</dt>
    <dd><strong class="code">${redirect.host}</strong></dd>
    <dd class="origin">Checked by this service</dd>
  </div>
  <${Fact} name="Name" origin=${client.documentHost ? NAMED_BY_DOCUMENT : NAMED_BY_ITSELF}>
    ${client.name ?? 'None given'}
  <//>
  ${
    client.documentHost &&
    html`<${Fact} name="Identified by" origin="Read by this service">
      Metadata document of <strong>${client.documentHost}</strong>
      ${redirect.to !== 'site' && ', which does not prove that a program on your device is the one it describes'}
    <//>`
  }
  <${Fact} name="Allowed before" origin="Known to this service">
    ${allowedBefore ? 'Yes, by you. That permission continues, whatever you decide now' : 'No, you have not allowed this program yet'}
  <//>
</dl>`

const Grants = ({ request: { scopes, lifetimes }, isEmpty, ticked }: Consent) => html`
  <fieldset>
    <legend>What it can do</legend>
    ${scopes.map(
      (scope) =>
        html`<${ScopeTick}
          scope=${scope}
          ticked=${!isEmpty && (ticked === undefined ? startsTicked(scope) : ticked.includes(scope))}
        />`,
    )}
    <p class="origin">${howLong(lifetimes)} You can end it earlier on <a href="/account">your account page</a>.</p>
  </fieldset>
`

const howLong = ({ accessTokenSeconds, unusedDays, mostDays }: AuthorizationRequest['lifetimes']): string =>
  unusedDays === null || mostDays === null
    ? `For ${counted(Math.ceil(accessTokenSeconds / 60), 'minute')}.`
    : `For up to ${counted(mostDays, 'day')}. It ends sooner if it is not used for ${counted(unusedDays, 'day')}.`

const More = ({ request: { client, audience }, owner }: Consent) => html`
  <details>
    <summary>More about this request</summary>
    <dl class="sheet">
      <${Fact} name="Client id" origin=${client.documentHost ? 'The address of that document' : 'Assigned by this service'}>
        <code>${client.id}</code>
      <//>
      <${Fact} name="For use at" origin="Requested by the program"><code>${audience}</code><//>
      <${Fact} name="Your account"><code>${owner}</code><//>
    </dl>
  </details>
`

/** For a visitor who is not signed in; it shows nothing of the request. */
export const signInPrompt = (path: string, status: 200 | 403 = 200): Page => ({
  status,
  title: 'Sign in to decide on a request',
  body: html`${status === 403 && html`<p class="problem">You are no longer signed in. Nothing was decided.</p>`}
    <p>A program asks to act for you. Only the owner of an account can allow that. Signing in costs nothing.</p>
    <p><a class="button primary" href=${signInAt(path)}>Sign in with your wallet</a></p>`,
})

/** For a request with an unknown client or redirect URI: its visitor is sent nowhere. */
export const unanswerable = (reason: string): Page => ({
  status: 400,
  title: 'This request cannot be answered',
  body: html`<p>${reason} Nothing was granted, and you were not redirected.</p>
    <p>
      Start again from the program that sent you here. If that fails too, the program’s registration is gone or has changed.
      Its makers can fix that.
    </p>`,
})

/** For a client whose metadata document cannot be read now: its visitor is sent nowhere either. */
export const unreadable = ({ message, retryAfterSeconds = 5 }: Refusal): Page => ({
  status: 503,
  title: 'This request cannot be checked right now',
  retryAfterSeconds,
  body: html`<p>${message} Nothing was granted, and you were not redirected.</p>
    <p>Try again in ${retryAfterSeconds} s. If this keeps happening, the program’s makers have to fix their server.</p>`,
})
