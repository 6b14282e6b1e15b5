import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Register } from './target.ts'

const SOURCES = fileURLToPath(new URL('.', import.meta.url))

/** `operations/agents/list-devices.ts` holds the tests of `agents.listDevices`, exported as `listDevices`. */
const files = globSync('operations/*/*.ts', { cwd: SOURCES }).toSorted()

const camelCase = (name: string): string => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

async function testsIn(file: string): Promise<[id: string, register: Register]> {
  const [, service = '', kebab = ''] = /^operations\/([^/]+)\/([^/]+)\.ts$/.exec(file) ?? []
  const name = camelCase(kebab)
  const module: Readonly<Record<string, Register>> = await import(`./operations/${service}/${kebab}.ts`)
  const register = module[name]
  if (!register) throw new Error(`${file} has to export its tests as ${name}`)
  return [`${service}.${name}`, register]
}

/** The tests of every operation with a file of its own, by the operation's id. */
export const operations: ReadonlyMap<string, Register> = new Map(await Promise.all(files.map(testsIn)))
