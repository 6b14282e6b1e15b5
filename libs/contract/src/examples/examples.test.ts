import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { edgeRoutes } from '../edge-routes/index.ts'
import { openapiDocument } from '../openapi/document.ts'
import { pathItems } from '../openapi/path-items.ts'
import { routes } from '../routes.ts'
import { exampleOf } from './index.ts'

const document = openapiDocument({ baseUrl: 'https://callboard.example', version: '0.1.0' })
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'https://callboard.example/openapi.json', ...document })

/** A checker of one of the document's schemas, with its references. */
function checkerOf(schema: unknown): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"https://callboard.example/openapi.json#/')
  return ajv.compile(JSON.parse(text) as object)
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: unknown; readonly example?: unknown }>>
}

interface Shown {
  readonly parameters: readonly { readonly name?: string; readonly schema?: unknown; readonly example?: unknown }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

const REQUESTER = { address: '203.0.113.7', userAgent: null }

const ofTheEdge = ({ http }: ReturnType<typeof routes>[number]) => ({
  ...(http.requester ? { requester: REQUESTER } : {}),
  ...(http.auth === 'router_key' ? { routerKey: 'cb_router_7Qx2mV9k' } : {}),
})

describe.each(routes().map((route) => [route.id, route] as const))('%s', (_id, route) => {
  const { input, output } = exampleOf(route)
  const paths = pathItems(document)
  const { path, method, ok } = route.http
  const shown = paths[path.replace(/:([A-Za-z]+)/g, '{$1}')]?.[method.toLowerCase()] as unknown as Shown

  test('its example is an input that the schema accepts and an output that a handler can return', () => {
    expect(route.input.safeParse({ ...ofTheEdge(route), ...input }).error?.issues ?? [], 'input').toEqual([])
    const read = (route.http.answer ?? route.output).safeParse(output)
    expect(read.error?.issues ?? [], 'output').toEqual([])
    expect(read.data).toEqual(output)
  })

  test('the document shows its example, which fits the schemas there', () => {
    const media = [
      ...Object.values(shown.requestBody?.content ?? {}),
      ...Object.values(shown.responses[ok]?.content ?? {}),
    ]
    const asked = shown.parameters.filter(({ name }) => name !== undefined && name in input)
    for (const { schema, example } of [...media, ...asked]) {
      expect(example).toBeDefined()
      const fits = checkerOf(schema)
      fits(example)
      expect(fits.errors ?? []).toEqual([])
    }
    expect(media.length).toBe((shown.requestBody ? 1 : 0) + (ok === 204 ? 0 : 1))
  })
})

const documents = edgeRoutes.flatMap(({ id, path, method, json }) =>
  json ? [[id, path, method === 'GET' ? 'get' : 'post', json] as const] : [],
)
test.each(documents)('%s: its example fits its schemas', (_id, path, method, { schema, example }) => {
  expect(schema.safeParse(example).error?.issues ?? []).toEqual([])
  const operation = pathItems(document)[path]?.[method] as unknown as Shown | undefined
  const shown = operation?.responses[200]?.content?.['application/json']
  expect(shown?.example).toEqual(example)
  const fits = checkerOf(shown?.schema)
  fits(example)
  expect(fits.errors ?? []).toEqual([])
})
