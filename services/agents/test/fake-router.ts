import { router } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { z } from 'zod'

/** The state of the fake Router: what a test can see, and whether the Router answers. */
export interface RouterState {
  unavailable: boolean
  /** Valid keys, by link. */
  readonly keys: Map<string, string[]>
  readonly allowances: Map<string, number>
  /** Base units, by owner. */
  readonly stakes: Map<string, string>
  minted: number
  /** What links spent today, and what their calls under way may still cost, decimal USD; all others have `usualUsd`. */
  readonly spent: Map<string, { readonly spentUsd: string; readonly heldUsd: string }>
  usualUsd: string
  /** Runs between the setting of an allowance and its answer. */
  onceSet: (() => Promise<unknown>) | undefined
  /** Runs before the Router says what links spent. */
  onceAsked: (() => Promise<unknown>) | undefined
  /** Runs before a key is made. */
  onceMinted: (() => Promise<unknown>) | undefined
  /** Runs before the keys of a link are ended. */
  onceRevoked: (() => Promise<unknown>) | undefined
}

export const routerState = (): RouterState => ({
  unavailable: false,
  keys: new Map(),
  allowances: new Map(),
  stakes: new Map(),
  minted: 0,
  spent: new Map(),
  usualUsd: '0.250',
  onceSet: undefined,
  onceAsked: undefined,
  onceMinted: undefined,
  onceRevoked: undefined,
})

/** The Router operations that other services call. */
const operations = {
  mintKey: router.mintKey,
  revokeKeys: router.revokeKeys,
  setAllowance: router.setAllowance,
  view: router.view,
  spentToday: router.spentToday,
  computeOfStake: router.computeOfStake,
}

/** A Router that keeps its keys in memory and spends a cent more each time it is read. */
export function fakeRouter(state: RouterState) {
  const answering = <Input, Output>(answer: (input: Input) => Output | Promise<Output>) => {
    return async (input: Input) => {
      if (state.unavailable) throw new Error('the Router of the test is unavailable')
      return answer(input)
    }
  }
  return service<z.ZodObject, object, undefined, typeof operations>({
    name: 'router',
    config: z.object({}),
    operations,
    serves: {
      mintKey: answering(async ({ linkId, source, allowanceUsd }) => {
        await state.onceMinted?.()
        state.minted += 1
        const key = `cb_router_${source}_${state.minted}`
        const others = (state.keys.get(linkId) ?? []).filter((other) => !other.includes(source))
        state.keys.set(linkId, [...others, key])
        state.allowances.set(linkId, allowanceUsd)
        return { key, baseUrl: 'https://router.example/v1' }
      }),
      revokeKeys: answering(async ({ linkId }) => {
        await state.onceRevoked?.()
        state.keys.delete(linkId)
        return {}
      }),
      setAllowance: answering(async ({ linkId, allowanceUsd }) => {
        state.allowances.set(linkId, allowanceUsd)
        await state.onceSet?.()
        return {}
      }),
      view: answering(({ linkId }) => ({
        compute: {
          allowanceUsd: String(state.allowances.get(linkId) ?? 0),
          ...{ spentTodayUsd: '0.25', remainingTodayUsd: '1', resetsAt: '2026-11-22T00:00:00.000Z' },
          ...{ ownerLimitUsd: '10', ownerSpentUsd: '0.25' },
        },
        balance: null,
      })),
      computeOfStake: answering(({ owner }) => ({
        ...{ epoch: 20_413, stake: state.stakes.get(owner) ?? '0', computeTodayUsd: '1.25' },
      })),
      spentToday: answering(async ({ linkIds }) => {
        await state.onceAsked?.()
        return {
          spentUsd: Object.fromEntries(linkIds.map((id) => [id, state.spent.get(id)?.spentUsd ?? state.usualUsd])),
          heldUsd: Object.fromEntries(linkIds.map((id) => [id, state.spent.get(id)?.heldUsd ?? '0'])),
        }
      }),
    },
  })
}
