import { expect, test } from 'vitest'
import { agents, oauth } from '../operations/index.ts'
import { AgentLabel } from './agent.ts'

const asked = {
  ...{ agent_message: 'm', agent_signature: '0x', label: 'laptop' },
  requester: { address: '203.0.113.7', userAgent: null },
}
const problem = (more: object) => {
  const [issue] = agents.deviceAuthorization.input.safeParse({ ...asked, ...more }).error?.issues ?? []
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

test.each([
  [{ label: 'callb0ard' }, 'label: looks like the name of this service'],
  [{ label: 'my-call-board' }, 'label: looks like the name of this service'],
  [{ device: 'official-support' }, 'device: says that it speaks for this service'],
  [{ label: 'laptop', device: 'desk-3' }, undefined],
])('the names of an agent that asks to be linked are checked: %j', (more, said) => {
  expect(problem(more)).toBe(said)
})

test('an agent that was linked before the rule is still shown with its label', () => {
  expect(AgentLabel.parse('callboard-3')).toBe('callboard-3')
  expect(oauth.register.output.shape.client_name.parse('Callboard helper')).toBe('Callboard helper')
})
