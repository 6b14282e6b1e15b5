import { short } from '../wording.ts'
import { type Account, isLive, type Region } from './read-account.ts'

/** The kinds of things that an owner can end on the page. */
export const KINDS = ['agent', 'program', 'key', 'router-key', 'session', 'device', 'backup'] as const
export type Kind = (typeof KINDS)[number]

export const isKind = (text: unknown): text is Kind => KINDS.some((kind) => kind === text)

/** One such thing, as its confirmation and outcome name it. */
export interface Thing {
  readonly kind: Kind
  readonly id: string
  readonly name: string
  /** What tells it from others of the same name; absent where the name does. */
  readonly mark?: string
  /** Agents linked at its request without asking the owner; they end with it unless they are kept. */
  readonly descendants: number
}

/** The wallet of an agent, as its list shows it. */
export const walletOf = ({ clientId }: { readonly clientId: string }): string => short(clientId.slice('agent_'.length))

/** The name of a kind, the effect of ending it, and the message afterwards. */
interface Words {
  readonly called: string
  /** The consequences, confirmed beforehand. Absent if nothing breaks that a new one would not fix. */
  readonly means?: string
  readonly done: string
}

export const WORDS: Readonly<Record<Kind, Words>> = {
  agent: {
    called: 'the agent',
    means: 'Its tokens and Router keys stop working at once. To act for you again, it has to be linked again.',
    done: 'Its tokens and Router keys stopped working.',
  },
  program: {
    called: 'the program',
    means: 'Every token that it holds stops working at once. To act for you again, it has to ask you again.',
    done: 'Every token that it held stopped working.',
  },
  key: {
    called: 'the API key',
    means:
      'Every program that uses it is refused at once. You cannot restore it. If a program still needs a key, make another.',
    done: 'It no longer works.',
  },
  'router-key': {
    called: 'the Router key',
    means:
      'Every client that calls models with it is refused at once. What it draws on stays yours. You cannot restore the key.',
    done: 'It no longer works.',
  },
  session: { called: 'the session', done: 'That browser is signed out.' },
  device: {
    called: 'the trust in the device',
    means: 'From then on, you are asked about each new agent on it. Agents that you approved yourself stay linked.',
    done: 'From now on, you are asked about each new agent on it.',
  },
  backup: {
    called: 'the backup of',
    means:
      'It is deleted, and nobody can restore it. Keys that are nowhere else are lost, and with them what their wallets ' +
      'own. An agent on that device that is still linked can store another backup.',
    done: 'It is deleted.',
  },
}

const found = <Item>(region: Region<Item>, is: (item: Item) => boolean): Item | undefined =>
  region === 'unavailable' ? undefined : region.items.find(is)

/** The thing that a form names, as known to the services; undefined if this owner has no such thing. */
export function thingOf(account: Account, kind: Kind, id: string): Thing | undefined {
  const known = KNOWN[kind](account, id)
  return known && { kind, id, descendants: 0, ...known }
}

/** Whether what is not listed of a kind is not there: while its service cannot be asked, nothing is known of it. */
export const isListed = (account: Account, kind: Kind): boolean => account[REGIONS[kind]] !== 'unavailable'

/** All things of a kind that an owner has, as far as the services list them; `unavailable` if they cannot be asked. */
export function thingsOf(account: Account, kind: Kind): Thing[] | 'unavailable' {
  const region = account[REGIONS[kind]]
  if (region === 'unavailable') return region
  return region.items.flatMap((item) => thingOf(account, kind, idOf(item)) ?? [])
}

const REGIONS = {
  ...{ agent: 'agents', program: 'programs', key: 'keys', 'router-key': 'routerKeys', session: 'sessions' },
  ...{ device: 'devices', backup: 'backups' },
} as const satisfies Readonly<Record<Kind, keyof Account>>

const idOf = (item: { id: string } | { clientId: string } | { device: string }): string =>
  'id' in item ? item.id : 'clientId' in item ? item.clientId : item.device

type Known = (
  account: Account,
  id: string,
) => (Pick<Thing, 'name'> & Partial<Pick<Thing, 'mark' | 'descendants'>>) | undefined

const KNOWN: Readonly<Record<Kind, Known>> = {
  agent: ({ agents }, id) => {
    const agent = found(agents, ({ clientId }) => clientId === id)
    const descendants = agent && isLive(agent) ? agent.descendants : 0
    return agent && { name: agent.label, mark: walletOf(agent), descendants }
  },
  program: ({ programs }, id) => {
    const grant = found(programs, (one) => one.id === id)
    if (!grant) return undefined
    const { claimed, client, redirectHosts } = grant
    return { name: claimed.name ?? client.documentHost ?? client.id, mark: redirectHosts.join(', ') || client.id }
  },
  key: ({ keys }, id) => {
    const key = found(keys, (one) => one.id === id)
    return key && { name: key.label, mark: `${key.prefix}…` }
  },
  'router-key': ({ routerKeys }, id) => {
    const key = found(routerKeys, (one) => one.id === id)
    return key && { name: key.label, mark: `${key.prefix}…` }
  },
  session: ({ sessions }, id) => {
    const session = found(sessions, (one) => one.id === id && !one.current)
    return session && { name: `from ${session.openedFrom.address}` }
  },
  device: ({ devices }, id) => {
    const device = found(devices, (one) => one.device === id && one.trust !== null)
    return device && { name: device.device, descendants: device.automatic }
  },
  backup: ({ backups }, id) => {
    const backup = found(backups, (one) => one.device === id)
    return backup && { name: backup.device }
  },
}
