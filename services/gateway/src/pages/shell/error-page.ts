import { BusFault } from '@callboard/bus'
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

/** A thrown error as a page; undefined for a fault of ours. @param form what was sent, if the form had been read */
export function errorPage(error: unknown, form?: unknown): Page | undefined {
  const refusal = refusalOf(error)
  if (!refusal) return undefined
  const status = declarationOf.get(refusal.refusal)?.status ?? 500
  return refusalPage(refusal, status, form === undefined || status < 500 || isNotBegun(error))
}

/** Whether a call certainly had no effect. A service that says that another is away may have done its own part. */
const isNotBegun = (error: unknown): boolean => error instanceof BusFault && error.retryable

function refusalPage({ refusal, message, retryAfterSeconds }: Refusal, status: number, isUnchanged: boolean): Page {
  const wait = retryAfterSeconds ?? (status === 503 ? 5 : undefined)
  return {
    status,
    title: TITLES[status] ?? 'The request was refused',
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    body: html`<p>${message ?? declarationOf.get(refusal)?.meaning}</p>
      ${!isUnchanged && html`<p>Whether anything was changed is not known. Open the page again and look, before you repeat it.</p>`}
      ${wait !== undefined && html`<p>Try again in ${wait} s.</p>`}
      ${isUnchanged && html`<p>Nothing was changed.</p>`}`,
  }
}

export const faultPage = (requestId: string): Page => ({
  status: 500,
  title: 'Something failed on our side',
  body: html`<p>The request ID is <code>${requestId}</code>. It identifies the failure in our logs.</p>`,
})
