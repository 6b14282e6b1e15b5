import { describe, expect, test } from 'vitest'
import { ChainProof, type EndpointState, endpointLabel } from './chain-proof.ts'

const about = { network: 'eip155:8453', chainId: 8453, endpoint: '1:rpc.example' } as const

function proofOf(...answers: (string | Error)[]) {
  const states: EndpointState['state'][] = []
  let asked = 0
  const proof = new ChainProof(about, ({ state }) => states.push(state))
  const ask = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)]
    if (answer instanceof Error) throw answer
    return answer
  }
  return { states, asked: () => asked, proof, ask }
}

describe('ChainProof', () => {
  test('default: asked once for all callers that wait, and not again while it holds', async () => {
    const { proof, ask, asked, states } = proofOf('0x2105')
    await Promise.all([proof.hold(ask), proof.hold(ask)])
    await proof.hold(ask)
    expect(asked()).toBe(1)
    expect(states).toEqual(['unproven', 'proven'])
  })

  test('behavior: asked again after a failed request, and where an old proof is not enough', async () => {
    const { proof, ask, asked } = proofOf('0x2105')
    await proof.hold(ask)
    proof.lost()
    await proof.hold(ask)
    await proof.holdAnew(ask)
    expect(asked()).toBe(3)
  })

  test.each(['0x1', 'nonsense', '0x2105ffffffffffffff', ''])('error: ForeignChain for %s', async (answer) => {
    const { proof, ask, states } = proofOf(answer)
    await expect(proof.hold(ask)).rejects.toThrow('1:rpc.example of eip155:8453')
    expect(states).toEqual(['unproven', 'foreign'])
  })

  test('behavior: a foreign endpoint returns when it proves to be on the right chain', async () => {
    const { proof, ask, states } = proofOf('0x1', '0x2105')
    await expect(proof.hold(ask)).rejects.toThrow('left out')
    await expect(proof.hold(ask)).rejects.toThrow('left out')
    await proof.holdAnew(ask)
    expect(states).toEqual(['unproven', 'foreign', 'proven'])
  })

  test('error: a failure to ask is passed on, and proves nothing', async () => {
    const { proof, ask, states } = proofOf(new Error('down'), '0x2105')
    await expect(proof.hold(ask)).rejects.toThrow('down')
    await proof.hold(ask)
    expect(states).toEqual(['unproven', 'proven'])
  })
})

test('endpointLabel shows the position and the host, never the path, which can hold a key', () => {
  expect(endpointLabel(2, 'https://rpc.example:8443/v2/secret')).toBe('2:rpc.example:8443')
})
