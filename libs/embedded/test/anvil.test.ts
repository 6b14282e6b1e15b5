import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { startAnvil } from '../src/anvil.ts'
import { rpc } from '../src/anvil-rpc.ts'
import { seeProcess } from '../src/process-table.ts'
import { startParent, tempFolder, untilTestEnds } from './parent.ts'

const HERMIT = '0x00000000000000000000000000000000000000aa'
const mine = (rpcUrl: string) => rpc(rpcUrl, 'anvil_mine', ['0x5'])
const height = (rpcUrl: string) => rpc(rpcUrl, 'eth_blockNumber')
const saved = (file: string) => readFileSync(file, 'utf8')

describe('startAnvil', { timeout: 60_000 }, () => {
  test('default: answers with the chain id, and a stop leaves no process', async () => {
    const anvil = await untilTestEnds(startAnvil({ chainId: 8453 }))
    expect(await rpc(anvil.rpcUrl, 'eth_chainId')).toBe('0x2105')
    await anvil.stop()
    expect(seeProcess(anvil.pid)).toBeUndefined()
  })

  test('a second start finds the blocks, and balances set without a block, at the same address', async () => {
    const stateFile = join(tempFolder(), 'chain', 'state.json')
    const first = await untilTestEnds(startAnvil({ stateFile }))
    await mine(first.rpcUrl)
    await rpc(first.rpcUrl, 'anvil_setBalance', [HERMIT, '0x2a'])
    await first.stop()
    const second = await untilTestEnds(startAnvil({ stateFile }))
    expect(second.rpcUrl).toBe(first.rpcUrl)
    expect(await height(second.rpcUrl)).toBe('0x5')
    expect(await rpc(second.rpcUrl, 'eth_getBalance', [HERMIT, 'latest'])).toBe('0x2a')
  })

  test('kill -9 of anvil keeps every saved block', async () => {
    const stateFile = join(tempFolder(), 'state.json')
    const first = await untilTestEnds(startAnvil({ stateFile }))
    await mine(first.rpcUrl)
    await vi.waitFor(() => expect(saved(stateFile)).toContain('"best_block_number":5'), { timeout: 20_000 })
    process.kill(first.pid, 'SIGKILL')
    await first.exited
    const second = await untilTestEnds(startAnvil({ stateFile }))
    expect(await height(second.rpcUrl)).toBe('0x5')
  })

  test('a truncated file, from a kill -9 while anvil wrote on exit, is ignored', async () => {
    const stateFile = join(tempFolder(), 'state.json')
    const first = await untilTestEnds(startAnvil({ stateFile }))
    await mine(first.rpcUrl)
    await vi.waitFor(() => expect(saved(stateFile)).toContain('"best_block_number":5'), { timeout: 20_000 })
    await first.stop()
    writeFileSync(`${stateFile}.exit`, saved(`${stateFile}.exit`).slice(0, 1_000))
    const second = await untilTestEnds(startAnvil({ stateFile }))
    expect(await height(second.rpcUrl)).toBe('0x5')
  })

  test('kill -9 of its parent: the orphan is ended and nothing of its chain is lost', async () => {
    const folder = tempFolder()
    const parent = await startParent('anvil', folder)
    await parent.kill()
    await mine(`http://127.0.0.1:${parent.port}`)
    const anvil = await untilTestEnds(startAnvil({ stateFile: join(folder, 'state.json') }))
    expect(seeProcess(parent.child)).toBeUndefined()
    expect(await height(anvil.rpcUrl)).toBe('0x5')
  })
})
