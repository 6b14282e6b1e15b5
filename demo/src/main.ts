import { buyCall, findInDirectory, seeInActivity } from './agent.ts'
import { accountOf, PEOPLE, readDevnet } from './devnet.ts'
import { signInAndMakeKey } from './owner.ts'
import { payOut } from './payout.ts'
import { offerWeather } from './provider.ts'

const DEFAULT_PORT = 8404

/**
 * The demonstration: a provider lists a paid API, an agent finds and pays it, the money arrives. Everything goes over
 * HTTP and the chain, as with strangers. With `--stay` the sample provider serves on until it is told to stop.
 */
async function main(given: readonly string[]): Promise<void> {
  const stays = given.includes('--stay')
  const devnet = readDevnet(process.env)
  const port = Number(process.env.DEMO_PORT || DEFAULT_PORT)
  const provider = accountOf(devnet, PEOPLE.provider)

  console.log('\nThe demonstration')
  const api = await signInAndMakeKey(devnet, provider)
  const { slug, splitter, stop } = await offerWeather(devnet, provider, api, port)
  try {
    const found = await findInDirectory(devnet, slug)
    const transaction = await buyCall(devnet, accountOf(devnet, PEOPLE.agent), found.execution.url)
    await seeInActivity(devnet, slug, transaction)
    await payOut(devnet, splitter, provider.address)
    console.log(`Done. Look: ${devnet.baseUrl}/api/call/activity and ${devnet.baseUrl}/api/calls/${slug}`)
    if (stays) await untilTold()
  } finally {
    await stop()
  }
}

/** Until a signal comes, or the instance that started us is gone. */
function untilTold(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) resolve()
  }, 500)
  return promise.finally(() => clearInterval(watch))
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`The demonstration stopped. ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
})
