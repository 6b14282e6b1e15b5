import { freePort } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import { signedMessage, wallet } from '@callboard/testkit'
import { BASE_URL, openStage, type Stage } from '../stage.ts'

/** The services behind their gateway, as an HTTP client sees them. */
export interface Face {
  readonly stage: Stage
  send(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: object): Promise<Response>
  /** @returns the headers of a browser in which a wallet is signed in */
  signIn(walletIndex: number): Promise<Readonly<Record<string, string>>>
  close(): Promise<void>
}

const wide = { burst: 1_000, perMinute: 6_000 }

export async function openFace(): Promise<Face> {
  const port = await freePort()
  const RATE_LIMITS = JSON.stringify({ relay: wide, manage: wide, signIn: wide })
  const stage = await openStage({ modules: [gateway], env: { PORT: String(port), RATE_LIMITS } })
  const send: Face['send'] = (method, path, headers = {}, body) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  return {
    stage,
    send,
    async signIn(walletIndex) {
      const { nonce } = (await (await send('GET', '/api/auth/siwe-nonce?purpose=login')).json()) as { nonce: string }
      const asked = { purpose: 'login' as const, nonce, baseUrl: BASE_URL, now: stage.clock.now() }
      const answer = await send('POST', '/api/auth/session', {}, await signedMessage(wallet(walletIndex), asked))
      if (!answer.ok) throw new Error(`The sign-in answered ${answer.status}: ${await answer.text()}`)
      return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', origin: BASE_URL }
    },
    close: () => stage.close(),
  }
}
