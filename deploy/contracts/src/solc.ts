import { readdirSync, readFileSync } from 'node:fs'
import solc from 'solc'

/** One deployable contract as the compiler made it. */
export interface CompiledContract {
  /** The Solidity name, for example "FeeSplitter". */
  readonly name: string
  /** The contract's ABI, as the compiler orders it. */
  readonly abi: readonly unknown[]
  /** Creation code; constructor arguments are appended to it. */
  readonly bytecode: `0x${string}`
  /** Runtime code; the places of immutables hold zeros. */
  readonly deployedBytecode: `0x${string}`
}

/** The part of solc's standard JSON output that is read here. */
interface SolcOutput {
  readonly errors?: readonly { readonly severity: 'error' | 'warning' | 'info'; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>
}

interface SolcContract {
  readonly abi: readonly unknown[]
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

const SOURCES = new URL('../contracts/', import.meta.url)

/** No metadata hash and no compiler trailer: equal sources give equal bytes on every machine. */
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
}

/** The Solidity sources of this package: file name → text. */
export const readSources = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(SOURCES)
      .filter((file) => file.endsWith('.sol'))
      .sort()
      .map((file) => [file, readFileSync(new URL(file, SOURCES), 'utf8')]),
  )

/**
 * Compiles sources and returns what can be deployed, sorted by name: interfaces, libraries and abstract contracts have
 * no code of their own and are left out.
 * @throws Error with the compiler's own words, on an error and on a warning alike
 */
export function compileContracts(sources = readSources()): readonly CompiledContract[] {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }])),
    settings,
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput
  const complaints = output.errors?.filter(({ severity }) => severity !== 'info') ?? []
  if (complaints.length > 0) throw new Error(complaints.map((complaint) => complaint.formattedMessage).join('\n'))
  return Object.entries(output.contracts ?? {})
    .flatMap(([file, contracts]) =>
      Object.entries(contracts)
        .filter(([name]) => file === `${name}.sol`)
        .map(([name, { abi, evm }]) => ({
          name,
          abi,
          bytecode: `0x${evm.bytecode.object}` as const,
          deployedBytecode: `0x${evm.deployedBytecode.object}` as const,
        })),
    )
    .filter(({ deployedBytecode, abi }) => deployedBytecode !== '0x' && abi.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
