import { fromRsv } from './signature-forms.ts'
import type { Signer } from './signer.ts'

/**
 * A key behind Web3Signer's eth1 API, which hashes its input with keccak-256.
 * @param url of the key: `https://…/api/v1/eth1/sign/0x…`
 * @source Web3Signer ETH1 API, ETH1_SIGN
 */
export function web3signer({
  address,
  at: url,
  retiring,
}: {
  address: Signer['address']
  at: string
  retiring: boolean
}): Signer {
  return {
    kind: 'web3signer',
    address,
    retiring,
    async sign(payload, signal) {
      const data = `0x${Buffer.from(payload).toString('hex')}`
      const headers = { 'content-type': 'application/json', accept: 'text/plain' }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ data }), signal })
      if (!answer.ok) throw new Error(`answered ${answer.status}`)
      return fromRsv((await answer.text()).trim())
    },
  }
}
