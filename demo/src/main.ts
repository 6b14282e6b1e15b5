import { parseArgs } from 'node:util'

const USAGE = `usage: npm run demo [-- --decode] [--stay] [--help]
  A provider lists a paid API, an agent finds and pays it, the money arrives; a second seller's source is mirrored and
  found; an owner buys balance and streams a completion from a sample model: at the instance whose devnet.json lies in the
  data folder (CALLBOARD_DATA, or CALLBOARD_DEVNET), on its own chain and on no other.
  --decode  the agent also buys the decoding of its payment, which the instance sells itself
  --stay  the sample provider serves on until it is stopped
settings: DEMO_PORT is the sample provider's port (8404, or the next one that is free)
exit codes: 0 done, 1 stopped on the way, 2 the command line is not understood`

class Usage extends Error {}

async function main(given: string[]): Promise<void> {
  const flags = flagsOf(given)
  if (flags.help) return console.log(USAGE)
  // What it drives is imported only now, so that command-line errors are reported at once.
  const { demonstrate } = await import('./demonstrate.ts')
  await demonstrate(flags)
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

await main(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  const misunderstood = error instanceof Usage
  console.error(misunderstood ? `${message}\n${USAGE}` : `The demonstration stopped. ${message}`)
  process.exitCode = misunderstood ? 2 : 1
})
