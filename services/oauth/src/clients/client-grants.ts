import { createHash } from 'node:crypto'
import type { ClientGrant, OutputOf, oauth } from '@callboard/contract'
import { type Address, DAY_MS, isoTime } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { targetOf } from '../domain/redirect-uri.ts'
import { endPrograms, lockLeastUsed, type ProgramFamily, programsOf } from '../store/client-grant.repository.ts'
import { endFamilies } from '../store/family.repository.ts'
import type { OauthTx } from '../store/tables.ts'
import { showEnded } from '../tokens/revocation.ts'

/** The most hosts shown as receivers of answers: clients may use many, and each authorization names its own. */
const MOST_HOSTS = 20

type ReadGrant = OutputOf<typeof oauth.readClientGrant>['grant']

/** The id of a client in an owner's routes. A client id may be a URL, which proxies would rewrite in a path. */
const grantIdOf = (clientId: string): string =>
  `grant_${createHash('sha256').update(clientId).digest('base64url').slice(0, 22)}`

/** The program behind an id in an owner's routes; undefined if the owner never allowed it. */
export const programOf = async (
  ctx: Pick<OauthContext, 'db'>,
  owner: Address,
  id: string,
): Promise<string | undefined> => (await programsOf(ctx.db, owner)).find((clientId) => grantIdOf(clientId) === id)

/**
 * Ends what an owner granted to programs: once this resolves, no gateway accepts their tokens and none of their codes
 * can be redeemed. A repeat is safe, and publishes ends again that may not have reached the gateways.
 */
export async function endGrantsOf(ctx: OauthContext, owner: Address, clientIds: readonly string[]): Promise<void> {
  await showEnded(ctx, await ctx.db.transaction().execute((tx) => endGrantsIn(ctx, tx, owner, clientIds)))
}

/**
 * Ends the authorizations of an owner's programs beyond `GRANTS_PER_OWNER` that were used the longest ago. Apart from
 * the redemption of the newest, whose tokens are given whether this succeeds or not; the next one ends what is left.
 */
export async function endLeastUsedGrants(ctx: OauthContext, owner: Address): Promise<void> {
  try {
    await ctx.db.transaction().execute(async (tx) => {
      const ids = await lockLeastUsed(tx, owner, ctx.config.GRANTS_PER_OWNER)
      await endFamilies(tx, ids, new Date(ctx.clock.now()), 'displaced')
      // Shown before the commit: nobody repeats this while the counters are unavailable.
      await showEnded(ctx, ids)
    })
  } catch (error) {
    ctx.log.warn({ err: error }, 'what an owner has allowed beyond the limit has not ended yet')
  }
}

/** The same within a transaction. @returns the families whose end must be published */
export function endGrantsIn(
  { clock }: Pick<OauthContext, 'clock'>,
  tx: OauthTx,
  owner: Address,
  clientIds: readonly string[],
): Promise<string[]> {
  const now = clock.now()
  return endPrograms(tx, owner, { clientIds, now: new Date(now), shownSince: new Date(now - DAY_MS) })
}

/** Groups families by client, in order of each client's first family. */
export function grantsOf(ctx: Pick<OauthContext, 'config'>, families: readonly ProgramFamily[]): ReadGrant[] {
  const byClient = Map.groupBy(families, ({ client_id }) => client_id)
  return [...byClient.values()].map((ofClient) => grantOf(ctx, ofClient))
}

function grantOf({ config }: Pick<OauthContext, 'config'>, families: readonly ProgramFamily[]): ReadGrant {
  const [newest] = families
  if (!newest) throw new RangeError('A grant has at least one family')
  const { client_id: id, metadata, fetched_at, registered_at } = newest
  const authorizations = families.map((family) => ({
    scopes: family.scopes,
    audience: family.audience,
    redirectHost: family.redirect_uri === null ? null : targetOf(family.redirect_uri).host,
    grantedAt: iso(family.created_at),
    lastUsedAt: family.last_used_at && iso(family.last_used_at),
    expiresAt: iso(family.tokens_end),
    endsAt: iso(new Date(family.created_at.getTime() + config.LINK_MAX_DAYS * DAY_MS)),
  }))
  const each = <Key extends keyof (typeof authorizations)[number]>(key: Key) => authorizations.map((one) => one[key])
  return {
    id: grantIdOf(id),
    client: {
      id,
      registeredBy: fetched_at ? 'metadata_document' : 'dynamic_registration',
      registeredAt: iso(registered_at),
      documentHost: fetched_at && new URL(id).host,
    },
    claimed: { name: metadata.client_name ?? null },
    redirectHosts: unique(each('redirectHost').filter((host) => host !== null)).slice(0, MOST_HOSTS),
    scopes: unique(each('scopes').flat()),
    audiences: unique(each('audience')),
    grantedAt: earliest(each('grantedAt')),
    lastUsedAt: latest(each('lastUsedAt').filter((at) => at !== null)) ?? null,
    expiresAt: latest(each('expiresAt')) ?? iso(newest.tokens_end),
    endsAt: latest(each('endsAt')) ?? iso(newest.tokens_end),
    authorizations,
  }
}

/** The summary of a grant for a list. */
export const summaryOf = ({ authorizations: _, ...grant }: ReadGrant): ClientGrant => grant

const iso = (date: Date) => isoTime(date.getTime())
const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]
// Timestamps in one format sort as text.
const latest = <Time extends string>(times: readonly Time[]): Time | undefined => times.toSorted().at(-1)
const earliest = (times: readonly string[]): string => times.toSorted()[0] ?? ''
