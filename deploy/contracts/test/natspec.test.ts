import { compileContracts, natspecGaps } from '@callboard/solidity'
import { describe, expect, test } from 'vitest'

const source = (contract: string) => ({
  'A.sol': `// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\n${contract}`,
})

describe('NatSpec', () => {
  test('names a gap', () => {
    const bare = compileContracts(
      source(`/// @notice Bare.
contract A {
    /// @notice Said.
    uint256 public said;
    uint256 public unsaid;
    event Happened(uint256 what);
    error Wrong(uint256 why);
    /// @notice Doubles.
    function double(uint256 x) external pure returns (uint256) { if (x > 9) revert Wrong(x); return 2 * x; }
    function tell() external { emit Happened(1); said = 1; unsaid = 2; }
}`),
    )
    expect(bare.flatMap(natspecGaps).sort()).toEqual([
      'A: @title',
      'A: Happened(uint256): @notice',
      'A: Happened(uint256): @param what',
      'A: Wrong(uint256): @notice',
      'A: Wrong(uint256): @param why',
      'A: double(uint256): @param x',
      'A: double(uint256): @return _0',
      'A: tell(): @notice',
      'A: unsaid(): @notice',
    ])
  }, 120_000)
})
