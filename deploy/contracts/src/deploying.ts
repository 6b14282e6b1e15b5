import { writeFileSync } from 'node:fs'
import { receiptOf, SPLITTER_FEE_BP } from '@callboard/evm'
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

/** The command line's options. */
export interface Asked {
  readonly treasury?: string | undefined
  readonly rpc?: string | undefined
  readonly tokens?: string | undefined
  readonly verification?: string | undefined
}

/**
 * Deploys the contracts needed on every chain, by CREATE2, and prints the resulting settings.
 * @returns the exit code; undefined where the treasury is no address
 */
export async function deploy({ treasury, rpc, tokens: table, verification }: Asked): Promise<number | undefined> {
  if (!treasury || !isAddress(treasury)) return undefined
  const tokens = table ? (JSON.parse(table) as ChainToken[]) : PUBLIC_TOKENS
  const plan = { treasury: getAddress(treasury), feeBp: SPLITTER_FEE_BP, tokens }
  const { splitterFactory, settlementBatch, creations } = deploymentOf(plan)
  console.log(`splitter factory  ${splitterFactory}\nsettlement batch  ${settlementBatch}`)
  if (verification) await writeVerification(verification, plan)
  return rpc ? deployTo(rpc, plan, creations) : 0
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
