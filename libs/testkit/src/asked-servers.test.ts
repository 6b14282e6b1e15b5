import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { askedServers } from './asked-servers.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder('callboard-asked-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'far'))

/** The names that a test file with this text asks for. */
function asked(text: string): string[] {
  const file = join(folder, 'one.test.ts')
  writeFileSync(file, text)
  return [...askedServers([file])]
}
const place = (path: string, text: string) => writeFileSync(join(folder, path), text)
const ASKS = "import { inject } from 'vitest'\nexport const url = inject("

test('default: returns what the file itself asks for, and nothing else', () => {
  expect(asked("import { test } from 'vitest'")).toEqual([])
  expect(asked(`${ASKS}'natsUrl')`)).toEqual(['natsUrl'])
  expect(asked(`${ASKS}"postgresUrl") + inject('absent').redis`)).toEqual(['postgresUrl'])
})

test('behavior: includes what its imports ask for: transitive, circular or dynamic', () => {
  place('stage.ts', "export * from './far/server.ts'")
  place('far/server.ts', `import '../stage.ts'\n${ASKS}'redisUrl')`)
  expect(asked("import './stage.ts'")).toEqual(['redisUrl'])
  expect(asked("const stage = await import('./stage.ts')")).toEqual(['redisUrl'])
})

test('behavior: ignores files imported only for their types', () => {
  place('typed.ts', `${ASKS}'redisUrl')\nexport type Url = string`)
  expect(asked("import type { Url } from './typed.ts'")).toEqual([])
})

test('behavior: a name that is not a literal may be any', () => {
  const all = ['postgresUrl', 'natsUrl', 'redisUrl', 'programs', 'preparedData']
  expect(asked(`const name = 'natsUrl'\n${ASKS}name)`)).toEqual(all)
})

test('behavior: a method called inject is ignored', () => {
  expect(asked("const answer = await app.inject('/healthz')")).toEqual([])
})
