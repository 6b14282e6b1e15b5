// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title SettlementBatch
/// @notice Settles many EIP-3009 payments of one token in one transaction, each as if it were alone.
/// @dev A leg is the 288 bytes of arguments of `transferWithAuthorization(…,uint8 v,bytes32 r,bytes32 s)`; the legs stand one
/// after another. Every leg gets its own gas and nothing of what it does is looked at: it can neither revert the others
/// nor take their gas, and whether it moved its money is said by the token's logs alone.
///
/// There is no owner, no state and no way to hold anything. The contract has no rights at any token, for a transfer by
/// authorization does not ask who submits it. Bytes after the arguments are passed over: an ERC-8021 suffix may stand there.
contract SettlementBatch {
    /// @notice The legs are not a whole number of 288 bytes.
    error LegCutShort();
    /// @notice A leg would have got less gas than it was promised; nothing of the batch stands.
    error GasTooLow();

    uint256 private constant LEG_BYTES = 288;
    /// @dev What a call costs before it begins, with room: 2,600 for the first touch of the token.
    uint256 private constant CALL_COST = 5_000;

    /// @notice Submits each leg to `token` with `legGas` gas.
    /// @param token the EIP-3009 token of all legs
    /// @param legGas gas of each leg, used or not
    /// @param legs 288 bytes for each payment: the arguments of `transferWithAuthorization(…,v,r,s)`
    function settle(address token, uint256 legGas, bytes calldata legs) external {
        require(legs.length % LEG_BYTES == 0, LegCutShort());
        bytes4 selector = bytes4(0xe3ee160e);
        // A call passes on at most 63/64 of what is left.
        uint256 needed = legGas + legGas / 63 + CALL_COST;
        for (uint256 offset = 0; offset < legs.length; offset += LEG_BYTES) {
            require(gasleft() >= needed, GasTooLow());
            assembly ("memory-safe") {
                let call_ := mload(0x40)
                mstore(call_, selector)
                calldatacopy(add(call_, 4), add(legs.offset, offset), LEG_BYTES)
                pop(call(legGas, token, 0, call_, add(LEG_BYTES, 4), 0, 0))
            }
        }
    }
}
