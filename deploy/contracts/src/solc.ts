import { readdirSync, readFileSync } from 'node:fs'
import solc from 'solc'

/** One deployable contract, as compiled. */
export interface CompiledContract {
  /** The Solidity name, for example "FeeSplitter". */
  readonly name: string
  /** The contract's ABI, in the compiler's order. */
  readonly abi: readonly unknown[]
  /** Creation code; constructor arguments are appended to it. */
  readonly bytecode: `0x${string}`
  /** Runtime code, with zeros for immutables. */
  readonly deployedBytecode: `0x${string}`
  /** Where each immutable is in the runtime code: by name, the offsets of its 32 bytes. */
  readonly immutables: Readonly<Record<string, readonly number[]>>
  /** NatSpec for users and for developers, as the compiler parsed it. */
  readonly natspec: { readonly user: NatspecDocument; readonly dev: NatspecDocument }
  /** Names of public state variables: the ABI functions that the compiler generated. */
  readonly getters: ReadonlySet<string>
}

/** The compiler's `userdoc` or `devdoc`. @source https://docs.soliditylang.org, NatSpec format */
export interface NatspecDocument {
  readonly notice?: string
  readonly title?: string
  readonly methods?: Readonly<Record<string, NatspecEntry>>
  readonly events?: Readonly<Record<string, NatspecEntry>>
  readonly errors?: Readonly<Record<string, readonly NatspecEntry[]>>
}

/** The documentation of one function, event or error. */
export interface NatspecEntry {
  readonly notice?: string
  readonly params?: Readonly<Record<string, string>>
  readonly returns?: Readonly<Record<string, string>>
}

/** The part of solc's standard JSON output that is read here. */
interface SolcOutput {
  readonly errors?: readonly { readonly severity: 'error' | 'warning' | 'info'; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>
  readonly sources?: Readonly<Record<string, { readonly ast: AstNode }>>
}

interface SolcContract {
  readonly abi: readonly unknown[]
  readonly userdoc: NatspecDocument
  readonly devdoc: NatspecDocument
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: {
      readonly object: string
      readonly immutableReferences?: Readonly<Record<string, readonly { readonly start: number }[]>>
    }
  }
}

interface AstNode {
  readonly id?: number
  readonly name?: string
  readonly nodeType?: string
  readonly mutability?: string
  readonly stateVariable?: boolean
  readonly visibility?: string
  readonly nodes?: readonly AstNode[]
}

const SOURCES = new URL('../contracts/', import.meta.url)

/** No metadata hash and no compiler trailer: equal sources give equal bytes on every machine. */
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
}

const OUTPUTS = [
  'abi',
  'userdoc',
  'devdoc',
  'evm.bytecode.object',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.immutableReferences',
]

/** The standard JSON input of a compilation without the requested outputs, by which block explorers verify sources. */
export const standardInput = (sources = readSources()) => ({
  language: 'Solidity',
  sources: Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }])),
  settings,
})

/** The Solidity sources of this package: file name → text. */
export const readSources = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(SOURCES)
      .filter((file) => file.endsWith('.sol'))
      .sort()
      .map((file) => [file, readFileSync(new URL(file, SOURCES), 'utf8')]),
  )

/**
 * Compiles sources and returns the deployable contracts, sorted by name: interfaces, libraries and abstract contracts
 * have no code of their own and are left out.
 * @throws Error with the compiler's message, for an error and for a warning alike
 */
export function compileContracts(sources = readSources()): readonly CompiledContract[] {
  const asked = { '*': { '*': OUTPUTS, '': ['ast'] } }
  const input = { ...standardInput(sources), settings: { ...settings, outputSelection: asked } }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput
  const complaints = output.errors?.filter(({ severity }) => severity !== 'info') ?? []
  if (complaints.length > 0) throw new Error(complaints.map((complaint) => complaint.formattedMessage).join('\n'))
  const { names, getters } = stateVariables(output)
  return Object.entries(output.contracts ?? {})
    .flatMap(([file, contracts]) =>
      Object.entries(contracts)
        .filter(([name]) => file === `${name}.sol`)
        .map(([name, { abi, evm, userdoc, devdoc }]) => ({
          name,
          abi,
          bytecode: `0x${evm.bytecode.object}` as const,
          deployedBytecode: `0x${evm.deployedBytecode.object}` as const,
          immutables: Object.fromEntries(
            Object.entries(evm.deployedBytecode.immutableReferences ?? {}).map(([id, places]) => [
              names.get(Number(id)) ?? id,
              places.map(({ start }) => start),
            ]),
          ),
          natspec: { user: userdoc, dev: devdoc },
          getters,
        })),
    )
    .filter(({ deployedBytecode, abi }) => deployedBytecode !== '0x' && abi.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The names of all immutables by the compiler's ids for them, and the names that have a getter. */
function stateVariables({ sources = {} }: SolcOutput) {
  const names = new Map<number, string>()
  const getters = new Set<string>()
  const walk = ({ id, name, mutability, stateVariable, visibility, nodes = [] }: AstNode): void => {
    if (mutability === 'immutable' && id !== undefined && name) names.set(id, name)
    if (stateVariable && visibility === 'public' && name) getters.add(name)
    nodes.forEach(walk)
  }
  for (const { ast } of Object.values(sources)) walk(ast)
  return { names, getters }
}
