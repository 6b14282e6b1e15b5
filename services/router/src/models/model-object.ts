import type { ModelEntry } from '../domain/model.ts'

/** A model in the form of OpenAI's API. */
export const modelObject = ({ id, created, ownedBy }: ModelEntry) => ({
  ...{ id, object: 'model' as const, created },
  owned_by: ownedBy,
})
