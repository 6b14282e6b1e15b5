import { readFileSync } from 'node:fs'
import { compileContracts, natspecGaps, renderArtifacts } from '@callboard/solidity'
import { beforeAll, describe, expect, test } from 'vitest'

const GENERATED = new URL('../../../libs/evm/src/artifacts.generated.ts', import.meta.url)

/** Once, for it takes seconds. */
let compiled: ReturnType<typeof compileContracts>
beforeAll(() => {
  compiled = compileContracts()
}, 120_000)

test('NatSpec is complete: title and notice of each contract; notice, parameters and returns of its public members', () => {
  expect(compiled.flatMap(natspecGaps)).toEqual([])
})

describe('the generated artefacts', () => {
  test('are what the sources compile to, byte for byte', () => {
    expect(renderArtifacts(compiled) === readFileSync(GENERATED, 'utf8')).toBe(true)
  })

  test('are compiled only if there is no warning', () => {
    const source =
      '// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\ncontract A { function f() public pure { uint256 a; } }'
    expect(() => compileContracts({ 'A.sol': source })).toThrow('Unused local variable')
    expect(() => compileContracts({ 'A.sol': 'contract' })).toThrow('ParserError')
  }, 120_000)
})
