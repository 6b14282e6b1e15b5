import { agents, type Operation, type OutputOf, oauth, router } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { refusalOf } from '../../answers/errors.ts'
import { callAs, type OwnerRequest } from '../owner/owner.ts'

/** A service's part of an account, and how many items more there are than fit; `unavailable` if it cannot be asked. */
export type Region<Item> = { readonly items: readonly Item[]; readonly more: number } | 'unavailable'

type Listed = OutputOf<typeof agents.list>
type LiveAgent = Listed['agents'][number]
export type EndingAgent = NonNullable<Listed['ending']>[number]
export const isLive = (agent: LiveAgent | EndingAgent): agent is LiveAgent => 'linkedAt' in agent

/** Everything that acts for an owner or is kept for them, each kind from its own service. */
export interface Account {
  readonly agents: Region<LiveAgent | EndingAgent>
  readonly programs: Region<OutputOf<typeof oauth.listClientGrants>['grants'][number]>
  readonly keys: Region<OutputOf<typeof oauth.listKeys>['keys'][number]>
  readonly routerKeys: Region<OutputOf<typeof router.listKeys>['keys'][number]>
  readonly sessions: Region<OutputOf<typeof oauth.listSessions>['sessions'][number]>
  readonly devices: Region<OutputOf<typeof agents.listDevices>['devices'][number]>
  readonly backups: Region<OutputOf<typeof agents.listBackups>['backups'][number]>
}

/** Asks all services concurrently; if one is unavailable, the rest is still shown. */
export async function readAccount(asking: OwnerRequest): Promise<Account> {
  const ask = <Op extends Operation, Item>(op: Op, itemsOf: (output: OutputOf<Op>) => readonly Item[]) =>
    region(async () => {
      const answer = await callAs(asking, op, {} as never)
      if (isRefusal(answer)) return 'unavailable'
      const { more = 0 } = answer as { readonly more?: number }
      return { items: itemsOf(answer), more }
    })
  const [agentsOf, programs, keys, routerKeys, sessions, devices, backups] = await Promise.all([
    ask(agents.list, ({ agents: live, ending = [] }) => [...live, ...ending]),
    ask(oauth.listClientGrants, (output) => output.grants),
    ask(oauth.listKeys, (output) => output.keys),
    ask(router.listKeys, (output) => output.keys),
    ask(oauth.listSessions, (output) => output.sessions),
    ask(agents.listDevices, (output) => output.devices),
    ask(agents.listBackups, (output) => output.backups),
  ])
  return { agents: agentsOf, programs, keys, routerKeys, sessions, devices, backups }
}

/** What a service answers, or that it cannot be asked now. */
export async function region<Said>(read: () => Promise<Said | 'unavailable'>): Promise<Said | 'unavailable'> {
  try {
    return await read()
  } catch (error) {
    if (refusalOf(error) === undefined) throw error
    return 'unavailable'
  }
}
