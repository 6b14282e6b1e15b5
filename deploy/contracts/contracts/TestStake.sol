// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "./IERC20.sol";

/// Holds staked tokens for their owners. A stake can be withdrawn at any time, and only to its owner.
/// Both events carry the stake after the change, so a reader that missed one is right again with the next.
contract TestStake {
    event Staked(address indexed owner, uint256 amount, uint256 stake);
    event Unstaked(address indexed owner, uint256 amount, uint256 stake);

    error ZeroAmount();
    error StakeTooSmall(uint256 stake, uint256 amount);
    error TransferFailed();

    IERC20 public immutable token;
    uint256 public totalStaked;
    mapping(address owner => uint256) public stakeOf;

    constructor(IERC20 token_) {
        token = token_;
    }

    /// Takes `amount` base units of the token from the caller, who has approved this contract before.
    function stake(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        uint256 staked = stakeOf[msg.sender] + amount;
        stakeOf[msg.sender] = staked;
        totalStaked += amount;
        emit Staked(msg.sender, amount, staked);
        if (!token.transferFrom(msg.sender, address(this), amount)) revert TransferFailed();
    }

    /// Gives `amount` base units back to the caller.
    function unstake(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        uint256 staked = stakeOf[msg.sender];
        if (amount > staked) revert StakeTooSmall(staked, amount);
        stakeOf[msg.sender] = staked - amount;
        totalStaked -= amount;
        emit Unstaked(msg.sender, amount, staked - amount);
        if (!token.transfer(msg.sender, amount)) revert TransferFailed();
    }
}
