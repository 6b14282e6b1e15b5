import { mkdtempSync, rmSync } from 'node:fs'
import { startPostgres } from '@callboard/embedded'
import { testDatabase, until } from '@callboard/testkit'
import { openTestChain } from './chain.ts'
import { cursorOf, startIndexer, believed } from './indexer.ts'
const dataDir = mkdtempSync('/tmp/cb-idx-')
const pg = await startPostgres({ dataDir })
const c = await openTestChain()
const t0 = performance.now()
for (let b = 0; b < 14; b++) {
  const all = []
  for (let i = 0; i < 300; i++) all.push(await c.authorize(1 + (i % 5), 1n))
  await c.settleBatch(all)
}
for (let i = 0; i < 1500; i++) await c.settle(1 + (i % 5), 1n)
await c.mine(40)
console.log('fill', performance.now() - t0)
const block = await c.rpc('eth_getBlockByNumber', '0x1e', false) as any
console.log(JSON.stringify({ h: block.number, bloom: block.logsBloom, usdc: c.devnet.usdc.address }))
const hd = await c.height()
for (const from of [0, 41]) {
  const db = await testDatabase(pg.url())
  const cpu0 = process.cpuUsage()
  const t = performance.now()
  const s = await startIndexer(db, c, { from, env: { INDEXER_POLL_MS: '20' } })
  await until('done', async () => (await cursorOf(db)) === hd, 60000)
  const cpu = process.cpuUsage(cpu0)
  const ms = performance.now() - t
  const n = (await believed(db)).length
  console.log({ from, n, ms, perSec: n / ms * 1000, cpuUsEach: (cpu.user + cpu.system) / n })
  await s.stop()
  await db.drop()
}
await c.devnet.stop()
await pg.stop()
rmSync(dataDir, { recursive: true, force: true })
