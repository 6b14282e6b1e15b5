"""A seller of tides as a tool: FastMCP behind the payment wrapper of x402, in a session, with a hint that the tool is paid."""

import json
import os

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
from x402.http import FacilitatorConfig, HTTPFacilitatorClientSync
from x402.mcp import create_payment_wrapper
from x402.mechanisms.evm.exact import ExactEvmServerScheme
from x402.schemas import ResourceConfig
from x402.server import x402ResourceServerSync

server = x402ResourceServerSync(HTTPFacilitatorClientSync(FacilitatorConfig(url=os.environ["FACILITATOR"])))
server.register(os.environ["NETWORK"], ExactEvmServerScheme())
server.initialize()
price = json.loads(os.environ.get("PRICE", '"$0.01"'))
accepts = server.build_payment_requirements(
    ResourceConfig(scheme="exact", network=os.environ["NETWORK"], pay_to=os.environ["PAY_TO"], price=price)
)

tools = FastMCP("tides")


@tools.tool(description="The tides of a port", annotations=ToolAnnotations(paymentHint=True))
@create_payment_wrapper(server, accepts=accepts)
async def tides(port: str) -> str:
    return json.dumps({"port": port, "high": "04:12"})


@tools.tool(description="The ports whose tides are known")
async def ports() -> str:
    raise RuntimeError("nobody asked for it")


app = tools.streamable_http_app()
