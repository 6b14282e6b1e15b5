import { type OutputOf, router } from '@callboard/contract'
import { test } from 'vitest'
import { Client } from '../actors/client.ts'
import { newOwner, type Owner } from '../actors/owner.ts'
import { perTarget } from '../actors/per-target.ts'
import { newRouterKey, type RouterKey } from '../actors/router-key.ts'
import { topUpPayment, topUpWith } from '../actors/top-up.ts'
import { accepted } from '../expectations/expectations.ts'
import type { Target, TargetOf } from '../target.ts'

export type SoldModel = OutputOf<typeof router.models>['models'][number]
export type Capability = SoldModel['capabilities'][number]

/** Routes that answer with a model's output, and the capability that the model needs. */
export const MODEL_CALLS: Readonly<Record<string, Capability>> = {
  'router.createChatCompletion': 'chat',
  'router.createResponse': 'responses',
  'router.createEmbedding': 'embeddings',
  'router.createMessage': 'messages',
  'router.countTokens': 'messages',
}

/** The models that a target sells; fetched once per run. */
export const soldBy = perTarget(
  async ({ baseUrl }) => accepted(router.models, await new Client(baseUrl).get('/api/router/models')).models,
)

const withCapability = async (target: Target, capability: Capability): Promise<SoldModel | undefined> =>
  (await soldBy(target)).find(({ capabilities }) => capabilities.includes(capability))

/** Whether a route can succeed at all with the models that a target sells. */
export async function isOnSale(target: Target, id: string): Promise<boolean> {
  const capability = MODEL_CALLS[id]
  if (capability) return (await withCapability(target, capability)) !== undefined
  if (id === 'router.receipt') return (await withCapability(target, 'chat')) !== undefined
  return id !== 'router.getModel' || (await soldBy(target)).length > 0
}

/** A test with a model that the target sells; skipped for a target that sells none of that capability. */
export function sold(
  target: TargetOf,
  capability: Capability,
  title: string,
  run: (model: SoldModel) => Promise<void>,
): void {
  test(title, async ({ skip }) => {
    const model = await withCapability(target(), capability)
    if (!model) return skip(`the target sells no model for ${capability}`)
    await run(model)
  })
}

/** The means to pay for calls: an owner with a bought balance, and a key that draws on it. */
export interface Balance {
  readonly owner: Owner
  readonly key: RouterKey
}

const findBalance = perTarget(async (target): Promise<Balance> => {
  if (!target.devnet) throw new Error('A balance is bought on the devnet of the target')
  const owner = await newOwner(target)
  const { payment } = await topUpPayment(owner.session, target.devnet, 1)
  accepted(router.topUp, await topUpWith(owner.session, 1, payment), router.topUp.output.shape.result)
  return { owner, key: await newRouterKey(target, owner) }
})

/** A test that pays for model calls; skipped for a target that sells none, or whose money may not be moved. */
export function bought(
  target: TargetOf,
  capability: Capability,
  title: string,
  run: (model: SoldModel, balance: Balance) => Promise<void>,
): void {
  test(title, async ({ skip }) => {
    const model = await withCapability(target(), capability)
    if (!model) return skip(`the target sells no model for ${capability}`)
    if (!target().devnet) skip('it moves money: give the target’s devnet.json')
    await run(model, await findBalance(target()))
  })
}
