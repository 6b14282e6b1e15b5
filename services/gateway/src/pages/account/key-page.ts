import type { OutputOf, oauth, router } from '@callboard/contract'
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import type { Page } from '../shell/document.ts'

/** Shows a key that was just made. No page shows it again. */
const keyPage = (title: string, { label, key }: { label: string; key: string }, use: ComponentChildren): Page => ({
  status: 200,
  title,
  body: html`
    <p class="notice" role="status">This is the key “${label}”. It is shown only this once: copy it now. If you lose it, revoke it and make another.</p>
    <pre>${key}</pre>
    ${use}
    <p><a class="button" href="/account">Back to your account</a></p>
  `,
})

export const apiKeyPage = (made: OutputOf<typeof oauth.createKey>): Page =>
  keyPage(
    'Your new API key',
    made,
    html`<p>Programs send it as <code>Authorization: Bearer</code> and can do everything with your listings that you can. <a href="/docs">See what they can call</a></p>`,
  )

export const routerKeyPage = (made: OutputOf<typeof router.createKey>): Page =>
  keyPage(
    'Your new Router key',
    made,
    html`
      <p>OpenAI’s clients take it as their API key, with this base URL:</p>
      <pre>${made.baseUrl}</pre>
      <p>Anthropic’s clients take the same key, with this base URL:</p>
      <pre>${new URL(made.baseUrl).origin}</pre>
    `,
  )

interface NewKey {
  readonly formToken: string
  /** The form that its owner filled in and that was not carried out, of this or another thing. */
  readonly filled?: URLSearchParams
}

const leftOf = (filled: URLSearchParams | undefined, what: 'key' | 'router-key'): URLSearchParams | undefined =>
  filled?.get('do') === 'make-key' && filled.get('what') === what ? filled : undefined

/** The form for a new API key. */
export const NewApiKey = ({ formToken, filled }: NewKey) => html`
  <details open=${leftOf(filled, 'key') !== undefined}>
    <summary>Make an API key</summary>
    <p class="meta">For a program of yours that manages your listings.</p>
    <form method="post" action="/account">
      <input type="hidden" name="csrf" value=${formToken} />
      <input type="hidden" name="do" value="make-key" />
      <${Named} id="new-key" left=${leftOf(filled, 'key')} />
      <p><button class="small" name="what" value="key">Make the API key</button></p>
    </form>
  </details>
`

/** The form for a new key to language models. */
export const NewRouterKey = ({ formToken, filled }: NewKey) => {
  const left = leftOf(filled, 'router-key')
  return html`<details open=${left !== undefined}>
    <summary>Make a Router key</summary>
    <p class="meta">For a client of language models. It can spend what it draws on, or less if you set a daily limit.</p>
    <form method="post" action="/account">
      <input type="hidden" name="csrf" value=${formToken} />
      <input type="hidden" name="do" value="make-key" />
      <${Named} id="new-router-key" left=${left} />
      <p>
        <label for="new-source">It draws on</label>
        <select id="new-source" name="source">
          <option value="compute">your daily Compute</option>
          <option value="balance" selected=${left?.get('source') === 'balance'}>your balance</option>
        </select>
      </p>
      <p>
        <label for="new-limit">Daily limit in USD (empty for none)</label>
        <input id="new-limit" name="daily_limit_usd" type="number" inputmode="decimal" min="0" step="0.01" value=${left?.get('daily_limit_usd')} />
      </p>
      <p><button class="small" name="what" value="router-key">Make the Router key</button></p>
    </form>
  </details>`
}

const Named = ({ id, left }: { id: string; left: URLSearchParams | undefined }) => html`
  <p>
    <label for=${id}>A name to recognise it by</label>
    <input id=${id} name="label" required maxlength="80" autocomplete="off" value=${left?.get('label')} />
  </p>
`
