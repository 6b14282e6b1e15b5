import type { KubeObject } from '../../chart.ts'
import { collectionOf, kindOf } from '../kinds.ts'
import { demandNothing, type World } from './demand.ts'

/**
 * Submits every object to the server as a dry run: an unknown field, a refused value and any warning is an error.
 * @returns how many there are
 */
export async function accepted(
  { api, kinds }: Pick<World, 'api' | 'kinds'>,
  objects: readonly KubeObject[],
  namespace: string,
): Promise<number> {
  const wrong: string[] = []
  for (const object of objects) {
    const path = `${collectionOf(kindOf(kinds, object), namespace)}?dryRun=All&fieldValidation=Strict`
    const { status, body, warnings } = await api.ask('POST', path, object)
    const name = `${object.kind} ${object.metadata.name}`
    if (status !== 201) wrong.push(`${name}: ${status} ${body?.message}`)
    wrong.push(...warnings.map((words) => `${name}: ${words}`))
  }
  demandNothing(wrong)
  return objects.length
}
