// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "./IERC20.sol";

/// @title TestStake
/// @notice Holds staked tokens for their owners. A stake can be withdrawn at any time, and only to its owner.
/// @dev Both events carry the stake after the change, so a reader that missed one is right again with the next.
contract TestStake {
    /// @notice Tokens were staked.
    /// @param owner whose stake
    /// @param amount base units that came
    /// @param stake base units staked after it
    event Staked(address indexed owner, uint256 amount, uint256 stake);
    /// @notice Tokens were withdrawn.
    /// @param owner whose stake
    /// @param amount base units that went
    /// @param stake base units staked after it
    event Unstaked(address indexed owner, uint256 amount, uint256 stake);

    /// @notice Nothing was to be moved.
    error ZeroAmount();
    /// @notice More was asked back than is staked.
    /// @param stake base units staked
    /// @param amount base units asked for
    error StakeTooSmall(uint256 stake, uint256 amount);
    /// @notice The token did not move.
    error TransferFailed();

    /// @notice The token that is staked.
    IERC20 public immutable token;
    /// @notice Base units of all owners together.
    uint256 public totalStaked;
    /// @notice Base units of one owner.
    mapping(address owner => uint256) public stakeOf;

    /// @notice Takes stakes of one token.
    /// @param token_ the token that is staked
    constructor(IERC20 token_) {
        token = token_;
    }

    /// @notice Takes tokens from the caller, who has approved this contract before.
    /// @param amount base units
    function stake(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        uint256 staked = stakeOf[msg.sender] + amount;
        stakeOf[msg.sender] = staked;
        totalStaked += amount;
        emit Staked(msg.sender, amount, staked);
        if (!token.transferFrom(msg.sender, address(this), amount)) revert TransferFailed();
    }

    /// @notice Gives tokens back to the caller.
    /// @param amount base units
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
