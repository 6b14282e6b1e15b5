import { html } from 'htm/preact'
import type { Page } from '../shell/document.ts'
import { counted } from '../wording.ts'
import { type Thing, WORDS } from './things.ts'

interface Asked {
  readonly title: string
  /** What tells the thing from others of the same name. */
  readonly mark?: string | undefined
  readonly means: string
  /** The fields of the form in addition to its token. */
  readonly fields: Readonly<Record<string, string>>
  readonly verb: string
  readonly formToken: string
  /** A checkbox: its field, value and label. */
  readonly also?: { readonly field: string; readonly value: string; readonly text: string }
}

const confirmPage = ({ title, mark, means, fields, verb, formToken, also }: Asked): Page => ({
  status: 200,
  title,
  posts: true,
  body: html`${mark && html`<p>This is <code>${mark}</code>.</p>`}
    <p>${means}</p>
    <form method="post" action="/account">
      <input type="hidden" name="csrf" value=${formToken} />
      ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      ${
        also &&
        html`<label class="tick">
          <input type="checkbox" name=${also.field} value=${also.value} />
          <span>${also.text}</span>
        </label>`
      }
      <div class="choices">
        <a class="button" href="/account">Go back</a>
        <button class="ends">${verb}</button>
      </div>
    </form>`,
})

/** Asks for confirmation if something that runs would break. */
export const confirmEnd = ({ kind, id, name, mark, descendants }: Thing, formToken: string): Page =>
  confirmPage({
    title: `End ${WORDS[kind].called} “${name}”?`,
    means: [WORDS[kind].means ?? '', ...(descendants > 0 ? [withIt(descendants)] : [])].join(' '),
    mark,
    fields: { do: 'end', what: kind, id },
    verb: 'End it',
    formToken,
    ...(descendants > 0
      ? {
          also: {
            field: 'descendants',
            value: 'keep',
            text: `Keep ${counted(descendants, 'agent')} linked through it`,
          },
        }
      : {}),
  })

const withIt = (count: number): string =>
  `${counted(count, 'agent')} that ${count === 1 ? 'was' : 'were'} linked through it, without asking you, ` +
  `${count === 1 ? 'ends' : 'end'} with it.`

export const confirmEndEverything = (formToken: string): Page =>
  confirmPage({
    title: 'End everything that acts for you?',
    means:
      'Every agent, Router key, API key, program and trust in a device ends at once. Every browser is signed out, including ' +
      'this one. You keep what you own, and the backups of your agents. Anyone who holds your wallet’s key can sign in again: if someone else has the key, ' +
      'move what the wallet owns to another wallet.',
    fields: { do: 'end-everything' },
    verb: 'End everything',
    formToken,
    also: { field: 'listings', value: 'true', text: 'Also take my listings offline and close my postings' },
  })

export const confirmSignOutEverywhere = (formToken: string): Page =>
  confirmPage({
    title: 'Sign out everywhere?',
    means:
      'Every browser that is signed in with your wallet is signed out, including this one. Agents, API keys and programs ' +
      'have tokens of their own and keep working. End them on your account page.',
    fields: { do: 'sign-out-everywhere' },
    verb: 'Sign out everywhere',
    formToken,
    also: { field: 'grants', value: 'true', text: 'Also end every program' },
  })
