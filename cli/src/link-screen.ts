import type { Credentials, LinkBegun, PollState } from '@callboard/client'
import type { AgentSelf } from '@callboard/contract'
import { encodeQR } from 'qr'

/** What a person is shown about the request. */
export interface Shown {
  readonly begun: LinkBegun
  /** The agent's wallet. */
  readonly wallet: string
  /** Where its key is stored: a file, or the name of a variable. */
  readonly keyPlace: string
  /** Whether to draw the address as a QR code as well. */
  readonly qr: boolean
}

/** The code, what to compare it with, and where to approve it. */
export function codeScreen({ begun, wallet, keyPlace, qr }: Shown): string {
  if (begun.auto_approved) return 'The owner trusts this device: no code is needed.'
  const { user_code, verification_uri_complete, expires_in } = begun
  return [
    `Agent wallet  ${wallet}`,
    `Its key       ${keyPlace}`,
    `Code          ${user_code}`,
    `Open          ${verification_uri_complete}`,
    `              and compare the wallet and the code there. The code is valid for ${Math.round(expires_in / 60)} minutes.`,
    ...(qr ? ['', encodeQR(verification_uri_complete, 'ascii').trimEnd()] : []),
  ].join('\n')
}

/** Shown before another link of the same wallet is requested. */
export const liveLinkSentence = ({ owner, label, linkedAt }: AgentSelf): string =>
  [
    `This wallet is already linked to ${owner}, as ${label} since ${linkedAt.slice(0, 10)}.`,
    'If the owner approves this request, that link and its keys end. To see the link: callboard agent whoami',
  ].join('\n')

/** Shown before a link is requested that would take the place of another service's, or another wallet's. */
export const otherLinkSentence = ({ baseUrl, clientId }: Pick<Credentials, 'baseUrl' | 'clientId'>): string =>
  [
    `This folder holds a link to ${baseUrl}, as ${clientId}. If the owner approves this request, its tokens are replaced here,`,
    `and it stays valid there. To end it first: callboard agent unlink --url ${baseUrl}`,
    'To keep both, set CALLBOARD_CONFIG_DIR to another folder for one of them.',
  ].join('\n')

const SENTENCES: Readonly<Record<'waiting' | 'unreachable', string>> = {
  waiting: 'Waiting for the owner. Press Ctrl-C to stop without linking.',
  unreachable: 'The service cannot be reached right now. Still trying.',
}

/** Returns the sentence for a poll with news: that it waits, once, and whenever the service becomes unavailable. */
export function pollSentences(): (state: PollState) => string | undefined {
  let last: keyof typeof SENTENCES | undefined
  let saysItWaits = false
  return (state) => {
    const now = state === 'unreachable' ? 'unreachable' : 'waiting'
    const isNew = now !== last && !(now === 'waiting' && saysItWaits)
    last = now
    saysItWaits ||= now === 'waiting'
    return isNew ? SENTENCES[now] : undefined
  }
}
