import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buyCall, buyDecoding, findInDirectory, seeInActivity } from './agent.ts'
import { accountOf, devnetFileOf, PEOPLE, readDevnet } from './devnet.ts'
import { sellTokens } from './language-models.ts'
import { mirrorSecondSource } from './mirroring.ts'
import { signInAndMakeKey } from './owner.ts'
import { payOut } from './payout.ts'
import { offerWeather } from './provider.ts'
import { requireSameChain } from './same-chain.ts'

const USAGE = `usage: npm run demo [-- --decode] [--stay] [--help]
  A provider lists a paid API, an agent finds and pays it, the money arrives; a second seller's source is mirrored and
  found; an owner buys balance and streams a completion from a sample model: at the instance whose devnet.json lies in the
  data folder (CALLBOARD_DATA, or DEVNET_FILE), on its own chain and on no other.
  --decode  the agent also buys the decoding of its payment, which the instance sells itself
  --stay  the sample provider serves on until it is stopped
settings: DEMO_PORT is the sample provider's port (8404, or the next one that is free)
exit codes: 0 done, 1 stopped on the way, 2 the command line is not understood`

class Usage extends Error {}

/**
 * The demonstration: a provider lists a paid API, an agent finds and pays it, the money arrives; what a second seller's
 * source names is mirrored and found; then the agent, as an owner, buys Router balance and streams a completion from a sample model. Everything goes over
 * HTTP and the chain, as with third parties. With `--decode` the agent also buys the decoding of its payment, which the instance
 * sells itself. With `--stay` the sample provider serves on until it is stopped.
 */
async function main(given: string[]): Promise<void> {
  const { stay: stays, decode, help } = flagsOf(given)
  if (help) return console.log(USAGE)
  const devnet = readDevnet(process.env)
  await requireSameChain(devnet)
  const port = process.env.DEMO_PORT ? Number(process.env.DEMO_PORT) : undefined
  const provider = accountOf(devnet, PEOPLE.provider)

  console.log('\nThe demonstration')
  const api = await signInAndMakeKey(devnet, provider)
  const { slug, splitter, stop } = await offerWeather({ devnet, account: provider, api }, port)
  const stops = [stop]
  try {
    const found = await findInDirectory(devnet, slug)
    const agent = accountOf(devnet, PEOPLE.agent)
    const { transaction, header } = await buyCall(devnet, agent, `${found.execution.url}?city=Oslo`)
    await seeInActivity(devnet, agent.address, transaction)
    if (decode) {
      const decoded = await buyDecoding(devnet, agent, header)
      await seeInActivity(devnet, agent.address, decoded.transaction)
    }
    await payOut(devnet, splitter, provider.address)
    const folder = dirname(devnetFileOf(process.env))
    const sourcesFile = process.env.MIRROR_SOURCES || join(folder, 'mirror.sources.yaml')
    stops.push(await mirrorSecondSource(devnet, sourcesFile))
    const modelsFile = process.env.ROUTER_MODELS || join(folder, 'router.models.yaml')
    const stopModels = await sellTokens(devnet, agent, modelsFile)
    stops.push(stopModels)
    console.log(`Done. Look: ${devnet.baseUrl}/api/call/activity and ${devnet.baseUrl}/api/calls/${slug}`)
    if (stays) await untilSignalled()
  } finally {
    await Promise.all(stops.map((end) => end()))
  }
}

/** @throws Usage */
function flagsOf(given: string[]) {
  try {
    const options = {
      stay: { type: 'boolean' },
      decode: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const
    return parseArgs({ args: given, options }).values
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error))
  }
}

/** Until a signal comes, or the instance that started us is gone. */
function untilSignalled(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) resolve()
  }, 500)
  return promise.finally(() => clearInterval(watch))
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  const misunderstood = error instanceof Usage
  console.error(misunderstood ? `${message}\n${USAGE}` : `The demonstration stopped. ${message}`)
  process.exitCode = misunderstood ? 2 : 1
})
