// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title IERC20
/// @notice The part of ERC-20 that our contracts call.
interface IERC20 {
    /// @notice What an account holds.
    /// @param account whose balance
    /// @return base units
    function balanceOf(address account) external view returns (uint256);
    /// @notice Moves tokens of the caller.
    /// @param to who receives them
    /// @param value base units
    /// @return true; a failure reverts or answers false, as the token likes
    function transfer(address to, uint256 value) external returns (bool);
    /// @notice Moves tokens of another account that allowed it.
    /// @param from whose tokens
    /// @param to who receives them
    /// @param value base units
    /// @return true; a failure reverts or answers false, as the token likes
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}
