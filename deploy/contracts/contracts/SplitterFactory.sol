// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FeeSplitter} from "./FeeSplitter.sol";

/// @title SplitterFactory
/// @notice Deploys fee splitters at addresses that are known beforehand.
/// @dev A splitter is a minimal clone whose code ends with the payout wallet, and whose CREATE2 salt is that wallet. So the
/// address follows from factory and wallet alone, it does not matter who deploys it, and running ahead of somebody
/// deploys exactly what they wanted.
contract SplitterFactory {
    /// @notice A splitter was deployed.
    /// @param wallet the payout wallet that it pays for ever
    /// @param splitter where it is
    event SplitterCreated(address indexed wallet, address indexed splitter);

    /// @notice The payout wallet is the zero address, which USDC could never pay.
    error ZeroWallet();
    /// @notice CREATE2 deployed nothing.
    error CreationFailed();

    /// @notice The contract that all splitters of this factory delegate to: the first one that this factory created.
    FeeSplitter public immutable implementation;

    /// @notice Makes the factory and, as its first creation, the implementation of its splitters.
    /// @param usdc the chain's USDC; it must have code
    /// @param treasury who receives the network's share
    /// @param feeBp the network's share in basis points, at most 1,000
    constructor(address usdc, address treasury, uint16 feeBp) {
        implementation = new FeeSplitter(usdc, treasury, feeBp);
    }

    /// @notice Where the splitter of a wallet is or will be.
    /// @param wallet the payout wallet
    /// @return the splitter's address, deployed or not
    function predict(address wallet) external view returns (address) {
        return _predict(wallet, _creationCode(wallet));
    }

    /// @notice Deploys the splitter of a wallet, or returns the one that is there.
    /// @param wallet the payout wallet
    /// @return the splitter's address
    function create(address wallet) external returns (address) {
        return _create(wallet);
    }

    /// @notice Deploys the splitter of a wallet unless it is there, and pays out the USDC that has already arrived.
    /// @param wallet the payout wallet
    /// @return splitter the splitter's address
    function createAndDistribute(address wallet) external returns (address splitter) {
        splitter = _create(wallet);
        FeeSplitter(splitter).distribute();
    }

    function _create(address wallet) private returns (address splitter) {
        if (wallet == address(0)) revert ZeroWallet();
        bytes memory creationCode = _creationCode(wallet);
        splitter = _predict(wallet, creationCode);
        if (splitter.code.length != 0) return splitter;
        bytes32 salt = _salt(wallet);
        assembly ("memory-safe") {
            splitter := create2(0, add(creationCode, 0x20), mload(creationCode), salt)
        }
        if (splitter == address(0)) revert CreationFailed();
        emit SplitterCreated(wallet, splitter);
    }

    function _predict(address wallet, bytes memory creationCode) private view returns (address) {
        bytes32 hash = keccak256(abi.encodePacked(hex"ff", address(this), _salt(wallet), keccak256(creationCode)));
        return address(uint160(uint256(hash)));
    }

    function _salt(address wallet) private pure returns (bytes32) {
        return bytes32(uint256(uint160(wallet)));
    }

    /// @dev Returns 65 bytes of runtime: EIP-1167's delegation (45 bytes) and, behind it, the wallet (20 bytes).
    function _creationCode(address wallet) private view returns (bytes memory) {
        return abi.encodePacked(
            hex"6100413d81600a3d39f3",
            hex"363d3d373d3d3d363d73",
            address(implementation),
            hex"5af43d82803e903d91602b57fd5bf3",
            wallet
        );
    }
}
