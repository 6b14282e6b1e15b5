import type { Refusal } from '@callboard/values'
import { html } from 'htm/preact'
import { declarationOf, refusalOf } from '../../answers/errors.ts'
import type { Page } from './document.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  403: 'The request did not come from our page',
  413: 'The request is too large',
  415: 'The request is not a form',
  429: 'Too many requests',
  503: 'A part of this service is unavailable',
  504: 'The answer took too long',
}

/** A thrown error as a page; undefined for a fault of ours. */
export function errorPage(error: unknown): Page | undefined {
  const refusal = refusalOf(error)
  return refusal && refusalPage(refusal)
}

function refusalPage({ refusal, message, retryAfterSeconds }: Refusal): Page {
  const declared = declarationOf.get(refusal)
  const status = declared?.status ?? 500
  const wait = retryAfterSeconds ?? (status === 503 ? 5 : undefined)
  return {
    status,
    title: TITLES[status] ?? 'The request was refused',
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    body: html`<p>${message ?? declared?.meaning}</p>
      ${wait !== undefined && html`<p>Try again in ${wait} s.</p>`}
      ${status !== 504 && html`<p>Nothing was changed.</p>`}`,
  }
}

export const faultPage = (requestId: string): Page => ({
  status: 500,
  title: 'Something failed on our side',
  body: html`<p>The request ID is <code>${requestId}</code>. It identifies the failure in our logs.</p>`,
})
