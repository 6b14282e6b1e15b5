import { openapiDocument, x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { crawlerDocument } from './crawler-document.ts'

const path = x402Facilitator.decode.http.path
const whole = openapiDocument({ baseUrl: 'https://callboard.example', version: '1' })
const document = crawlerDocument(whole, path)
const text = JSON.stringify(document)

test('default: is one path, with the tag that it has', () => {
  expect(Object.keys(document.paths as object)).toEqual([path])
  expect(document.tags).toEqual([expect.objectContaining({ name: 'x402-facilitator' })])
})

test('behavior: holds all that it refers to, and nothing else', () => {
  const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name))
  const held = Object.entries(document.components as Record<string, object>).flatMap(([kind, ofKind]) =>
    Object.keys(ofKind).map((name) => `${kind}/${name}`),
  )
  expect(referred.size).toBeGreaterThan(20)
  expect(held.toSorted()).toEqual([...referred].toSorted())
})
