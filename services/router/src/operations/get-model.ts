import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { modelObject } from '../models/model-object.ts'
import { keyByHash } from '../store/key.repository.ts'

export const getModel: RouterHandler<typeof router.getModel> = async ({ routerKey, model }, { db, resources }) => {
  if (!(await keyByHash(db, hashSecret(routerKey)))) return refuse('unauthorized')
  const known = resources.models.current.find(model)
  return known ? modelObject(known) : refuse('model_not_found', { field: 'model' })
}
