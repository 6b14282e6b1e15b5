import { authenticate } from './authenticate.ts'
import type { Hook, Route } from './kit.ts'
import { decodePayment } from './payment.ts'
import { limitByAddress, limitByCaller } from './rate-limit.ts'
import { sameOriginOnWrite } from './same-origin.ts'

type Surface = 'public' | 'bearer' | 'session' | 'paid'
type Row = readonly [hook: Hook, runs: Readonly<Record<Surface, 0 | 1>>]

/** All steps, in their order, and which kind of route takes which. */
const TABLE: readonly Row[] = [
  [limitByAddress, { public: 1, bearer: 0, session: 0, paid: 1 }],
  [authenticate, { public: 0, bearer: 1, session: 1, paid: 0 }],
  [limitByCaller, { public: 0, bearer: 1, session: 1, paid: 0 }],
  [sameOriginOnWrite, { public: 0, bearer: 0, session: 1, paid: 0 }],
  [decodePayment, { public: 0, bearer: 0, session: 0, paid: 1 }],
]

const surfaceOf = ({ http }: Route): Surface => (http.paid ? 'paid' : http.auth === 'none' ? 'public' : http.auth)

/** The steps of a route, in order. */
export const hooksOf = (route: Route): readonly Hook[] =>
  TABLE.filter(([, runs]) => runs[surfaceOf(route)] === 1).map(([hook]) => hook)
