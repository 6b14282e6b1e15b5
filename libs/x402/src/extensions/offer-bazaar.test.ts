import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import { expect, test } from 'vitest'
import { readBazaar } from './bazaar.ts'
import { BAZAAR, offerBazaar } from './offer-bazaar.ts'

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const outputSchema = { type: 'object', properties: { degrees: { type: 'number' } } }
const sold = { method: 'POST', inputSchema, input: { city: 'Bern' }, outputSchema, output: { degrees: 7 } } as const

test('default: equals what @x402/extensions declares and its server completes', () => {
  const declared = declareDiscoveryExtension({
    bodyType: 'json',
    input: sold.input,
    inputSchema,
    output: { example: sold.output, schema: outputSchema },
  })
  const adapter = { getPath: () => '/weather' }
  const context = { method: 'POST', routePattern: '/weather', adapter }
  const enriched = bazaarResourceServerExtension.enrichDeclaration?.(declared.bazaar as never, context as never)
  expect(offerBazaar(sold)).toEqual(enriched)
})

test('default: uses the key of the extension', () => {
  expect(BAZAAR).toBe(bazaarResourceServerExtension.key)
})

test('behavior: is valid against its own schema and the extension’s, and readable by our own reader', () => {
  const extension = offerBazaar(sold)
  expect(validateDiscoveryExtension(extension as never)).toEqual({ valid: true })
  expect(validateDiscoveryExtensionSpec({ ...extension })).toMatchObject({ valid: true })
  expect(readBazaar({ bazaar: extension })).toMatchObject({ type: 'http', method: 'POST', inputSchema, outputSchema })
})
