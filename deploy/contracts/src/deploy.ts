import { writeFileSync } from 'node:fs'
import { receiptOf, SPLITTER_FEE_BP } from '@callboard/evm'
import { commandLine } from '@callboard/runtime/command-line'
import type { Address, Hex } from '@callboard/values'
import { createPublicClient, createWalletClient, getAddress, http, isAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  type ChainToken,
  type DeploymentPlan,
  deploymentFault,
  deploymentOf,
  PUBLIC_TOKENS,
  unfit,
} from './deployment.ts'

const USAGE = `usage: npm run contracts:deploy -- --treasury 0x… [--rpc URL] [--tokens JSON] [--verification DIR]
  Without --rpc: prints the addresses, which are the same on every chain. With --rpc: deploys what is missing there, paid for
  by the key in DEPLOYER_KEY, and compares the result with our code.
  --tokens replaces the table [{"chainId":…,"usdc":"0x…"}].
  --verification writes the files with which block explorers verify the sources.`

/** Deploys the contracts needed on every chain, by CREATE2, and prints the resulting settings. */
async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const options = { treasury: text, rpc: text, tokens: text, verification: text } as const
  const { values } = commandLine(process.argv.slice(2), { usage: USAGE, options })
  if (!values.treasury || !isAddress(values.treasury)) {
    console.error(USAGE)
    return 2
  }
  const tokens = values.tokens ? (JSON.parse(values.tokens) as ChainToken[]) : PUBLIC_TOKENS
  const plan = { treasury: getAddress(values.treasury), feeBp: SPLITTER_FEE_BP, tokens }
  const { splitterFactory, settlementBatch, creations } = deploymentOf(plan)
  console.log(`splitter factory  ${splitterFactory}\nsettlement batch  ${settlementBatch}`)
  if (values.verification) await writeVerification(values.verification, plan)
  if (!values.rpc) return 0
  return deployTo(values.rpc, plan, creations)
}

async function deployTo(rpc: string, plan: DeploymentPlan, creations: ReturnType<typeof deploymentOf>['creations']) {
  const client = createPublicClient({ transport: http(rpc) })
  const problem = await unfit(client, plan)
  if (problem) return failed(problem)
  for (const { contract, address, transaction } of creations) {
    if (await client.getCode({ address })) {
      console.log(`${contract} is at ${address} already`)
      continue
    }
    const { DEPLOYER_KEY: key } = process.env
    if (!key) return failed('DEPLOYER_KEY must hold the private key that pays for the deployment')
    const sender = createWalletClient({ account: privateKeyToAccount(key as Hex), transport: http(rpc) })
    const hash = await sender.sendTransaction({ chain: null, ...transaction })
    const { status, gasUsed } = await receiptOf(client, hash)
    if (status !== 'success') return failed(`the transaction ${hash} that deploys ${contract} reverted`)
    console.log(`${contract} is deployed at ${address} by ${hash}, ${gasUsed} gas`)
  }
  const fault = await deploymentFault(client, plan)
  if (fault) return failed(fault)
  const network = `eip155:${await client.getChainId()}`
  const setting = (name: string, address: Address) => console.log(`${name}={"${network}":"${address}"}`)
  const { splitterFactory, settlementBatch } = deploymentOf(plan)
  console.log('What stands there is ours, byte for byte. The settings:')
  setting('SPLITTER_FACTORIES', splitterFactory)
  setting('SPLITTER_TREASURIES', plan.treasury)
  setting('SETTLEMENT_BATCHES', settlementBatch)
  return 0
}

/** Writes the compiler's input, and each contract's address, name and constructor arguments. */
async function writeVerification(folder: string, plan: DeploymentPlan): Promise<void> {
  const contracts = deploymentOf(plan).creations.map(({ contract, address, constructorArguments }) => ({
    ...{ contract: `${contract}.sol:${contract}`, address, constructorArguments },
  }))
  // The compiler behind it takes longer to load than everything else.
  const { standardInput } = await import('./solc.ts')
  writeFileSync(`${folder}/standard-input.json`, `${JSON.stringify(standardInput(), null, 2)}\n`)
  writeFileSync(`${folder}/contracts.json`, `${JSON.stringify(contracts, null, 2)}\n`)
}

function failed(reason: string): number {
  console.error(reason)
  return 1
}

process.exitCode = await main().catch((error: unknown) =>
  failed(error instanceof Error ? error.message : String(error)),
)
