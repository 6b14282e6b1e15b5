// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Multicall3
/// @notice Several reads in one call, by the interface that readers expect at 0xcA11bde05977b3631167028862bE2a173976CA11.
/// @dev Local chains get it there by `anvil_setCode`; it has no state and keeps no money.
contract Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice Makes the calls in order. A failing call ends all of it, unless it allows failure.
    /// @param calls what to call
    /// @return results what each answered, in the same order
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(results[i].success || calls[i].allowFailure, "Multicall3: call failed");
        }
    }

    /// @notice What an account holds of the native coin.
    /// @param account whose balance
    /// @return wei
    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    /// @notice The number of this block.
    /// @return the height
    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    /// @notice The time of this block.
    /// @return unix seconds
    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }
}
