// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "./IERC20.sol";

/// @title IBurnable
/// @notice A token whose holders can destroy what they hold.
interface IBurnable is IERC20 {
    /// @notice Destroys tokens of the caller.
    /// @param value base units
    function burn(uint256 value) external;
}

/// @title BurnLedger
/// @notice The one place where bought-back tokens are burned, so that one event source holds the whole record.
contract BurnLedger {
    /// @notice Tokens were destroyed.
    /// @param from who gave them
    /// @param amount base units
    /// @param totalBurned base units of all burns, this one included
    event Burned(address indexed from, uint256 amount, uint256 totalBurned);

    /// @notice Nothing was to be burned.
    error ZeroAmount();
    /// @notice The token did not move.
    error TransferFailed();

    /// @notice The token that is burned.
    IBurnable public immutable token;
    /// @notice Base units of all burns.
    uint256 public totalBurned;

    /// @notice Opens a ledger for one token.
    /// @param token_ the token that is burned
    constructor(IBurnable token_) {
        token = token_;
    }

    /// @notice Takes tokens from the caller, who has approved this contract before, and destroys them.
    /// @param amount base units
    function burn(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        totalBurned += amount;
        emit Burned(msg.sender, amount, totalBurned);
        if (!token.transferFrom(msg.sender, address(this), amount)) revert TransferFailed();
        token.burn(amount);
    }
}
