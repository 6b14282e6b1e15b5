import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { oauth, type TokenAnswer } from '@callboard/contract'
import { lock } from 'proper-lockfile'
import { z } from 'zod'
import { Api, ApiRefusal, ApiUnreachable } from './api.ts'

/** What an agent stores about its link. */
export const Credentials = z.object({
  baseUrl: z.url(),
  clientId: z.string(),
  owner: z.string(),
  scope: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  /** Unix milliseconds. */
  accessTokenEnds: z.number(),
  routerKey: z.string().optional(),
  routerBaseUrl: z.string().optional(),
})
export type Credentials = z.output<typeof Credentials>

/** There are no credentials, or they are no longer valid: the agent must be linked. */
export class NotLinked extends Error {
  override readonly name = 'NotLinked'
}

/** The file of a link is there, and cannot be used: a new link would replace one that may be valid. */
export class CredentialsUnusable extends Error {
  override readonly name = 'CredentialsUnusable'
}

/**
 * Written atomically, also where the power is cut, and readable only by its owner. A link stays one: others may share the
 * file that it names.
 */
export function writeSecretFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const target = existsSync(file) ? realpathSync(file) : file
  const next = `${target}.${process.pid}`
  rmSync(next, { force: true })
  const fd = openSync(next, 'wx', 0o600)
  try {
    writeFileSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(next, target)
}

/** Credentials in a file of mode 600, shared by processes: one of them refreshes while the others wait. */
export class CredentialsFile {
  readonly file: string

  constructor(file: string) {
    this.file = file
  }

  /** @throws NotLinked when there is none, CredentialsUnusable when it cannot be read */
  read(): Credentials {
    let text: string
    try {
      text = readFileSync(this.file, 'utf8')
    } catch (cause) {
      const { code = '' } = cause as NodeJS.ErrnoException
      if (['ENOENT', 'ENOTDIR'].includes(code)) throw new NotLinked(`There is no link in ${this.file}`, { cause })
      const mend = 'Make it readable for the user that runs this command.'
      throw new CredentialsUnusable(`${this.file} cannot be read (${code}). ${mend}`, { cause })
    }
    const parsed = Credentials.safeParse(parsedJson(text))
    if (parsed.success) return parsed.data
    throw new CredentialsUnusable(
      `${this.file} does not hold the credentials of a link. Restore it, or move it away and link this agent again.`,
    )
  }

  keep(baseUrl: string, clientId: string, tokens: TokenAnswer): Credentials {
    const { router_key: routerKey, router_base_url: routerBaseUrl } = tokens
    const kept: Credentials = {
      baseUrl,
      clientId,
      owner: tokens.owner_wallet,
      scope: tokens.scope,
      accessToken: tokens.access_token,
      ...(tokens.refresh_token ? { refreshToken: tokens.refresh_token } : {}),
      accessTokenEnds: Date.now() + tokens.expires_in * 1_000,
      ...(routerKey && routerBaseUrl ? { routerKey, routerBaseUrl } : {}),
    }
    writeSecretFile(this.file, `${JSON.stringify(kept, null, 2)}\n`)
    return kept
  }

  forget(): void {
    rmSync(this.file, { force: true })
  }

  /** Returns an access token that is valid for a while longer, refreshing it if needed. @throws NotLinked */
  async accessToken(): Promise<string> {
    const kept = this.read()
    if (isFresh(kept)) return kept.accessToken
    const release = await lock(this.file, { retries: { retries: 50, minTimeout: 50, maxTimeout: 500 }, stale: 15_000 })
    try {
      // Another process may have refreshed it while this one waited: a refresh token works only once.
      const now = this.read()
      return isFresh(now) ? now.accessToken : (await this.#refresh(now)).accessToken
    } finally {
      await release()
    }
  }

  async #refresh(kept: Credentials): Promise<Credentials> {
    const { baseUrl, clientId, refreshToken } = kept
    if (!refreshToken) throw new NotLinked('The access token has expired, and there is no refresh token')
    try {
      const input = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }
      const ask = () => new Api({ baseUrl, timeoutMs: REFRESH_TIMEOUT_MS }).call(oauth.token, input)
      const tokens = await ask().catch((error: unknown) => {
        if (error instanceof ApiUnreachable) return ask()
        throw error
      })
      // Transfers to the owner have no limit: only a link, which its owner approved, says who that is.
      if (tokens.owner_wallet.toLowerCase() !== kept.owner.toLowerCase())
        throw new NotLinked(`${baseUrl} answered with the link of another owner, ${tokens.owner_wallet}`)
      const { routerKey, routerBaseUrl } = kept
      const router = routerKey && routerBaseUrl ? { router_key: routerKey, router_base_url: routerBaseUrl } : {}
      return this.keep(baseUrl, clientId, { ...router, ...tokens })
    } catch (error) {
      const isOver = error instanceof ApiRefusal && ['invalid_grant', 'invalid_client'].includes(error.code)
      if (isOver)
        throw new NotLinked('The link is no longer valid: the owner ended it, or it was not used for too long', {
          cause: error,
        })
      throw error
    }
  }
}

const MARGIN_MS = 60_000

/**
 * A refresh token works once, and a repeat is answered for 30 s: after that it counts as stolen, and the link ends. An
 * answer that is lost is therefore asked for again well before.
 */
const REFRESH_TIMEOUT_MS = 10_000

const isFresh = ({ accessTokenEnds }: Credentials) => accessTokenEnds - MARGIN_MS > Date.now()

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
