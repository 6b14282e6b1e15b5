import { expect, test } from 'vitest'
import { z } from 'zod'
import { namedSchemas, nameSchemas } from './named-schemas.ts'
import { Slug } from './schemas/index.ts'

test('default: a named schema is written as a definition under its name', () => {
  const Example = z.object({ a: z.string() })
  nameSchemas({ OnlyInThisTest: Example })
  const written = z.toJSONSchema(z.object({ example: Example }), { metadata: namedSchemas })
  expect(written).toHaveProperty('properties.example.$ref', '#/$defs/OnlyInThisTest')
})

test.each([
  ['a name that another schema has', { Slug: z.string() }, 'Two schemas are named Slug'],
  ['a second name', { ListingName: Slug }, 'Slug is named ListingName too'],
  ['a name that is not in PascalCase', { listing_name: z.string() }, 'PascalCase'],
])('error: %s', (_what, schemas, message) => {
  expect(() => nameSchemas(schemas)).toThrow(message)
})
