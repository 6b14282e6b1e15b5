import type { Auth } from '@callboard/contract'
import type { Hook, Route } from '../context.ts'
import { readClientCredentials } from '../credentials/client-credentials.ts'
import { authenticate, authenticateOwner, recognise, requireScope } from './authenticate.ts'
import { decodePayment } from './payment.ts'
import { limitByAddress, limitByCaller } from './rate-limit.ts'
import { readRouterKey } from './router-key.ts'
import { sameOriginOnWrite } from './same-origin.ts'
import { refuseUnsolicited } from './unsolicited.ts'

type Surface = Exclude<Auth, 'owner'> | 'paid' | 'paidByOwner'
type Row = readonly [hook: Hook, runs: Readonly<Record<Surface, 0 | 1>>]

/** All steps, in their order, and which kind of route takes which. */
const TABLE: readonly Row[] = [
  [
    refuseUnsolicited,
    { none: 1, optional: 0, bearer: 1, agent: 0, session: 1, client: 0, router_key: 0, paid: 0, paidByOwner: 0 },
  ],
  [
    limitByAddress,
    { none: 1, optional: 1, bearer: 0, agent: 0, session: 0, client: 1, router_key: 1, paid: 1, paidByOwner: 0 },
  ],
  [
    authenticate,
    { none: 0, optional: 0, bearer: 1, agent: 1, session: 1, client: 0, router_key: 0, paid: 0, paidByOwner: 0 },
  ],
  [
    authenticateOwner,
    { none: 0, optional: 0, bearer: 0, agent: 0, session: 0, client: 0, router_key: 0, paid: 0, paidByOwner: 1 },
  ],
  [
    readRouterKey,
    { none: 0, optional: 0, bearer: 0, agent: 0, session: 0, client: 0, router_key: 1, paid: 0, paidByOwner: 0 },
  ],
  [
    recognise,
    { none: 0, optional: 1, bearer: 0, agent: 0, session: 0, client: 0, router_key: 0, paid: 0, paidByOwner: 0 },
  ],
  [
    limitByCaller,
    { none: 0, optional: 0, bearer: 1, agent: 1, session: 1, client: 0, router_key: 0, paid: 0, paidByOwner: 1 },
  ],
  [
    requireScope,
    { none: 0, optional: 0, bearer: 1, agent: 1, session: 0, client: 0, router_key: 0, paid: 0, paidByOwner: 0 },
  ],
  [
    sameOriginOnWrite,
    { none: 0, optional: 0, bearer: 0, agent: 0, session: 1, client: 0, router_key: 0, paid: 0, paidByOwner: 1 },
  ],
  [
    readClientCredentials,
    { none: 0, optional: 0, bearer: 0, agent: 0, session: 0, client: 1, router_key: 0, paid: 0, paidByOwner: 0 },
  ],
  [
    decodePayment,
    { none: 0, optional: 0, bearer: 0, agent: 0, session: 0, client: 0, router_key: 0, paid: 1, paidByOwner: 1 },
  ],
]

function surfaceOf({ id, http: { paid, auth } }: Route): Surface {
  if (paid) return auth === 'owner' ? 'paidByOwner' : 'paid'
  if (auth === 'owner') throw new Error(`${id} wants any credential of an owner, which only paid routes do`)
  return auth
}

/** The steps of a route, in order. */
export const hooksOf = (route: Route): readonly Hook[] =>
  TABLE.filter(([, runs]) => runs[surfaceOf(route)] === 1).map(([hook]) => hook)
