import { commandLine, failureText } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run contracts:deploy -- --treasury 0x… [--rpc URL] [--tokens JSON] [--verification DIR]
  Without --rpc: prints the addresses, which are the same on every chain. With --rpc: deploys what is missing there, paid for
  by the key in DEPLOYER_KEY, and compares the result with our code.
  --tokens replaces the table [{"chainId":…,"usdc":"0x…"}].
  --verification writes the files with which block explorers verify the sources.`

const text = { type: 'string' } as const
const options = { treasury: text, rpc: text, tokens: text, verification: text } as const
const { values } = commandLine(process.argv.slice(2), { usage: USAGE, options })
try {
  // Imported only now, so that command-line errors are reported at once.
  const { deploy } = await import('./deploying.ts')
  const code = await deploy(values)
  if (code === undefined) console.error(USAGE)
  process.exitCode = code ?? 2
} catch (error) {
  console.error(failureText(error))
  process.exitCode = 1
}
