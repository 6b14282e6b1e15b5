import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The operation to create. */
export interface Wanted {
  /** The folder below `services`. */
  readonly service: string
  /** The part of its id after the dot. */
  readonly name: string
}

/**
 * The files of a new operation, complete, by path: new ones, and existing lists with one more entry. What a person must
 * decide is an undeclared name that begins with `THE_`, so that the compiler lists it.
 * @param root the folder of the repository
 * @throws Error when there is no such service, when it has such an operation, or when the name is invalid
 */
export function framesOf(root: string, wanted: Wanted): ReadonlyMap<string, string> {
  const { service, name } = wanted
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const has = (path: string) => existsSync(join(root, path))
  const declared = ['', '.ts'].map((end) => `libs/contract/src/operations/${service}${end}`).find(has)
  if (declared === undefined || !has(`services/${service}/src/service.ts`)) {
    throw new Error(`${service} is no service with operations: ${servicesOf(root).join(', ')} are.`)
  }
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) throw new Error(`${name} is no name of an operation: write it like setStatus.`)
  const file = kebab(name)
  const handler = `services/${service}/src/operations/${file}.ts`
  if (has(handler)) throw new Error(`There is ${service}.${name} already: ${handler}`)

  const example = `libs/contract/src/examples/${service}.ts`
  const kind = handlerType(root, service)
  return new Map([
    ...declaration(root, declared, wanted),
    [handler, handlerFrame(wanted, kind)],
    [`services/${service}/src/service.ts`, served(read(`services/${service}/src/service.ts`), name)],
    [`services/${service}/test/${file}.test.ts`, testFrame(wanted)],
    ...(has(example) ? [[example, withExample(read(example), name)] as const] : []),
    [`libs/conformance/src/operations/${service}/${file}.ts`, conformanceFrame(wanted)],
  ])
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const camel = (service: string) => service.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const servicesOf = (root: string): readonly string[] =>
  globSync('services/*/src/operations', { cwd: root })
    .map((path) => path.split('/')[1] ?? '')
    .sort()

/** The type of a service's handlers and its source file, as in its other handlers. */
function handlerType(root: string, service: string): { readonly type: string; readonly from: string } {
  for (const path of globSync(`services/${service}/src/operations/*.ts`, { cwd: root })) {
    const found = /import (?:type )?\{[^}]*?\b(\w+Handler)\b[^}]*\} from '([^']+)'/.exec(
      readFileSync(join(root, path), 'utf8'),
    )
    if (found?.[1] && found[2]) return { type: found[1], from: found[2] }
  }
  throw new Error(`No handler of ${service} shows what type a handler has there.`)
}

/** Next to its service's other declarations: in their one file, or in a file of its own among theirs. */
function declaration(root: string, place: string, { service, name }: Wanted): readonly (readonly [string, string])[] {
  const frame = `export const ${name} = operation({
  id: '${service}.${name}',
  summary: THE_SUMMARY,
  timeoutMs: 5_000,
  http: { method: 'GET', path: THE_PATH, auth: 'none', limit: 'read', ok: 200 },
  input: THE_INPUT_SCHEMA,
  output: THE_OUTPUT_SCHEMA,
  errors: [],
})
`
  const text = (path: string) => readFileSync(join(root, path), 'utf8')
  if (!statSync(join(root, place)).isDirectory()) return [[place, `${text(place)}\n${frame}`]]
  const index = `${place}/index.ts`
  return [
    [`${place}/${kebab(name)}.ts`, `import { operation } from '../../operation.ts'\n\n${frame}`],
    [index, `${text(index)}export * from './${kebab(name)}.ts'\n`],
  ]
}

const handlerFrame = ({ service, name }: Wanted, { type, from }: { readonly type: string; readonly from: string }) =>
  `import type { ${camel(service)} } from '@callboard/contract'
import type { ${type} } from '${from}'

export const ${name}: ${type}<typeof ${camel(service)}.${name}> = async (input, ctx) => THE_ANSWER(input, ctx)
`

/** What a service does not start without, for its tests; a key is of no account with money. */
export const REQUIRED_SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  catalog: { LINK_SIGNING_KEY: 'a key of the tests that is long enough' },
  'x402-facilitator': { FACILITATOR_KEYS: `0x${'1'.repeat(64)}`, DECODE_PAY_TO: `0x${'2'.repeat(40)}` },
}

function startedWith(service: string): string {
  const settings = Object.entries(REQUIRED_SETTINGS[service] ?? {}).map(([name, value]) => `${name}: '${value}'`)
  return settings.length === 0 ? '' : `, env: { ${settings.join(', ')} }`
}

const testFrame = ({ service, name }: Wanted) => `import { ${camel(service)} as operations } from '@callboard/contract'
import { startTestServices, type TestDatabase, type TestServices, testDatabase } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ${camel(service)} } from '../src/index.ts'

let database: TestDatabase
let services: TestServices

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  services = await startTestServices([${camel(service)}], { databaseUrl: database.url${startedWith(service)} })
})
afterAll(async () => {
  await services?.stop()
  await database?.drop()
})

test(THE_GUARANTEE, async () => {
  expect(await services.call(operations.${name}, THE_INPUT)).toEqual(THE_EXPECTED_ANSWER)
})
`

const conformanceFrame = ({ service, name }: Wanted) => `import { ${camel(service)} } from '@callboard/contract'
import { test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

export const ${name}: Register = (target) => {
  test(THE_GUARANTEE_OVER_HTTP, async () => {
    accepted(${camel(service)}.${name}, await new Client(target().baseUrl).get(THE_PATH_WITH_ITS_VALUES))
  })
}
`

const served = (text: string, name: string) =>
  afterLast(
    text,
    /^import .* from '\.\/operations\/.*$/gm,
    `import { ${name} } from './operations/${kebab(name)}.ts'`,
  ).replace(/\bserves: \{/, `serves: { ${name},`)

const withExample = (text: string, name: string) =>
  `${text.trimEnd().slice(0, -1)}  ${name}: { input: THE_EXAMPLE_INPUT, output: THE_EXAMPLE_OUTPUT },\n}\n`

/** A text with one more line after the last of a kind; unchanged if there is none. */
function afterLast(text: string, kind: RegExp, line: string): string {
  const last = [...text.matchAll(kind)].at(-1)
  if (!last) return text
  const end = last.index + last[0].length
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`
}
