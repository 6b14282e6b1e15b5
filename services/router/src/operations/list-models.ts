import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { modelObject } from '../models/model-object.ts'
import { keyByHash } from '../store/key.repository.ts'

export const listModels: RouterHandler<typeof router.listModels> = async ({ routerKey }, { db, resources }) => {
  if (!(await keyByHash(db, hashSecret(routerKey)))) return refuse('unauthorized')
  return { object: 'list', data: resources.models.current.all.map(modelObject) }
}
