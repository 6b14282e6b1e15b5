// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FeeSplitter} from "../contracts/FeeSplitter.sol";
import {SplitterFactory} from "../contracts/SplitterFactory.sol";
import {TestUSDC} from "../contracts/TestUSDC.sol";
import {Cheats} from "./Cheats.sol";

/// Everything that can happen to the splitters of three wallets, in any order, by anyone: payments before and after
/// deployment, deployments, distributions, and Circle's blocklist and pause. It keeps its own books beside.
contract SplitterHandler is Cheats {
    uint256 public constant WALLETS = 3;
    uint16 public constant FEE_BP = 500;

    TestUSDC public immutable usdc = new TestUSDC();
    address public immutable treasury = address(0xfee);
    SplitterFactory public immutable factory = new SplitterFactory(address(usdc), treasury, FEE_BP);

    /// Base units that were ever paid to a wallet's splitter, those of them that were divided, and the fee of those.
    mapping(uint256 => uint256) public paid;
    mapping(uint256 => uint256) public divided;
    mapping(uint256 => uint256) public fee;

    function walletOf(uint256 which) public pure returns (address) {
        return address(uint160(0xa000 + which % WALLETS));
    }

    function splitterOf(uint256 which) public view returns (FeeSplitter) {
        return FeeSplitter(factory.predict(walletOf(which)));
    }

    function pay(uint256 which, uint256 amount) external {
        which %= WALLETS;
        amount = within(amount, 0, 10 ** 15);
        usdc.mint(address(splitterOf(which)), amount);
        paid[which] += amount;
    }

    function create(uint256 which, address by) external {
        vm.prank(by);
        factory.create(walletOf(which));
    }

    function createAndDistribute(uint256 which, address by) external {
        vm.prank(by);
        factory.createAndDistribute(walletOf(which));
        _divide(which % WALLETS);
    }

    function distribute(uint256 which, address by) external {
        FeeSplitter splitter = splitterOf(which);
        if (address(splitter).code.length == 0) return;
        vm.prank(by);
        splitter.distribute();
        _divide(which % WALLETS);
    }

    /// Blocks or frees a wallet, the treasury or a splitter.
    function block_(uint256 which, bool free) external {
        address[3] memory sides = [walletOf(which), treasury, address(splitterOf(which))];
        address side = sides[which / WALLETS % 3];
        if (free) usdc.unBlacklist(side);
        else usdc.blacklist(side);
    }

    function pause(bool free) external {
        if (free) usdc.unpause();
        else usdc.pause();
    }

    /// All that was paid since is divided now, whether or not it could be paid out.
    function _divide(uint256 which) private {
        fee[which] += (paid[which] - divided[which]) * FEE_BP / 10_000;
        divided[which] = paid[which];
    }
}
