import { parseArgs } from 'node:util'

const USAGE = `usage: npm run demo [-- --decode] [--stay] [--help]
  Runs the demonstration. A provider lists a paid API, an agent finds it and pays for it, and the money arrives. A second
  seller's source is mirrored and found. An owner buys balance and streams a completion from a sample model. All of this
  happens at the instance whose devnet.json is in the data folder (CALLBOARD_DATA, or CALLBOARD_DEVNET), and only on the
  instance's own chain.
  --decode  the agent also buys the decoding of its payment, which the instance itself sells
  --stay    the sample provider keeps serving until you stop it
settings: DEMO_PORT is the sample provider's port (8404, or the next free one)
exit codes: 0 done, 1 stopped on the way, 2 command line not understood`

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
