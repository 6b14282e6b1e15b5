import { type LinkRequest, MAX_ALLOWANCE_USD, MAX_LINKS } from '@callboard/contract'
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import type { Page } from './document.ts'
import type { Filled } from './link-form.ts'
import { signInAt } from './return-to.ts'
import { AS_LEFT, grouped, relative, SCOPE_SENTENCES, short, shownCode } from './wording.ts'

export interface Decision {
  readonly request: LinkRequest
  /** The signed-in owner. */
  readonly owner: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Binds the form to the session and the code. */
  readonly formToken: string
  /** What the owner had filled in, and what is wrong with it; absent at first sight. */
  readonly filled?: Filled
}

/** Who wants to be linked, where each fact comes from, and what the owner may give: the page of the decision. */
export function linkPage(decision: Decision): Page {
  const { request, formToken, filled } = decision
  return {
    status: filled?.problems.length ? 400 : 200,
    title: 'Link an agent to your account?',
    posts: true,
    body: html`
      <${Problems} filled=${filled} />
      <dl><${Facts} ...${decision} /></dl>
      <form method="post" action="/link">
        <input type="hidden" name="user_code" value=${request.userCode} />
        <input type="hidden" name="csrf" value=${formToken} />
        <${Grants} request=${request} filled=${filled} />
        <${Standing} ...${decision} />
        <${Choices} isFull=${isFull(request)} />
      </form>
    `,
  }
}

/** Whether an approval would be one link too many. */
const isFull = ({ linked }: LinkRequest): boolean => linked >= MAX_LINKS

/** One fact, and where it comes from. */
export function Line({ name, origin, children }: { name: string; origin?: string; children?: ComponentChildren }) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${children}</dd>
    ${origin && html`<dd class="origin">${origin}</dd>`}
  </div>`
}

function Time({ at, now }: { at: string; now: number }) {
  return html`<time datetime=${at}>${relative(Date.parse(at), now)}</time>`
}

function Facts({ request, now }: Decision) {
  const { proven, claimed, seen, expiresAt } = request
  return html`
    <${Line} name="Code" origin="Compare with the code your agent shows">
      <strong class="code">${shownCode(request.userCode)}</strong>
    <//>
    <${Line} name="Agent wallet" origin="Proved by signature">
      <code>${grouped(proven.wallet)}</code> (${short(proven.wallet)})
    <//>
    <${Line} name="Agent label" origin="Claimed by the requester">${claimed.label}<//>
    <${Line} name="Device" origin="Claimed by the requester">${claimed.device ?? 'None named'}<//>
    <${Line} name="Asked from" origin="Seen by this service">
      network address ${seen.requester.address}, program <bdi>${seen.requester.userAgent ?? 'not named'}</bdi>
    <//>
    <${Line} name="Asked" origin="Seen by this service">
      <${Time} at=${seen.askedAt} now=${now} />, expires <${Time} at=${expiresAt} now=${now} />
    <//>
  `
}

function Grants({ request, filled }: { request: LinkRequest; filled: Filled | undefined }) {
  const { scopes, suggestedAllowanceUsd, asksForTrust, claimed } = request
  const ticked = filled?.scopes ?? scopes
  return html`
    <fieldset>
      <legend>What it can do</legend>
      ${scopes.map(
        (scope) => html`<label class="tick">
          <input type="checkbox" name="scopes" value=${scope} checked=${ticked.includes(scope)} />
          <span>${SCOPE_SENTENCES[scope]} <span class="origin">(<code>${scope}</code>)</span></span>
        </label>`,
      )}
    </fieldset>
    ${
      scopes.includes('router.use') &&
      html`<p>
        <label for="allowance">Daily Router limit in USD, 0 to ${MAX_ALLOWANCE_USD}</label>
        <input
          id="allowance"
          name="router_allowance_usd"
          type="number"
          inputmode="decimal"
          min="0"
          max=${MAX_ALLOWANCE_USD}
          step="0.01"
          required
          aria-describedby="allowance-origin"
          aria-invalid=${filled?.problems.some(({ field }) => field === 'allowance') ? 'true' : undefined}
          value=${filled?.allowance ?? suggestedAllowanceUsd ?? 0}
        />
        <br />
        <span id="allowance-origin" class="origin">
          ${suggestedAllowanceUsd === null ? 'The requester suggested none' : 'Suggested by the requester'}; you decide
        </span>
      </p>`
    }
    ${
      asksForTrust &&
      claimed.device &&
      html`<label class="tick">
        <input type="checkbox" name="trust_device" value="true" checked=${filled?.trustDevice ?? false} />
        <span>
          Trust the device ${claimed.device}. Later agents from this device that ask for no more than these scopes and
          this limit will be approved without asking.
        </span>
      </label>`
    }
  `
}

function Standing({ request, owner, now }: Decision) {
  const { replaces, linked, userCode } = request
  return html`
    <p>
      You are signed in as <code>${owner}</code>.${' '}
      <a href=${signInAt(`/link?user_code=${shownCode(userCode)}`)}>Not you? Sign out or change wallet</a>
    </p>
    ${
      replaces &&
      html`<p class="notice">
        This wallet is linked already, as ${replaces.label}, since <${Time} at=${replaces.linkedAt} now=${now} />. The
        current link and its keys will be revoked.
      </p>`
    }
    <p>${linked} of ${MAX_LINKS} agents linked.</p>
    ${
      isFull(request) &&
      html`<p class="problem">
        You cannot link another one before you revoke one; <a href="/api/agents">your agents</a>.
      </p>`
    }
    <p class="notice">
      Approve only if you started this yourself a moment ago, on a device you control. Nobody from this service will send
      you a code or ask you to approve one. If someone sent you this link or code, deny.
    </p>
  `
}

function Choices({ isFull }: { isFull: boolean }) {
  return html`<div class="choices">
    <button name="decision" value="deny" formnovalidate>Deny this agent</button>
    <button name="decision" value="approve" disabled=${isFull}>Approve this agent</button>
  </div>`
}

function Problems({ filled }: { filled: Filled | undefined }) {
  if (!filled) return null
  if (filled.problems.length === 0) return html`<p class="notice">${AS_LEFT}</p>`
  return html`<div class="problem" role="alert">
    <p>Nothing was decided.</p>
    <ul>
      ${filled.problems.map(({ text }) => html`<li>${text}</li>`)}
    </ul>
  </div>`
}
