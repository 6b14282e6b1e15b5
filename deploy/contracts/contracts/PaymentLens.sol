// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title IBalances
/// @notice What the lens reads of a token.
interface IBalances {
    /// @notice What an account holds.
    /// @param account whose balance
    /// @return base units
    function balanceOf(address account) external view returns (uint256);
}

/// @title PaymentLens
/// @notice Says of many EIP-3009 payments at once whether the token takes them now.
/// @dev Never deployed: the creation code is run by
/// `eth_call`, with the arguments behind it, and what it returns in place of a contract is the answer.
///
/// The answer is one word per leg: bit 255 the token took the transfer, bit 254 the payer has code, below that the payer's
/// balance before any leg moved. A leg that is refused here may have been refused for an earlier leg of the same payer.
contract PaymentLens {
    uint256 private constant LEG_BYTES = 288;
    uint256 private constant TAKEN = 1 << 255;
    uint256 private constant HAS_CODE = 1 << 254;

    /// @notice Tries the payments and answers in place of code.
    /// @param token the EIP-3009 token of all legs
    /// @param legGas gas of each leg
    /// @param legs 288 bytes for each payment: the arguments of `transferWithAuthorization(…,v,r,s)`
    constructor(address token, uint256 legGas, bytes memory legs) {
        uint256[] memory answers = new uint256[](legs.length / LEG_BYTES);
        for (uint256 i = 0; i < answers.length; ++i) {
            address payer = address(uint160(_word(legs, i * LEG_BYTES)));
            answers[i] = IBalances(token).balanceOf(payer) & (HAS_CODE - 1);
            if (payer.code.length > 0) answers[i] |= HAS_CODE;
        }
        for (uint256 i = 0; i < answers.length; ++i) {
            if (_take(token, legGas, legs, i * LEG_BYTES)) answers[i] |= TAKEN;
        }
        assembly ("memory-safe") {
            return(add(answers, 0x20), mul(mload(answers), 0x20))
        }
    }

    function _word(bytes memory legs, uint256 offset) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(add(legs, 0x20), offset))
        }
    }

    /// @dev Calls `transferWithAuthorization(…,uint8 v,bytes32 r,bytes32 s)` with the leg at `offset`.
    function _take(address token, uint256 legGas, bytes memory legs, uint256 offset) private returns (bool taken) {
        bytes4 selector = bytes4(0xe3ee160e);
        assembly ("memory-safe") {
            let call_ := mload(0x40)
            mstore(call_, selector)
            mcopy(add(call_, 4), add(add(legs, 0x20), offset), LEG_BYTES)
            taken := call(legGas, token, 0, call_, add(LEG_BYTES, 4), 0, 0)
        }
    }
}
