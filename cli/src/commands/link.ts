import { hostname } from 'node:os'
import { Api, link } from '@callboard/client'
import { AgentLabel, AllowanceUsd, Scope } from '@callboard/contract'
import type { Command } from '../command.ts'
import { EXIT, Usage } from '../exit-codes.ts'
import { credentialsOf, walletOf } from '../settings.ts'

const labelled = (name: string, text: string): string => {
  const parsed = AgentLabel.safeParse(text)
  if (!parsed.success) throw new Usage(`--${name}: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

/** `callboard agent link`: shows a code, waits for the owner, and keeps the tokens. */
export const agentLink: Command = {
  usage: 'agent link [--label NAME] [--device NAME] [--trust-device] [--scope "S …"] [--allowance USD]',
  options: {
    label: { type: 'string' },
    device: { type: 'string' },
    'trust-device': { type: 'boolean' },
    scope: { type: 'string' },
    allowance: { type: 'string' },
  },
  async run({ settings, print, values }) {
    const wallet = walletOf(settings, true)
    const api = new Api({ baseUrl: settings.baseUrl, bearer: () => currentToken(settings) })
    const label = labelled('label', String(values.label ?? defaultLabel()))
    const scopes = values.scope === undefined ? undefined : scopesOf(String(values.scope))
    const allowance = values.allowance === undefined ? undefined : allowanceOf(String(values.allowance))
    const tokens = await link(
      api,
      wallet,
      {
        label,
        device: values.device === undefined ? undefined : labelled('device', String(values.device)),
        trustDevice: values['trust-device'] === true ? true : undefined,
        scopes,
        routerAllowanceUsd: allowance,
      },
      {
        onCode: ({ user_code, verification_uri, verification_uri_complete, expires_in, auto_approved }) =>
          print.progress(
            'device_code',
            { user_code, verification_uri, verification_uri_complete, expires_in, wallet: wallet.address },
            auto_approved
              ? 'The owner trusts this device: no code is needed.'
              : [
                  `Agent wallet  ${wallet.address}`,
                  `Code          ${user_code}`,
                  `Open          ${verification_uri_complete}`,
                  `              and compare wallet and code there. They are good for ${Math.round(expires_in / 60)} minutes.`,
                ].join('\n'),
          ),
        onPoll: (state, nextInSeconds) =>
          print.progress('poll', { state, nextInSeconds }, `Waiting for the owner (${state}) …`),
      },
    )
    const kept = credentialsOf(settings).keep(api.baseUrl, tokens.clientId, tokens)
    const { clientId, owner, scope } = kept
    const routerError = tokens.router_key_error
    print.result({ linked: true, clientId, owner, scope, ...(routerError ? { routerError } : {}) }, [
      `Linked to ${owner} as ${clientId}.`,
      `It may: ${scope}.`,
      ...(routerError ? ['A Router key could not be made now.'] : []),
    ])
    return EXIT.ok
  },
}

/** A link from the same device may be what lets the owner's trust count. */
async function currentToken(settings: Parameters<typeof credentialsOf>[0]): Promise<string | undefined> {
  return credentialsOf(settings)
    .accessToken()
    .catch(() => undefined)
}

const defaultLabel = () =>
  hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replace(/^-+/, '')
    .slice(0, 32) || 'agent'

function scopesOf(text: string): Scope[] {
  const words = text.split(/[ ,]+/).filter((word) => word !== '')
  return words.map((word) => {
    const scope = Scope.safeParse(word)
    if (!scope.success) throw new Usage(`--scope: there is no ${word}; there are ${Scope.options.join(', ')}`)
    return scope.data
  })
}

function allowanceOf(text: string): number {
  const parsed = AllowanceUsd.safeParse(Number(text))
  if (!parsed.success) throw new Usage('--allowance: must be a number of USD from 0 to 1000')
  return parsed.data
}
