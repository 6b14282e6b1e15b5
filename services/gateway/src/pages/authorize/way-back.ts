import type { AuthorizationRequest } from '@callboard/contract'
import { html } from 'htm/preact'
import type { Page } from '../shell/document.ts'

/** An answer other than a code, for a program that this owner has not allowed. */
interface Refused {
  /** The redirect URI with the error. */
  readonly redirectTo: string
  readonly redirect: AuthorizationRequest['redirect']
}

const WHY: Readonly<Record<string, string>> = {
  invalid_request: 'This service cannot answer the program’s request.',
  unsupported_response_type: 'The program asks for a type of response that this service does not give.',
  invalid_scope: 'The program asks for something that does not exist, or for more than it registered for.',
  invalid_target: 'The program asks for a resource that is not part of this service.',
}

/**
 * Shown before an owner continues to a program that they have not allowed. Anyone can register a program and send a
 * link with a faulty request; if it redirected automatically, that link would lead from our address to theirs.
 * @source RFC 9700 §4.11.2
 */
export function wayBackPage({ redirectTo, redirect }: Refused): Page {
  const error = errorOf(redirectTo)
  const denied = error === 'access_denied'
  return {
    status: denied ? 200 : 400,
    title: denied ? 'The program was denied' : 'The program’s request is not valid',
    body: html`
      <p class=${denied ? 'done' : 'problem'} role="status">
        ${denied ? '' : `${WHY[error] ?? WHY.invalid_request} `}Nothing was granted, and nothing has been sent yet.
      </p>
      <p>
        ${
          denied
            ? 'If someone sent you the link that led here, you are done: close this page.'
            : 'If someone sent you the link that led here, close this page. The program’s makers can fix the request.'
        }
      </p>
      <p>
        If you came from the program yourself, go back so that it gets this answer: <strong>${redirect.host}</strong>${
          redirect.to === 'site' ? ', another website' : ', on your device'
        }.
      </p>
      <p><a class="button" href=${redirectTo} rel="noreferrer">Go back to ${redirect.host}</a></p>
      <p class="origin">The answer it gets: <code>${error}</code></p>
    `,
  }
}

const errorOf = (redirectTo: string): string => {
  const query = redirectTo.slice(redirectTo.indexOf('?') + 1)
  return new URLSearchParams(query).getAll('error').at(-1) ?? ''
}
