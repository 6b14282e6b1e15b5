import { oauth as operations } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import { oauth } from '@callboard/oauth'
import type { ServiceModule } from '@callboard/runtime'
import {
  signedMessage,
  startTestServices,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
  wallet,
} from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { expect } from 'vitest'

export const REDIRECT = 'https://client.example/callback'
/** What a client says about itself. */
export const METADATA = {
  client_name: 'A client <b>of a third party</b>',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
}

type Fields = readonly (readonly [string, string])[]
const ALLOW: Fields = [
  ['decision', 'approve'],
  ['scopes', 'mcp:call'],
]

/** A gateway and an oauth service on a port, with one owner signed in, and what the owner's browser does. */
export type OauthStage = Awaited<ReturnType<typeof openOauthStage>>

/** @param more services to run in addition, and further settings */
export async function openOauthStage(
  postgresUrl: string,
  more: { readonly modules?: readonly ServiceModule[]; readonly env?: Record<string, string> } = {},
) {
  const database = await testDatabase(postgresUrl)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const wide = { burst: 1_000, perMinute: 6_000 }
  const services = await startTestServices([oauth, ...(more.modules ?? []), gateway], {
    databaseUrl: database.url,
    env: {
      PORT: String(port),
      BASE_URL: base,
      RATE_LIMITS: JSON.stringify({ link: wide, manage: wide }),
      DEVNET: UNREACHABLE_DEVNET,
      ...more.env,
    },
  })
  const cookie = await signIn(base)

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) => postTo(base + path, body, headers)

  const open = (url: URL | string, headers: Record<string, string> = { cookie }) =>
    fetch(url, { headers, redirect: 'manual' })

  /** Opens a page as the owner's browser does, and sends its form with more fields. */
  async function submit(url: URL | string, fields: Fields = ALLOW, headers: Record<string, string> = {}) {
    const html = await (await open(url)).text()
    return fetch(`${base}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: base, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams([
        ['query', hidden(html, 'query')],
        ['csrf', hidden(html, 'csrf')],
        ...fields.map((field) => [...field]),
      ]),
    })
  }

  /** The owner allows a request. @returns where the browser is sent */
  async function allowed(url: URL | string): Promise<URL> {
    const answer = await submit(url)
    expect(answer.status, await answer.text()).toBe(303)
    return new URL(answer.headers.get('location') ?? '')
  }

  async function close(): Promise<void> {
    await services.stop()
    await database.drop()
  }

  const callerOf = (credential: string) => callerBy(services, credential)
  return { base, cookie, services, post, open, submit, allowed, callerOf, close }
}

const postTo = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

async function signIn(base: string): Promise<string> {
  const { nonce } = (await (await fetch(`${base}/api/auth/siwe-nonce?purpose=login`)).json()) as { nonce: string }
  const message = await signedMessage(wallet(1), { purpose: 'login', nonce, baseUrl: base })
  const answer = await postTo(`${base}/api/auth/session`, message)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function callerBy({ call }: TestServices, credential: string) {
  const answer = await call(operations.introspect, { credential, kind: 'bearer' })
  return !isRefusal(answer) && answer.active ? answer.caller : undefined
}

export const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The value of a hidden field of a page's form. */
export const hidden = (html: string, name: string): string =>
  unescaped(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '')

/** The target of the button on a page that does not redirect automatically. */
export const wayBack = (html: string): URL =>
  new URL(unescaped(/<a class="button" href="([^"]*)" rel="noreferrer">/.exec(html)?.[1] ?? ''))
