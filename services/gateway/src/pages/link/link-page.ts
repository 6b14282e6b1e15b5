import { type LinkRequest, MAX_ALLOWANCE_USD, MAX_LINKS } from '@callboard/contract'
import { html } from 'htm/preact'
import { signInAt } from '../owner/return-to.ts'
import { Choices } from '../shell/choices.ts'
import type { Page } from '../shell/document.ts'
import { Fact, Time } from '../shell/fact.ts'
import { Risk, ScopeTick, startsTicked } from '../shell/grants.ts'
import { AS_LEFT, grouped, short, shownCode } from '../wording.ts'
import type { Filled } from './link-form.ts'

export interface Decision {
  readonly request: LinkRequest
  /** The signed-in owner. */
  readonly owner: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Binds the form to the session and the code. */
  readonly formToken: string
  /** What the owner had filled in, and what is wrong with it; absent on the first visit. */
  readonly filled?: Filled
}

/** Who wants to be linked and who vouches for that, what the owner may grant, from which account, and the decision. */
export function linkPage(decision: Decision): Page {
  const { request, formToken, filled } = decision
  return {
    status: filled?.problems.length ? 400 : 200,
    title: 'Link an agent to your account?',
    posts: true,
    body: html`
      <${Problems} filled=${filled} />
      <${Who} ...${decision} />
      <form method="post" action="/link">
        <input type="hidden" name="user_code" value=${request.userCode} />
        <input type="hidden" name="csrf" value=${formToken} />
        <${Grants} request=${request} filled=${filled} />
        <${Account} ...${decision} />
        <p class="notice warned">
          Approve only what you started yourself a moment ago.${' '}
          <strong>If someone sent you this link or code, deny.</strong>
        </p>
        <${Choices} deny="Deny this agent" approve="Approve this agent" disabled=${isFull(request)} />
      </form>
      <${More} ...${decision} />
    `,
  }
}

/** Whether an approval would exceed the limit of links. */
const isFull = ({ linked }: LinkRequest): boolean => linked >= MAX_LINKS

const Who = ({ request, now }: Decision) => {
  const { proven, claimed, seen, userCode } = request
  return html`<dl class="sheet">
    <div class="first">
      <dt>Code</dt>
      <dd><strong class="code">${shownCode(userCode)}</strong></dd>
      <dd class="origin">Does your agent show the same code?</dd>
    </div>
    <${Fact} name="Agent wallet" origin="Proven by signature">
      <code>${grouped(proven.wallet)}</code>
    <//>
    <${Fact} name="Agent" origin="Claimed by the requester">
      ${claimed.label}${claimed.device !== null && ` on ${claimed.device}`}
    <//>
    <${Fact} name="Asked from" origin="Seen by this service">
      ${seen.requester.address}, <${Time} at=${seen.askedAt} now=${now} />
    <//>
  </dl>`
}

function Grants({ request, filled }: { request: LinkRequest; filled: Filled | undefined }) {
  const { scopes, asksForTrust, claimed } = request
  const ticked = filled?.scopes ?? scopes.filter(startsTicked)
  return html`
    <fieldset>
      <legend>What it can do</legend>
      ${scopes.map(
        (scope) => html`
          <${ScopeTick} scope=${scope} ticked=${ticked.includes(scope)} />
          ${scope === 'router.use' && html`<${Allowance} request=${request} filled=${filled} />`}
        `,
      )}
      ${
        asksForTrust &&
        claimed.device &&
        html`<label class="tick">
          <input type="checkbox" name="trust_device" value="true" checked=${filled?.trustDevice ?? false} />
          <span>
            Trust the device ${claimed.device}
            <${Risk}>Links later agents unasked, if they ask for no more<//>
          </span>
        </label>`
      }
    </fieldset>
  `
}

const Allowance = ({ request, filled }: { request: LinkRequest; filled: Filled | undefined }) => html`
  <div class="amount">
    <label for="allowance">Daily Router limit in USD</label>
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
      value=${filled?.allowance ?? 0}
    />
    <div id="allowance-origin" class="origin">
      ${
        request.suggestedAllowanceUsd === null
          ? 'None suggested.'
          : `The requester suggests ${request.suggestedAllowanceUsd}.`
      }
      ${' '}A bought balance has none.
    </div>
  </div>
`

const Account = ({ request, owner, now }: Decision) => html`
  <p>
    Signed in as <code>${short(owner)}</code>, ${request.linked} of ${MAX_LINKS} agents linked.${' '}
    <a href=${signInAt(`/link?user_code=${shownCode(request.userCode)}`)}>Not you? Change wallet</a>
  </p>
  ${
    request.replaces &&
    html`<p class="notice">
      This wallet was already linked as ${request.replaces.label}, <${Time} at=${request.replaces.linkedAt} now=${now} />. If you
      approve this agent, that link and its keys will be revoked.
    </p>`
  }
  ${request.trusted && html`<${OfTrustedDevice} request=${request} allowanceUsd=${request.trusted.allowanceUsd} />`}
  ${
    isFull(request) &&
    html`<p class="problem">
      You cannot link another agent until you end one on <a href="/account">your account page</a>.
    </p>`
  }
`

/** The name of a device is a claim like any other, and the trust in it is not bounded by what is granted here. */
const OfTrustedDevice = ({ request, allowanceUsd }: { request: LinkRequest; allowanceUsd: string }) => html`
  <p class="notice warned">
    You trust the device ${request.claimed.device}, and this agent says that it runs there. If you approve it, it can link
    other agents without asking you${
      request.scopes.includes('router.use') &&
      `. Together they may spend up to ${allowanceUsd} USD per day, whatever limit you set here`
    }.
  </p>
`

/** Further facts for an owner who has doubts. */
const More = ({ request, owner, now }: Decision) => html`
  <details>
    <summary>More about this request</summary>
    <p>This service will never send you a code or ask you to approve one.</p>
    <dl class="sheet">
      <${Fact} name="Program" origin="Claimed by the requester: its User-Agent">
        ${request.seen.requester.userAgent ?? 'None given'}
      <//>
      <${Fact} name="Expires" origin="Seen by this service"><${Time} at=${request.expiresAt} now=${now} /><//>
      <${Fact} name="Your account"><code>${owner}</code><//>
    </dl>
  </details>
`

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
