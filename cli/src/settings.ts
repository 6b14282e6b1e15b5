import { linkSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  Api,
  type Credentials,
  CredentialsFile,
  Ledger,
  NotLinked,
  SpendingPolicy,
  writeSecretFile,
} from '@callboard/client'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { z } from 'zod'
import { Usage } from './exit-codes.ts'

const DEFAULT_URL = 'http://127.0.0.1:8402'

/** Where the command stores its files, and which service it calls. */
export interface Settings {
  /** CALLBOARD_CONFIG_DIR, else `callboard` below XDG_CONFIG_HOME. */
  readonly folder: string
  readonly baseUrl: string
  /** Whether nothing named `baseUrl`. */
  readonly isDefaultUrl?: boolean
  readonly json: boolean
}

export function readSettings(given: {
  readonly url?: string | undefined
  readonly json?: boolean | undefined
}): Settings {
  const { CALLBOARD_CONFIG_DIR, XDG_CONFIG_HOME, CALLBOARD_URL } = process.env
  // An empty variable is not set: as a folder, it would be the one that the command happens to run in.
  const folder = CALLBOARD_CONFIG_DIR || join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'callboard')
  const named = given.url ?? (CALLBOARD_URL || undefined)
  const baseUrl = named ?? DEFAULT_URL
  if (!isHttpUrl(baseUrl)) throw new Usage(`--url: ${baseUrl} is not a URL, for example ${DEFAULT_URL}`)
  return { folder, baseUrl, isDefaultUrl: named === undefined, json: given.json ?? false }
}

/** Whether a text is an HTTP URL. `localhost:8402` parses as a URL too, with the scheme `localhost`. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

export const credentialsOf = ({ folder }: Settings): CredentialsFile => new CredentialsFile(join(folder, 'link.json'))

export const ledgerOf = ({ folder }: Settings): Ledger => new Ledger(join(folder, 'ledger.jsonl'))

/**
 * The link. No other service is asked in the name of its own, nor it in the name of another that the user named: what is
 * moved or ended there was not meant.
 * @throws NotLinked
 */
export function linkOf(settings: Settings): Credentials {
  const stored = credentialsOf(settings)
  const link = stored.read()
  if (settings.isDefaultUrl || isSameOrigin(link, settings)) return link
  throw new NotLinked(`The link in ${stored.file} is for ${link.baseUrl}, not for ${settings.baseUrl}`)
}

export const isSameOrigin = (one: { readonly baseUrl: string }, other: { readonly baseUrl: string }): boolean =>
  new URL(one.baseUrl).origin === new URL(other.baseUrl).origin

/** The service's API, called as the linked agent by its access token. */
export function linkedApi(settings: Settings): Api {
  const { baseUrl } = linkOf(settings)
  return new Api({ baseUrl, bearer: () => credentialsOf(settings).accessToken() })
}

const keyFileOf = ({ folder }: Settings): string => join(folder, 'agent.key')

/** Where the agent's key is stored. */
export const keyPlaceOf = (settings: Settings): string =>
  process.env.CALLBOARD_AGENT_KEY === undefined ? keyFileOf(settings) : 'from CALLBOARD_AGENT_KEY'

/**
 * The agent's wallet: CALLBOARD_AGENT_KEY, else the key in the folder. A variable that is set and empty is wrong usage:
 * the agent would pay with another wallet than its operator meant.
 * @param make whether to create a key where there is none
 */
export function walletOf(settings: Settings, make: boolean): PrivateKeyAccount {
  const { CALLBOARD_AGENT_KEY } = process.env
  if (CALLBOARD_AGENT_KEY !== undefined) return accountOf(CALLBOARD_AGENT_KEY, 'CALLBOARD_AGENT_KEY')
  const file = keyFileOf(settings)
  const key = textOf(file) ?? (make ? newKey(file) : undefined)
  if (key === undefined)
    throw new Usage('There is no wallet: set CALLBOARD_AGENT_KEY, or make one with: callboard agent link')
  return accountOf(key, file)
}

/** The wallet that a seller is paid to, which also signs in: CALLBOARD_PAYOUT_KEY, else payout.key. It is never made. */
export function payoutWalletOf({ folder }: Settings): PrivateKeyAccount {
  const { CALLBOARD_PAYOUT_KEY } = process.env
  if (CALLBOARD_PAYOUT_KEY) return accountOf(CALLBOARD_PAYOUT_KEY, 'CALLBOARD_PAYOUT_KEY')
  const file = join(folder, 'payout.key')
  const key = textOf(file)
  if (key === undefined)
    throw new Usage(`There is no payout wallet: set CALLBOARD_PAYOUT_KEY to its private key, or put it into ${file}.`)
  return accountOf(key, file)
}

/** @param place what holds the key: the message names it, and never the key */
function accountOf(text: string, place: string): PrivateKeyAccount {
  const key = text.trim()
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new Usage(`${place} is not 0x and 64 hexadecimal digits.`)
  try {
    return privateKeyToAccount(key as `0x${string}`)
  } catch {
    throw new Usage(`${place} is not a private key: it is zero, or too large.`)
  }
}

/** Makes a key, or finds the one that another process has made meanwhile: none is ever overwritten. */
function newKey(file: string): string | undefined {
  const made = `${file}.new-${process.pid}`
  writeSecretFile(made, `${generatePrivateKey()}\n`)
  try {
    linkSync(made, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made, { force: true })
  }
  return textOf(file)
}

const POLICY_MEMBERS = Object.keys(SpendingPolicy.shape).join(', ')

/** The first thing that is wrong with a policy, in plain words. */
function wrongIn({ issues: [issue] }: z.ZodError): string {
  const at = issue?.path.join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is no member of a policy`
  if (at === '') return 'a policy is a JSON object'
  if (issue?.code === 'invalid_type' && at.endsWith('Usd')) return `${at} must be text, for example "0.10"`
  return `${at}: ${issue?.message}`
}

/** policy.json in the folder, or the defaults. */
export function policyOf({ folder }: Settings): SpendingPolicy {
  const file = join(folder, 'policy.json')
  const text = textOf(file)
  const parsed = SpendingPolicy.safeParse(text === undefined ? {} : jsonOf(file, text))
  if (parsed.success) return parsed.data
  throw new Usage(`${file}: ${wrongIn(parsed.error)}. Its members are ${POLICY_MEMBERS}.`)
}

/**
 * The text of a file; undefined where there is none. A file that cannot be read is not absent: a policy would be
 * replaced by the defaults, and a key overwritten by a new one.
 */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new Usage(`${file} cannot be read (${code}). Make it readable for the user that runs this command.`)
  }
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Usage(`${file} is not JSON`)
  }
}
