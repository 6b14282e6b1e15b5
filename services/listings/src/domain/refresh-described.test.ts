import type { ListingOperation } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { conformant, listing, offer, operation, READ_AT, terms } from '../../test/held-listing.ts'
import type { Described } from './evidence.ts'
import { refresh } from './refresh.ts'

const inputSchema = { type: 'object', required: ['city'] }
const outputSchema = { type: 'array' }

/** A stored operation after its endpoint has described itself. */
function after(held: Partial<ListingOperation>, described: Described | undefined) {
  const before = { ...operation, ...held }
  const { changed, listing: now } = refresh(
    { ...listing, operations: [before] },
    { ...before, accepts: [offer()], conformance: conformant, checkedAt: isoTime(READ_AT + 1_000), described },
    terms,
  )
  return { changed, operation: now.operations[0] }
}

describe('refresh: what an endpoint says of itself', () => {
  test('default: its schemas are those of its last challenge', () => {
    const said = { metadataEvidence: 'bazaar', outputSchema } as const
    const { changed, operation: now } = after({ metadataEvidence: 'bazaar', inputSchema }, said)
    expect({ changed, ...now }).toMatchObject({ changed: true, ...said })
    expect(now).not.toHaveProperty('inputSchema')
  })

  test.each([
    ['the challenge', 'bazaar'],
    ['its answer', 'output-schema'],
  ] as const)('behavior: the schemas of %s are removed once it no longer has them', (_what, metadataEvidence) => {
    const { changed, operation: now } = after(
      { metadataEvidence, inputSchema, outputSchema },
      { metadataEvidence: 'probe' },
    )
    expect({ changed, ...now }).toMatchObject({ changed: true, metadataEvidence: 'probe' })
    for (const schema of ['inputSchema', 'outputSchema']) expect(now).not.toHaveProperty(schema)
  })

  test('behavior: a challenge without a schema keeps the one from the origin’s document', () => {
    const documented = { metadataEvidence: 'openapi', inputSchema } as const
    const { changed, operation: now } = after(documented, { metadataEvidence: 'probe' })
    expect({ changed, ...now }).toMatchObject({ changed: false, ...documented })
  })

  test.each(['bazaar', 'openapi'] as const)(
    'behavior: new schemas from %s replace those of the document',
    (metadataEvidence) => {
      const said = { metadataEvidence, outputSchema } as const
      const { changed, operation: now } = after({ metadataEvidence: 'openapi', inputSchema }, said)
      expect({ changed, ...now }).toMatchObject({ changed: true, ...said })
      expect(now).not.toHaveProperty('inputSchema')
    },
  )

  test('behavior: the evidence from its provider stays if the endpoint says nothing', () => {
    const { changed, operation: now } = after({ metadataEvidence: 'well-known' }, { metadataEvidence: 'probe' })
    expect({ changed, ...now }).toMatchObject({ changed: false, metadataEvidence: 'well-known' })
  })

  test('behavior: if nothing new was read, everything stays', () => {
    const held = { metadataEvidence: 'bazaar', inputSchema, outputSchema } as const
    expect(after(held, undefined)).toMatchObject({ changed: false, operation: held })
  })

  test('behavior: the description follows the endpoint’s if its owner gave none', () => {
    const described = { metadataEvidence: 'probe', description: 'Its words today.' } as const
    expect(after({ describedBy: 'endpoint', description: 'Its words before.' }, described)).toMatchObject({
      changed: true,
      operation: { description: 'Its words today.' },
    })
    expect(after({ describedBy: 'owner', description: 'A quote.' }, described)).toMatchObject({
      changed: false,
      operation: { description: 'A quote.' },
    })
  })

  test('behavior: schemas beyond the limit of a listing are left out here too', () => {
    const large = { type: 'object', description: 'x'.repeat(256 * 1024) }
    expect(after({}, { metadataEvidence: 'bazaar', inputSchema: large }).operation).not.toHaveProperty('inputSchema')
  })
})
