import { once } from 'node:events'
import { readFileSync, watch } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../src/anvil.ts'
import { startPostgres } from '../src/postgres.ts'
import { tempFolder, untilTestEnds } from './parent.ts'

/** A program that listens on the first port that a part has chosen, before the part itself does. */
function programOn(folder: string, memory: string): { readonly taken: Promise<number> } {
  const program = createServer()
  const watching = watch(folder, (_, name) => {
    if (name !== memory) return
    const port = Number(readFileSync(join(folder, memory), 'utf8'))
    if (port === 0) return
    watching.close()
    program.listen(port, '127.0.0.1')
  })
  onTestFinished(() => {
    watching.close()
    program.close()
  })
  return { taken: once(program, 'listening').then(() => (program.address() as AddressInfo).port) }
}

test.each([
  ['Postgres', 'postgres.port', (dataDir: string) => startPostgres({ dataDir })],
  ['anvil', 'state.json.port', (folder: string) => startAnvil({ stateFile: join(folder, 'state.json') })],
] as const)(
  '%s listens on another port if a program takes the one it chose',
  { timeout: 60_000 },
  async (_, memory, start) => {
    const folder = tempFolder()
    const { taken } = programOn(folder, memory)
    const { port } = await untilTestEnds<{ port: number; stop(): Promise<void> }>(start(folder))
    expect(port).not.toBe(await taken)
    expect(Number(readFileSync(join(folder, memory), 'utf8'))).toBe(port)
  },
)
