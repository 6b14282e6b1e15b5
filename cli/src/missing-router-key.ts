import type { TokenAnswer } from '@callboard/contract'

/** What a person is told about a link that came without its Router key. */
export const NO_KEY = {
  router_unavailable: 'There is no Router key yet: one could not be made now. The link is good without it.',
  router_key_missing:
    'There is no Router key: the answer brought none. It comes once, and some OAuth libraries drop it.',
} as const

/** docs/linking.md, "Missing Router keys". */
export const MINT_AGAIN =
  'POST /api/agents/self/router-key with the access token makes one; the allowance stays, older keys end.'

/** Why a link that may use the Router has no key for it; undefined where it has one, or needs none. */
export const routerErrorOf = ({ scope, router_key, router_key_error }: TokenAnswer): keyof typeof NO_KEY | undefined =>
  scope.split(' ').includes('router.use') && router_key === undefined
    ? (router_key_error ?? 'router_key_missing')
    : undefined
