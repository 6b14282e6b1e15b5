import { dirname, join } from 'node:path'
import { buyCall, buyDecoding, findInDirectory, seeInActivity } from './agent.ts'
import { accountOf, devnetFileOf, PEOPLE, readDevnet } from './devnet.ts'
import { sellTokens } from './language-models.ts'
import { mirrorSecondSource } from './mirroring.ts'
import { tell } from './narration.ts'
import { ownText } from './own-file.ts'
import { signInAndMakeKey } from './owner.ts'
import { payOut } from './payout.ts'
import { offerWeather } from './provider.ts'
import { requireSameChain } from './same-chain.ts'

/** The options of the command line. */
export interface Flags {
  readonly stay?: boolean | undefined
  readonly decode?: boolean | undefined
}

/**
 * The demonstration: a provider lists a paid API, an agent finds and pays it, the money arrives; the products that a
 * second seller's source names are mirrored and found; then the agent, as an owner, buys Router balance and streams a
 * completion from a sample model. Everything uses HTTP and the chain, as third parties do. With `decode` the agent also
 * buys the decoding of its payment, which the instance itself sells. With `stay` the sample provider keeps serving
 * until it is stopped.
 */
export async function demonstrate({ stay: stays, decode }: Flags): Promise<void> {
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
    if (await isToWrite(sourcesFile, 'MIRROR_SOURCES')) stops.push(await mirrorSecondSource(devnet, sourcesFile))
    const modelsFile = process.env.ROUTER_MODELS || join(folder, 'router.models.yaml')
    if (await isToWrite(modelsFile, 'ROUTER_MODELS')) stops.push(await sellTokens(devnet, agent, modelsFile))
    console.log(`Done. Look in a browser: ${devnet.baseUrl} and ${devnet.baseUrl}/call/${slug}`)
    console.log(`For programs: ${devnet.baseUrl}/api/call/activity and ${devnet.baseUrl}/api/calls/${slug}`)
    if (stays) await untilSignalled()
  } finally {
    await Promise.all(stops.map((end) => end()))
  }
}

/** Whether the demonstration may write a file of the instance; says so where it is the operator's own. */
async function isToWrite(file: string, setting: string): Promise<boolean> {
  if ((await ownText(file)) !== undefined) return true
  tell(`Leaves out what it would write into a file of yours (${setting})`, file)
  return false
}

/** Waits until a signal arrives, or the instance that started us is gone. */
function untilSignalled(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) resolve()
  }, 500)
  return promise.finally(() => clearInterval(watch))
}
