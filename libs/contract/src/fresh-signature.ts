import { MINUTE_MS, type Refusal, refuse } from '@callboard/values'
import type { Caller } from './caller.ts'
import type { HttpBinding, Operation } from './operation.ts'
import type * as services from './operations/index.ts'
import type { unauthorized } from './refusals.ts'
import type { Scope } from './schemas/agent.ts'

/** How recently a wallet must have signed for actions with more at stake. Milliseconds. */
export const FRESH_SIGNATURE_MS = 15 * MINUTE_MS

/** Up to this, what all agents of an owner together may spend per day rises without a fresh signature. USD. */
export const LIGHT_ALLOWANCE_USD = 20

/** What an owner is about to grant. */
export interface Giving {
  readonly scopes?: readonly Scope[]
  /**
   * The daily limit of Compute over all agents of the owner, before and after: a sum, since adding an agent costs nothing.
   * USD.
   */
  readonly dailyUsd?: { readonly before: number; readonly after: number }
  readonly trustsDevice?: boolean
}

type OperationsOf<Service> = Extract<Service[keyof Service], Operation>
type Declared = { [Name in keyof typeof services]: OperationsOf<(typeof services)[Name]> }[keyof typeof services]

/** The operations that an owner's session may call: over HTTP, or through a page that knows who is signed in. */
type OwnerOperation<Op> = Op extends { readonly http: HttpBinding }
  ? Op extends { readonly http: { readonly auth: 'session' } }
    ? Op
    : never
  : Op extends { readonly errors: readonly unknown[] }
    ? typeof unauthorized extends Op['errors'][number]
      ? Op
      : never
    : never
export type OwnerOperationId = OwnerOperation<Declared> extends { readonly id: infer Id extends string } ? Id : never

/**
 * `never`: it reads, or takes away a grant; a thief of a session gains nothing that outlives it. `always`: it makes a
 * credential. `by_terms`: the terms of the grant decide (`needsFreshSignature`).
 */
export type FreshSignatureDemand = 'never' | 'always' | 'by_terms'

/**
 * Which operations require that the owner's wallet has just signed: the one table, with a row for everything that a
 * session may call. The operation itself refuses, so no page or other client can bypass it.
 */
export const FRESH_SIGNATURE = {
  'agents.acknowledge': 'never',
  'agents.decideLink': 'by_terms',
  'agents.deleteBackup': 'never',
  'agents.distrustDevice': 'never',
  'agents.edit': 'by_terms',
  'agents.list': 'never',
  'agents.listBackups': 'never',
  'agents.listDevices': 'never',
  'agents.openRelay': 'never',
  'agents.readBackup': 'never',
  'agents.readLinkRequest': 'never',
  // Sealed data was opened with a signature of the wallet (docs/backups.md); a session alone has nothing to seal.
  'agents.sealRelay': 'never',
  'agents.unlink': 'never',
  'oauth.consoleToken': 'always',
  'oauth.createKey': 'always',
  'oauth.decideAuthorization': 'by_terms',
  'oauth.deleteKey': 'never',
  'oauth.deleteSession': 'never',
  'oauth.endClientGrant': 'never',
  'oauth.endClientGrants': 'never',
  'oauth.endSession': 'never',
  'oauth.endSessions': 'never',
  'oauth.getSession': 'never',
  'oauth.listClientGrants': 'never',
  'oauth.listKeys': 'never',
  'oauth.listSessions': 'never',
  'oauth.readAuthorization': 'never',
  'oauth.readClientGrant': 'never',
  'router.createKey': 'always',
  'router.deleteKey': 'never',
  'router.listKeys': 'never',
  'router.receiptsOfKey': 'never',
  'router.usage': 'never',
} as const satisfies Readonly<Record<OwnerOperationId, FreshSignatureDemand>>

type Demanding<Demand extends FreshSignatureDemand> = {
  [Id in OwnerOperationId]: (typeof FRESH_SIGNATURE)[Id] extends Demand ? Id : never
}[OwnerOperationId]

type Session = Pick<Extract<Caller, { kind: 'session' }>, 'signedInAt'>

/**
 * Returns the refusal for a session without the fresh signature that an operation demands; undefined if it may proceed.
 * @param now epoch milliseconds
 * @param giving for operations whose terms decide
 */
export function refuseStaleSignature<Id extends Demanding<'always' | 'by_terms'>>(
  _operation: { readonly id: Id },
  session: Session,
  now: number,
  ...[giving]: Id extends Demanding<'by_terms'> ? [giving: Giving] : []
): Refusal<'fresh_signature_required'> | undefined {
  const isStale = giving === undefined ? !isFresh(session, now) : needsFreshSignature(session, giving, now)
  if (!isStale) return undefined
  return refuse('fresh_signature_required', { details: { maxAgeSeconds: FRESH_SIGNATURE_MS / 1_000 } })
}

/**
 * Whether an owner's wallet must sign again before this is granted: the session is older than 15 minutes, and listings
 * may be published, the Router may be used, a device is trusted, or the daily limit rises above 20 USD in total.
 * @param now epoch milliseconds
 */
export const needsFreshSignature = (session: Session, giving: Giving, now: number): boolean =>
  isHeavy(giving) && !isFresh(session, now)

/** `router.use` gives keys of a bought balance, which no daily limit bounds. */
const HEAVY_SCOPES: readonly Scope[] = ['call.publish', 'router.use']

function isHeavy({ scopes = [], dailyUsd, trustsDevice = false }: Giving): boolean {
  const raises = dailyUsd !== undefined && dailyUsd.after > dailyUsd.before && dailyUsd.after > LIGHT_ALLOWANCE_USD
  return HEAVY_SCOPES.some((scope) => scopes.includes(scope)) || raises || trustsDevice
}

/** A session that does not say when its wallet signed counts as stale. */
const isFresh = ({ signedInAt }: Session, now: number): boolean =>
  signedInAt !== undefined && now - Date.parse(signedInAt) <= FRESH_SIGNATURE_MS
