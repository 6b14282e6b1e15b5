import type { TokenAnswer } from '@callboard/contract'

/** What a person is told about a link that came without its Router key. */
export const NO_KEY = {
  router_unavailable: 'There is no Router key yet, because it could not be made just now. The link works without it.',
  router_key_missing: 'There is no Router key in the answer. It is sent only once, and some OAuth libraries drop it.',
} as const

/** docs/linking.md, "Missing Router keys". */
export const MINT_AGAIN =
  'To make one, call POST /api/agents/self/router-key with the access token. The allowance stays, and older keys end.'

/** Why a link that may use the Router has no key for it; undefined where it has one, or needs none. */
export const routerErrorOf = ({ scope, router_key, router_key_error }: TokenAnswer): keyof typeof NO_KEY | undefined =>
  scope.split(' ').includes('router.use') && router_key === undefined
    ? (router_key_error ?? 'router_key_missing')
    : undefined
