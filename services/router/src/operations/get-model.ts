import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { modelObject } from '../models/model-object.ts'
import { unknownModel } from '../models/unknown-model.ts'
import { keyByHash } from '../store/key.repository.ts'

export const getModel: RouterHandler<typeof router.getModel> = async ({ routerKey, model }, { db, resources }) => {
  if (!(await keyByHash(db, hashSecret(routerKey)))) return refuse('unauthorized')
  const models = resources.models.current
  const known = models.find(model)
  return known ? modelObject(known) : unknownModel(models, model)
}
