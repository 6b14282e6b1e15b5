import type { Hex } from '@callboard/values'
import { pad, slice } from 'viem'

/** The part of a compiled contract that concerns its runtime code. */
export interface RuntimeArtifact {
  /** Runtime code; immutables are zeros in it. */
  readonly deployedBytecode: Hex
  /** By the name of an immutable, the byte offsets of its 32 bytes. */
  readonly immutables: Readonly<Record<string, readonly number[]>>
}

const WORD = 32

const written = (code: Hex, offset: number, word: Hex): Hex =>
  `${code.slice(0, 2 + 2 * offset)}${word.slice(2)}${code.slice(2 + 2 * (offset + WORD))}` as Hex

/**
 * The runtime code of a contract with these immutables, byte for byte as on a chain.
 * @param values each immutable's value, of up to 32 bytes
 * @throws Error that names an immutable without a value: a bug
 */
export function runtimeCode(
  { deployedBytecode, immutables }: RuntimeArtifact,
  values: Readonly<Record<string, Hex>>,
): Hex {
  let code = deployedBytecode
  for (const [name, offsets] of Object.entries(immutables)) {
    const value = values[name]
    if (value === undefined) throw new Error(`the immutable ${name} has no value`)
    for (const offset of offsets) code = written(code, offset, pad(value, { size: WORD }))
  }
  return code.toLowerCase() as Hex
}

/**
 * The immutables of a contract on a chain, each as its 32 bytes.
 * @param code the answer of `eth_getCode`
 * @returns undefined when the code is not that contract with any immutables
 */
export function immutablesOf(
  artifact: RuntimeArtifact,
  code: Hex | undefined,
): Readonly<Record<string, Hex>> | undefined {
  if (code?.length !== artifact.deployedBytecode.length) return undefined
  const found: Record<string, Hex> = {}
  for (const [name, [offset = 0]] of Object.entries(artifact.immutables))
    found[name] = slice(code, offset, offset + WORD)
  return runtimeCode(artifact, found) === code.toLowerCase() ? found : undefined
}
