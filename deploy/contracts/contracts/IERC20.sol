// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The part of ERC-20 that our contracts call.
interface IERC20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}
