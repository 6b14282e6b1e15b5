import { hostname } from 'node:os'
import { Api, type Credentials, link, NotLinked } from '@callboard/client'
import { type AgentSelf, AllowanceUsd, agentClientId, agents, ClaimedLabel, Scope } from '@callboard/contract'
import { isInteractive, onEnter, openBrowser } from '../browser.ts'
import type { Command } from '../command.ts'
import { EXIT, Usage } from '../exit-codes.ts'
import { keptLink } from '../kept-link.ts'
import { codeScreen, liveLinkSentence, otherLinkSentence, pollSentences } from '../link-screen.ts'
import { MINT_AGAIN, NO_KEY, routerErrorOf } from '../missing-router-key.ts'
import { credentialsOf, isSameOrigin, keyPlaceOf, linkedApi, type Settings, walletOf } from '../settings.ts'

const labelled = (name: string, text: string): string => {
  const parsed = ClaimedLabel.safeParse(text)
  if (!parsed.success) throw new Usage(`--${name}: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

/** `callboard agent link`: shows a code, waits for the owner, and stores the tokens. */
export const agentLink: Command = {
  usage: 'agent link [--label NAME] [--device NAME] [--trust-device] [--scope "S …"] [--allowance USD] [--open] [--qr]',
  about: [
    '',
    '  --open  opens the address in your browser. Without it, on a terminal, pressing Enter does',
    '  --qr    draws the address as a QR code, for a phone with the wallet',
  ],
  options: {
    label: { type: 'string' },
    device: { type: 'string' },
    'trust-device': { type: 'boolean' },
    scope: { type: 'string' },
    allowance: { type: 'string' },
    open: { type: 'boolean' },
    qr: { type: 'boolean' },
  },
  async run({ settings, print, values }) {
    requireUsable(settings)
    const wallet = walletOf(settings, true)
    const api = new Api({ baseUrl: settings.baseUrl, bearer: () => currentToken(settings) })
    const request = requestOf(values)
    const live = await liveLinkOf(settings, wallet.address)
    if (live) print.progress('linked_already', live, liveLinkSentence(live))
    const other = otherLinkOf(settings, wallet.address)
    if (other) print.progress('linked_elsewhere', other, otherLinkSentence(other))
    const sentenceOf = pollSentences()
    let stopListening = () => {}
    const tokens = await link(api, wallet, request, {
      onCode(begun) {
        const { user_code, verification_uri, verification_uri_complete, expires_in } = begun
        const [keyPlace, qr] = [keyPlaceOf(settings), values.qr === true]
        print.progress(
          'device_code',
          { user_code, verification_uri, verification_uri_complete, expires_in, wallet: wallet.address },
          codeScreen({ begun, wallet: wallet.address, keyPlace, qr }),
        )
        if (!begun.auto_approved)
          stopListening = offerBrowser(verification_uri_complete, values.open === true, settings)
      },
      onPoll: (state, nextInSeconds) => print.progress('poll', { state, nextInSeconds }, sentenceOf(state)),
    }).finally(() => stopListening())
    const kept = await keptLink(settings, api.baseUrl, tokens)
    const { clientId, owner, scope } = kept
    const routerError = routerErrorOf(tokens)
    const { router_key: routerKey, router_base_url: routerBaseUrl } = tokens
    const ofRouter = routerError ? { routerError } : { routerKey, routerBaseUrl }
    print.result({ linked: true, clientId, owner, scope, ...ofRouter }, [
      `Linked to ${owner} as ${clientId}.`,
      `It may: ${scope}.`,
      ...(routerKey
        ? [`Router key    ${routerKey}`, `              for ${routerBaseUrl}. It is shown only this once.`]
        : []),
      ...(routerError ? [NO_KEY[routerError], MINT_AGAIN] : []),
    ])
    return EXIT.ok
  },
}

/** @throws CredentialsUnusable before anything is asked of the owner: the new link would replace what cannot be read */
function requireUsable(settings: Settings): void {
  try {
    credentialsOf(settings).read()
  } catch (error) {
    if (!(error instanceof NotLinked)) throw error
  }
}

/** Opens the address if requested; otherwise asks a person at a terminal. @returns a function that stops asking */
function offerBrowser(url: string, open: boolean, { json }: Settings): () => void {
  const failed = () => {
    if (!json) console.error('No browser could be opened. Open the address yourself.')
  }
  if (open) openBrowser(url, failed)
  if (open || json || !isInteractive()) return () => {}
  console.error('Press Enter to open it in your browser.')
  return onEnter(() => openBrowser(url, failed))
}

/** The present link of this wallet, as far as this folder knows; creating another ends it. */
async function liveLinkOf(settings: Settings, wallet: string): Promise<AgentSelf | undefined> {
  const kept = credentialsOf(settings)
  try {
    const credentials = kept.read()
    if (!isSameOrigin(settings, credentials)) return undefined
    return credentials.clientId === agentClientId(wallet) ? await linkedApi(settings).call(agents.self, {}) : undefined
  } catch {
    return undefined
  }
}

/** The link in this folder, where it is to another service, or of another wallet. */
function otherLinkOf(settings: Settings, wallet: string): Pick<Credentials, 'baseUrl' | 'clientId'> | undefined {
  try {
    const { baseUrl, clientId } = credentialsOf(settings).read()
    const isThis = isSameOrigin({ baseUrl }, settings) && clientId === agentClientId(wallet)
    return isThis ? undefined : { baseUrl, clientId }
  } catch {
    return undefined
  }
}

const requestOf = (values: Readonly<Record<string, unknown>>): Parameters<typeof link>[2] => ({
  label: labelled('label', String(values.label ?? defaultLabel())),
  device: values.device === undefined ? undefined : labelled('device', String(values.device)),
  trustDevice: values['trust-device'] === true ? true : undefined,
  scopes: values.scope === undefined ? undefined : scopesOf(String(values.scope)),
  routerAllowanceUsd: values.allowance === undefined ? undefined : allowanceOf(String(values.allowance)),
})

/** A link from the same device may be what makes the owner's trust apply. No other service is shown its token. */
async function currentToken(settings: Settings): Promise<string | undefined> {
  try {
    return isSameOrigin(settings, credentialsOf(settings).read())
      ? await credentialsOf(settings).accessToken()
      : undefined
  } catch {
    return undefined
  }
}

/** The name of this machine as a label; `agent` if it is not valid as one. */
function defaultLabel(): string {
  const label = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replace(/^-+/, '')
    .slice(0, 32)
  return ClaimedLabel.safeParse(label).success ? label : 'agent'
}

function scopesOf(text: string): Scope[] {
  const words = text.split(/[ ,]+/).filter((word) => word !== '')
  return words.map((word) => {
    const scope = Scope.safeParse(word)
    if (!scope.success) throw new Usage(`--scope: unknown scope ${word}; use ${Scope.options.join(', ')}`)
    return scope.data
  })
}

function allowanceOf(text: string): number {
  const parsed = AllowanceUsd.safeParse(Number(text))
  if (!parsed.success) throw new Usage('--allowance: must be an amount from 0 to 1000 USD')
  return parsed.data
}
