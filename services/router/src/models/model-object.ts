import type { ModelEntry } from '../domain/model.ts'

/** A model as OpenAI's clients read it. */
export const modelObject = ({ id, created, ownedBy }: ModelEntry) => ({
  ...{ id, object: 'model' as const, created },
  owned_by: ownedBy,
})
