import { describe, expect, test } from 'vitest'
import type { Surface } from '../domain/surface.ts'
import type { Models } from './model-set.ts'
import { unknownModel } from './unknown-model.ts'

/** Models on sale, each for chat unless specified. */
function selling(...ids: readonly (readonly [string, Surface?])[]): Pick<Models, 'all' | 'find'> {
  const all = ids.map(([id, surface = 'chat']) => ({ id, capabilities: [surface] })) as unknown as Models['all']
  return { all, find: (id) => all.find((model) => model.id === id) }
}
const said = (...of: Parameters<typeof unknownModel>) => unknownModel(...of).message

describe('a model that is not sold', () => {
  test('is refused with the names of the models that are sold, for the requested route', () => {
    const models = selling(['small'], ['large'], ['vectors', 'embeddings'])
    expect(unknownModel(models, 'gpt', 'chat')).toMatchObject({ refusal: 'model_not_found', field: 'model' })
    expect(said(models, 'gpt', 'chat')).toBe('There is no such model here. There are small, large.')
    expect(said(models, 'gpt', 'embeddings')).toBe('There is no such model here. There is vectors.')
    expect(said(models, 'gpt')).toBe('There is no such model here. There are small, large, vectors.')
  })

  test('is refused as not doing this when it is sold for another route', () => {
    expect(said(selling(['small'], ['vectors', 'embeddings']), 'vectors', 'chat')).toBe(
      'The model vectors does not support this (chat). There is small.',
    )
  })

  test('is refused with the first of many names and the number of the rest', () => {
    const many = selling(...Array.from({ length: 10 }, (_, at) => [`m${at}`] as const))
    expect(said(many, 'gpt', 'chat')).toContain('m6, m7, and 2 more: GET /v1/models lists them.')
    const eight = selling(...Array.from({ length: 8 }, (_, at) => [`m${at}`] as const))
    expect(said(eight, 'gpt', 'chat')).toMatch(/m6, m7\.$/)
  })

  test('is refused with who can change that when no model is sold', () => {
    expect(said(selling(), 'gpt', 'chat')).toContain('its operator lists them in the file of ROUTER_MODELS')
  })
})
