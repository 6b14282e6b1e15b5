import { soldSchemas, x402Facilitator } from '@callboard/contract'
import { offerBazaar } from '@callboard/x402'

/** An authorization signed with the public development mnemonic: anyone can sign with it, and it never had money. */
const AUTHORIZATION = {
  from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  value: '10000',
  validAfter: '0',
  validBefore: '1900000000',
  nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
}

const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** A request that the decoder accepts, and its answer 100 seconds before the authorization ends. */
export const DECODE_EXAMPLE = {
  input: {
    payload: {
      x402Version: 2,
      accepted: {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: AUTHORIZATION.value,
        asset: ASSET,
        payTo: AUTHORIZATION.to,
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
      },
      payload: {
        signature:
          '0x2f2ea3d6deff7759326577afaa7dedcf11c0a54ad1efebaebcd7b6444d24c3f718e23b47c1b1595ce8b9ac762c08089ec20c7117e18d9f2ba8e0947c546e8aed1b',
        authorization: AUTHORIZATION,
      },
    },
  },
  output: {
    x402Version: 2,
    scheme: 'exact',
    network: 'eip155:8453',
    asset: ASSET,
    authorization: AUTHORIZATION,
    digest: '0x66519925064584981506810fe4d09fb67adcbebe0de043896f5e5e63e8960b8b',
    recoveredSigner: AUTHORIZATION.from,
    secondsLeft: 100,
    extensions: null,
    findings: [],
  },
}

const SCHEMAS = soldSchemas(x402Facilitator.decode)

/** The decoder's input and output, as its offer describes them. */
export const DECODE_BAZAAR = offerBazaar({
  method: 'POST',
  inputSchema: SCHEMAS.input,
  input: DECODE_EXAMPLE.input,
  outputSchema: SCHEMAS.output,
  output: DECODE_EXAMPLE.output,
})
