import type { CompiledContract } from './solc.ts'

/** `FeeSplitter` → `feeSplitter`, `TestUSDC` → `testUSDC`: the name under which an artefact is exported. */
const exportName = (contract: string) => contract[0]?.toLowerCase() + contract.slice(1)

const render = ({ name, abi, bytecode, deployedBytecode, immutables }: CompiledContract) => `
/** ${name}.sol */
export const ${exportName(name)} = {
  abi: [
${abi.map((item) => `    ${JSON.stringify(item)},`).join('\n')}
  ],
  bytecode: '${bytecode}',
  deployedBytecode: '${deployedBytecode}',
  immutables: { ${Object.entries(immutables)
    .map(([name, places]) => `${name}: [${places.join(', ')}]`)
    .join(', ')} },
} as const
`

/**
 * The text of libs/evm/src/artifacts.generated.ts: one exported constant per contract, literal enough for viem to type
 * calls from the ABI.
 */
export const renderArtifacts = (contracts: readonly CompiledContract[]): string =>
  `// Made by \`npm run contracts:gen\` from deploy/contracts/contracts. Do not edit.
// bytecode: creation code without constructor arguments. deployedBytecode: runtime code, immutables zero.
// immutables: the byte offsets at which each immutable's 32 bytes stand in deployedBytecode.
${contracts.map(render).join('')}`
