// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The few of forge's cheatcodes that these tests use. @custom:source https://getfoundry.sh/reference/cheatcodes
interface Vm {
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function prank(address sender) external;
    function etch(address account, bytes calldata code) external;
    function assume(bool holds) external pure;
}

/// What every test has at hand.
abstract contract Cheats {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function equal(uint256 found, uint256 wanted, string memory what) internal pure {
        require(found == wanted, what);
    }

    /// Brings a fuzzed number into `least` to `most`.
    function within(uint256 value, uint256 least, uint256 most) internal pure returns (uint256) {
        return least + value % (most - least + 1);
    }
}
