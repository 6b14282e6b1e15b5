import { createConfig } from 'ponder'
import { abi } from './transfer.ts'

/** The token's transfers on one chain, as history; the figure's program provides everything it needs to know. */
export default createConfig({
  database: { kind: 'postgres', connectionString: process.env.DATABASE_URL },
  // Our range at this density; with its default of 500 blocks, answers do not arrive in time.
  chains: { base: { id: 8453, rpc: process.env.PONDER_RPC_URL_8453, ethGetLogsBlockRange: 10 } },
  contracts: {
    USDC: {
      chain: 'base',
      abi,
      address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      startBlock: 1,
      endBlock: Number(process.env.END_BLOCK),
    },
  },
})
