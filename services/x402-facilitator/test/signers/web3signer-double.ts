import type { Hex } from '@callboard/values'
import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak256, toBytes } from 'viem'
import { type Double, demand, startDouble } from './double.ts'

export const pathOf = (key: Hex): string =>
  `/api/v1/eth1/sign/0x${Buffer.from(secp256k1.getPublicKey(key.slice(2), false))
    .toString('hex')
    .slice(2)}`

/** The signing part of Web3Signer's eth1 API: it hashes its input. */
export const startWeb3signer = (key: Hex): Promise<Double> =>
  startDouble(key, ({ method, path, headers, body }, sign) => {
    demand('the method', method, 'POST')
    demand('the path', path, pathOf(key))
    demand('the type', headers['content-type'], 'application/json')
    const { data } = JSON.parse(body)
    const made = sign(keccak256(toBytes(data as Hex), 'bytes'))
    return [200, `0x${Buffer.from(made.toCompactRawBytes()).toString('hex')}1b`]
  })
