import { readFileSync } from 'node:fs'
import { compileContracts, renderArtifacts } from '@callboard/solidity'
import { describe, expect, test } from 'vitest'

const GENERATED = new URL('../../../libs/evm/src/artifacts.generated.ts', import.meta.url)

describe('the generated artefacts', () => {
  test('are what the sources compile to, byte for byte', () => {
    expect(renderArtifacts(compileContracts()) === readFileSync(GENERATED, 'utf8')).toBe(true)
  }, 120_000)

  test('are compiled only if there is no warning', () => {
    const source =
      '// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\ncontract A { function f() public pure { uint256 a; } }'
    expect(() => compileContracts({ 'A.sol': source })).toThrow('Unused local variable')
    expect(() => compileContracts({ 'A.sol': 'contract' })).toThrow('ParserError')
  }, 120_000)
})
