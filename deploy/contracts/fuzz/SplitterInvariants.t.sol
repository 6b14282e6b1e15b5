// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FeeSplitter} from "../contracts/FeeSplitter.sol";
import {SplitterFactory} from "../contracts/SplitterFactory.sol";
import {TestUSDC} from "../contracts/TestUSDC.sol";
import {Cheats} from "./Cheats.sol";
import {SplitterHandler} from "./SplitterHandler.sol";

/// What holds after any sequence of calls.
contract SplitterInvariants is Cheats {
    SplitterHandler private handler;
    TestUSDC private usdc;
    address private treasury;

    function setUp() public {
        handler = new SplitterHandler();
        usdc = handler.usdc();
        treasury = handler.treasury();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// Conservation: what was paid to a splitter is there, or with its wallet, or with the treasury.
    function invariant_nothingIsMadeOrLost() public view {
        uint256 paid = 0;
        uint256 elsewhere = usdc.balanceOf(treasury);
        for (uint256 i = 0; i < handler.WALLETS(); ++i) {
            paid += handler.paid(i);
            elsewhere += usdc.balanceOf(handler.walletOf(i)) + usdc.balanceOf(address(handler.splitterOf(i)));
        }
        equal(elsewhere, paid, "conservation");
    }

    /// Nobody else gains: all tokens that exist are with a splitter, its wallet or the treasury.
    function invariant_nobodyElseGains() public view {
        uint256 known = usdc.balanceOf(treasury);
        for (uint256 i = 0; i < handler.WALLETS(); ++i) {
            known += usdc.balanceOf(handler.walletOf(i)) + usdc.balanceOf(address(handler.splitterOf(i)));
        }
        equal(known, usdc.totalSupply(), "somebody else holds tokens");
    }

    /// 95/5 of every distribution: what both sides received, and what waits for them, are their shares to the unit.
    function invariant_eachSideHasItsShareOfEveryDistribution() public view {
        uint256 fees = 0;
        uint256 feesWaiting = 0;
        for (uint256 i = 0; i < handler.WALLETS(); ++i) {
            FeeSplitter splitter = handler.splitterOf(i);
            fees += handler.fee(i);
            uint256 received = usdc.balanceOf(handler.walletOf(i));
            uint256 fresh = handler.paid(i) - handler.divided(i);
            if (address(splitter).code.length == 0) {
                equal(received, 0, "paid out before deployment");
                continue;
            }
            (uint256 feeDue, uint256 payoutDue) = splitter.claimable(address(usdc));
            uint256 freshFee = fresh * handler.FEE_BP() / 10_000;
            feesWaiting += feeDue - freshFee;
            equal(received + payoutDue - (fresh - freshFee), handler.divided(i) - handler.fee(i), "payout");
        }
        equal(usdc.balanceOf(treasury) + feesWaiting, fees, "fee");
    }

    /// Predicted is deployed: at a predicted address stands nothing, or the splitter of that very wallet.
    function invariant_predictedIsDeployed() public view {
        SplitterFactory factory = handler.factory();
        for (uint256 i = 0; i < handler.WALLETS(); ++i) {
            address wallet = handler.walletOf(i);
            address splitter = factory.predict(wallet);
            if (splitter.code.length == 0) continue;
            bytes memory expected = abi.encodePacked(
                hex"363d3d373d3d3d363d73", factory.implementation(), hex"5af43d82803e903d91602b57fd5bf3", wallet
            );
            require(keccak256(splitter.code) == keccak256(expected), "code");
            require(FeeSplitter(splitter).payoutWallet() == wallet, "wallet");
        }
    }
}
