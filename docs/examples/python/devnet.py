"""What a running instance on the local chain writes into its data folder, and its accounts."""

import json
import os
import pathlib

from eth_account import Account

_default = pathlib.Path(__file__).parents[3] / ".callboard" / "devnet.json"
devnet = json.loads(pathlib.Path(os.environ.get("CALLBOARD_DEVNET", _default)).read_text())


def account_of(index):
    """One of the ten accounts that hold ether and test USDC. The demonstration uses 1, 2 and 3."""
    Account.enable_unaudited_hdwallet_features()
    return Account.from_mnemonic(devnet["mnemonic"], account_path=f"m/44'/60'/0'/0/{index}")
