import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import type { ModelEntry } from '../domain/model.ts'
import { hashSecret } from '../keys/credential.ts'
import { keyByHash } from '../store/key.repository.ts'

/** A model as OpenAI's clients read it. */
const modelObject = ({ id, created, ownedBy }: ModelEntry) => ({
  ...{ id, object: 'model' as const, created },
  owned_by: ownedBy,
})

export const listModels: RouterHandler<typeof router.listModels> = async ({ routerKey }, { db, resources }) => {
  if (!(await keyByHash(db, hashSecret(routerKey)))) return refuse('unauthorized')
  return { object: 'list', data: resources.models.current.all.map(modelObject) }
}

export const getModel: RouterHandler<typeof router.getModel> = async ({ routerKey, model }, { db, resources }) => {
  if (!(await keyByHash(db, hashSecret(routerKey)))) return refuse('unauthorized')
  const known = resources.models.current.find(model)
  return known ? modelObject(known) : refuse('model_not_found', { field: 'model' })
}
