// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "./IERC20.sol";

interface IBurnable is IERC20 {
    function burn(uint256 value) external;
}

/// The one place where bought-back tokens are burned, so that one event source holds the whole record.
contract BurnLedger {
    event Burned(address indexed from, uint256 amount, uint256 totalBurned);

    error ZeroAmount();
    error TransferFailed();

    IBurnable public immutable token;
    uint256 public totalBurned;

    constructor(IBurnable token_) {
        token = token_;
    }

    /// Takes `amount` base units of the token from the caller, who has approved this contract before, and destroys them.
    function burn(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        totalBurned += amount;
        emit Burned(msg.sender, amount, totalBurned);
        if (!token.transferFrom(msg.sender, address(this), amount)) revert TransferFailed();
        token.burn(amount);
    }
}
