import type { agents, OutputOf, oauth, router } from '@callboard/contract'
import { html } from 'htm/preact'
import { Day, Time } from '../shell/fact.ts'
import { counted, short } from '../wording.ts'
import { type Kind, WORDS } from './things.ts'

type Program = OutputOf<typeof oauth.listClientGrants>['grants'][number]
type Key = OutputOf<typeof oauth.listKeys>['keys'][number]
type RouterKey = OutputOf<typeof router.listKeys>['keys'][number]
type Session = OutputOf<typeof oauth.listSessions>['sessions'][number]
type Device = OutputOf<typeof agents.listDevices>['devices'][number]
type Backup = OutputOf<typeof agents.listBackups>['backups'][number]

interface About {
  readonly now: number
  readonly formToken: string
}

interface EndProps {
  readonly kind: Kind
  readonly id: string
  readonly verb: string
  /** Read out by screen readers, as each button ends another thing. */
  readonly name: string
  readonly formToken?: string
}

/** The only button of a thing: it leads to a confirmation if something breaks, else it ends the thing at once. */
export const EndButton = ({ kind, id, verb, name, formToken }: EndProps) => {
  const label = html`${verb}<span class="visually-hidden"> ${name}</span>`
  if (WORDS[kind].means !== undefined) {
    return html`<form method="get" action="/account/end">
      <input type="hidden" name="id" value=${id} />
      <button class="small ends" name="what" value=${kind}>${label}</button>
    </form>`
  }
  return html`<form method="post" action="/account">
    <input type="hidden" name="csrf" value=${formToken} />
    <input type="hidden" name="do" value="end" />
    <input type="hidden" name="id" value=${id} />
    <button class="small" name="what" value=${kind}>${label}</button>
  </form>`
}

const Used = ({ at, now }: { at: string | null; now: number }) =>
  at === null ? 'never used' : html`last used <${Time} at=${at} now=${now} />`

export const ProgramItem = ({ grant, now }: About & { grant: Program }) => html`
  <h3>${grant.claimed.name ?? 'A program without a name'}</h3>
  <p class="meta">
    ${
      grant.client.documentHost
        ? `The document of ${grant.client.documentHost} claims this name. `
        : 'The program itself claims this name. '
    }
    ${grant.redirectHosts.length > 0 && html`Its answers went to <strong>${grant.redirectHosts.join(', ')}</strong>.`}
  </p>
  <p>${grant.scopes.map((scope) => html`<span class="tag">${scope}</span>`)}</p>
  <p class="meta">
    Allowed <${Day} at=${grant.grantedAt} />, <${Used} at=${grant.lastUsedAt} now=${now} />, expires${' '}
    <${Day} at=${grant.expiresAt} />
  </p>
  <${EndButton} kind="program" id=${grant.id} verb="End" name=${grant.claimed.name ?? 'the program'} />
`

export const KeyItem = ({ apiKey, now }: About & { apiKey: Key }) => html`
  <h3>${apiKey.label}</h3>
  <p class="meta">
    <code>${apiKey.prefix}…</code>, made <${Day} at=${apiKey.createdAt} />,${' '}
    <${Used} at=${apiKey.lastUsedAt} now=${now} />. It can do everything with your listings that you can.
  </p>
  <${EndButton} kind="key" id=${apiKey.id} verb="Revoke" name=${`${apiKey.label} ${apiKey.prefix}`} />
`

const DRAWS_ON: Readonly<Record<RouterKey['source'], string>> = {
  compute: 'It spends your daily Compute',
  balance: 'It spends the balance that you bought',
}

export const RouterKeyItem = ({ routerKey, now }: About & { routerKey: RouterKey }) => html`
  <h3>${routerKey.label}</h3>
  <p class="meta">
    <code>${routerKey.prefix}…</code>, made <${Day} at=${routerKey.createdAt} />,${' '}
    <${Used} at=${routerKey.lastUsedAt} now=${now} />. ${DRAWS_ON[routerKey.source]}${
      routerKey.dailyLimitUsd !== null && `, at most ${routerKey.dailyLimitUsd} USD per day`
    }.
  </p>
  <${EndButton} kind="router-key" id=${routerKey.id} verb="Revoke" name=${`${routerKey.label} ${routerKey.prefix}`} />
`

export const DeviceItem = ({ device: { device, agents, trust, automatic } }: About & { device: Device }) => html`
  <h3>${device}</h3>
  <p class="meta">
    ${counted(agents, 'agent')}${automatic > 0 && `, ${automatic} of them linked without asking you`}. The agents claim this
    name.
  </p>
  ${
    trust
      ? html`<p>
            Trusted since <${Day} at=${trust.since} />. Agents on it that ask for no more than
            ${' '}${trust.scopes.join(', ')} are linked without asking you. Together they may spend
            ${' '}${trust.allowanceUsd} USD per day, of which ${trust.allowanceInUseUsd} USD are allocated.
          </p>
          <${EndButton} kind="device" id=${device} verb="End trust" name=${`in ${device}`} />`
      : html`<p>Not trusted: you are asked about each agent on it.</p>`
  }
`

export const BackupItem = ({ backup, now }: About & { backup: Backup }) => html`
  <h3>${backup.device}</h3>
  <p class="meta">
    Stored <${Time} at=${backup.storedAt} now=${now} /> by the agent${' '}
    <code title=${backup.storedBy}>${short(backup.storedBy.slice('agent_'.length))}</code>:${' '}
    ${counted(backup.bytes, 'byte')}, encrypted to the key <code title=${backup.recipient}>${backup.recipient.slice(0, 8)}…</code>.
    It stays when the agent ends.
  </p>
  <${EndButton} kind="backup" id=${backup.device} verb="Delete" name=${`the backup of ${backup.device}`} />
`

export const SessionItem = ({ session, now, formToken }: About & { session: Session }) => html`
  <h3>${session.current ? 'This browser' : `From ${session.openedFrom.address}`}</h3>
  <p class="meta">
    Signed in <${Time} at=${session.createdAt} now=${now} /> from ${session.openedFrom.address}, last seen${' '}
    <${Time} at=${session.lastSeenAt} now=${now} />.
    ${session.openedFrom.userAgent && html` It identifies itself as ${session.openedFrom.userAgent}.`}
  </p>
  ${
    !session.current &&
    html`<${EndButton}
      kind="session"
      id=${session.id}
      verb="Sign out"
      name=${`from ${session.openedFrom.address}`}
      formToken=${formToken}
    />`
  }
`
