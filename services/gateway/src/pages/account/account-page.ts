import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { signInAt } from '../owner/return-to.ts'
import type { Page } from '../shell/document.ts'
import { AS_LEFT, counted } from '../wording.ts'
import { AgentItem, EndingItem } from './agent-item.ts'
import { BackupItem, DeviceItem, KeyItem, ProgramItem, RouterKeyItem, SessionItem } from './items.ts'
import { NewApiKey, NewRouterKey } from './key-page.ts'
import { Balance, Offers, UNAVAILABLE } from './overview.ts'
import { type Account, isLive, type Region } from './read-account.ts'
import type { Overview } from './read-overview.ts'

export interface Shown {
  readonly owner: string
  readonly account: Account
  readonly overview: Overview
  /** Epoch milliseconds. */
  readonly now: number
  /** Binds the forms to the session. */
  readonly formToken: string
  /** The form that its owner filled in and that was not carried out. */
  readonly filled?: URLSearchParams
  /** What was just done, or why it was not. */
  readonly said?: { readonly text: string; readonly status: 200 | 400 | 404 | 503 }
}

/** Lists everything that acts for an owner or is kept for them, each with its end, and what the owner has and offers. */
export const accountPage = ({ owner, account, overview, now, formToken, filled, said }: Shown): Page => {
  const about = { now, formToken, filled }
  return {
    status: said?.status ?? 200,
    title: 'Your account',
    posts: true,
    body: html`
      ${said && html`<p class=${said.status === 200 ? 'done' : 'problem'} role="status">${said.text}</p>`}
      ${filled && !said && html`<p class="notice">${AS_LEFT} <a href=${`#${fieldOf(filled)}`}>Go to the form</a></p>`}
      <${Unseen} agents=${account.agents} formToken=${formToken} />
      <p>You are signed in as <code>${owner}</code>.</p>
      <div class="actions">
        <form method="post" action="/account">
          <input type="hidden" name="csrf" value=${formToken} />
          <button class="small" name="do" value="sign-out">Sign out</button>
        </form>
        <a class="button small" href="/link">Link an agent</a>
        <a class="button small" href="/stake">Stake and Compute</a>
        <a class="button small" href=${signInAt('/account')}>Change wallet</a>
      </div>
      <${Section} title="Agents" region=${account.agents} none="No agent acts for you. When an agent asks to be linked, you approve it here.">
        ${(agent: Listed) => html`<${isLive(agent) ? AgentItem : EndingItem} ...${about} agent=${agent} />`}
      <//>
      <${Section} title="Programs" region=${account.programs} none="No program acts for you.">
        ${(grant: object) => html`<${ProgramItem} ...${about} grant=${grant} />`}
      <//>
      <${Section} title="API keys" region=${account.keys} none="You have no API key." adds=${html`<${NewApiKey} ...${about} />`}>
        ${(key: object) => html`<${KeyItem} ...${about} apiKey=${key} />`}
      <//>
      <${Section} title="Router keys" region=${account.routerKeys} none="You have not made a Router key. The keys of linked agents end with the agents." adds=${html`<${NewRouterKey} ...${about} />`}>
        ${(key: object) => html`<${RouterKeyItem} ...${about} routerKey=${key} />`}
      <//>
      <${Balance} usage=${overview.usage} now=${now} />
      <${Offers} offers=${overview.offers} />
      <${Section} title="Devices" region=${account.devices} none="None of your agents has named a device.">
        ${(device: object) => html`<${DeviceItem} ...${about} device=${device} />`}
      <//>
      <${Section} title="Backups" region=${account.backups} none="None of your agents has stored a backup of its device.">
        ${(backup: object) => html`<${BackupItem} ...${about} backup=${backup} />`}
      <//>
      <${Section} title="Sessions" region=${account.sessions} none="You have no session.">
        ${(session: object) => html`<${SessionItem} ...${about} session=${session} />`}
      <//>
      <form method="get" action="/account/end">
        <div class="actions">
          <button class="small ends" name="what" value="sessions">Sign out everywhere</button>
          <button class="small ends" name="what" value="everything">End everything</button>
        </div>
      </form>
    `,
  }
}

/** The first field of a form. */
const fieldOf = (filled: URLSearchParams): string => {
  if (filled.get('do') === 'set-limit') return `limit-${filled.get('id')}`
  return filled.get('what') === 'router-key' ? 'new-router-key' : 'new-key'
}

/** Shows what was linked without asking, until its owner confirms having seen it. */
function Unseen({ agents, formToken }: { agents: Account['agents']; formToken: string }) {
  const unseen = agents === 'unavailable' ? [] : agents.items.filter(isLive).filter(({ approval }) => !approval.seen)
  if (unseen.length === 0) return null
  return html`<div class="notice warned">
    <p>
      <strong>${counted(unseen.length, 'agent')} linked without asking you</strong>, because you trust the device:${' '}
      ${unseen.map(({ label }) => label).join(', ')}. End any that you do not recognise.
    </p>
    <form method="post" action="/account">
      <input type="hidden" name="csrf" value=${formToken} />
      ${unseen.map(({ clientId }) => html`<input type="hidden" name="id" value=${clientId} />`)}
      <button class="small" name="do" value="acknowledge">Mark as seen</button>
    </form>
  </div>`
}

type Listed = Extract<Account['agents'], object>['items'][number]

interface SectionProps<Item> {
  readonly title: string
  readonly region: Region<Item>
  /** Shown if there are no items. */
  readonly none: string
  /** The form that adds an item. */
  readonly adds?: ComponentChildren
  readonly children: (item: Item) => ComponentChildren
}

function Section<Item>({ title, region, none, adds, children }: SectionProps<Item>) {
  const count = region === 'unavailable' ? 0 : region.items.length + region.more
  return html`<section>
    <h2>${title}${count > 0 && html` <span class="meta">${count}</span>`}</h2>
    ${
      region === 'unavailable'
        ? UNAVAILABLE
        : count === 0
          ? html`<p class="empty">${none}</p>`
          : html`<ul class="items">
                ${region.items.map((item) => html`<li>${children(item)}</li>`)}
              </ul>
              ${region.more > 0 && html`<p class="meta">${moreOf(region.more)}</p>`}`
    }
    ${region !== 'unavailable' && adds}
  </section>`
}

const moreOf = (count: number): string =>
  `And ${count} more, which are shown once you end some of these. “Sign out everywhere” ends every session and, if you ` +
  'choose, every program.'

/** For a visitor who is not signed in. */
export const signInPrompt = (status: 200 | 403 = 200): Page => ({
  status,
  title: 'Sign in to see your account',
  body: html`${status === 403 && html`<p class="problem">You are no longer signed in. Nothing was changed.</p>`}
    <p>Your account lists the agents, programs, keys and browsers that act for you, each with a button that ends it. It also shows what your keys may spend, and the state of your listings.</p>
    <p><a class="button primary" href=${signInAt('/account')}>Sign in with your wallet</a></p>`,
})

/** Shown after signing out; says what is left that still acts for the owner. */
export const signedOut = (goesOn: string | undefined): Page => ({
  status: 200,
  title: 'You are signed out',
  body: html`<p class="done" role="status">This browser no longer has a session of yours.</p>
    ${goesOn && html`<p>${goesOn}</p>`}
    <p><a class="button" href=${signInAt('/account')}>Sign in again</a></p>`,
})
