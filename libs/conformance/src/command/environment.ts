import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Devnet, Target } from '../target.ts'

const hex = z.templateLiteral(['0x', z.string()])

const DevnetFile = z.object({
  rpcUrl: z.url(),
  chainId: z.int().positive(),
  network: z.templateLiteral(['eip155:', z.number()]),
  usdc: z.object({ address: hex, name: z.string(), version: z.string() }),
  treasury: hex,
  stake: hex,
  stakeToken: hex,
  burnLedger: hex,
  identityRegistry: hex,
  reputationRegistry: hex,
  mnemonic: z.string(),
})

/** The variables in which the command passes the target to the run. */
export const SETTINGS = { baseUrl: 'CONFORMANCE_BASE_URL', devnetFile: 'CONFORMANCE_DEVNET' } as const

/** @throws Error in one sentence when the base URL is invalid, or the devnet file lacks something */
export function readTarget(env: NodeJS.ProcessEnv): Target {
  const baseUrl = z.url({ protocol: /^https?$/ }).safeParse(env[SETTINGS.baseUrl])
  if (!baseUrl.success) throw new Error(`${env[SETTINGS.baseUrl]} is not an http or https URL.`)
  const file = env[SETTINGS.devnetFile]
  const devnet = file ? readDevnet(file) : undefined
  return { baseUrl: baseUrl.data.replace(/\/$/, ''), ...(devnet ? { devnet } : {}) }
}

function readDevnet(file: string): Devnet {
  try {
    return DevnetFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new Error(`${file} is not the devnet.json of an instance.`, { cause })
  }
}
