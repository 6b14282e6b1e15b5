import { expect, test } from 'vitest'
import { holdAll, lineOf } from './walk.ts'

const demand = (name: string, hold: () => Promise<string>) => ({ name, hold })

test('default: each demand is a row with its observation', async () => {
  const rows = await holdAll({ name: 'minimal', demands: [demand('it stands', async () => '9 Deployments')] })
  expect(rows.map(lineOf)).toEqual(['held    minimal                   it stands: 9 Deployments'])
})

test('behavior: after a missed demand the rest of its group is skipped', async () => {
  let asked = 0
  const missed = demand('it stands', () => Promise.reject(new Error('It did not come to this')))
  const after = demand('it is spread', async () => `${++asked}`)
  const rows = await holdAll({ name: 'minimal', demands: [missed, after] })
  expect(rows).toEqual([{ group: 'minimal', demand: 'it stands', held: false, seen: 'It did not come to this' }])
  expect(asked).toBe(0)
})

test('behavior: a helm failure is shown in helm’s own words', async () => {
  const refused = Object.assign(new Error('Command failed: helm upgrade …'), { stderr: 'Error: UPGRADE FAILED\n' })
  const [row] = await holdAll({ name: 'ha', demands: [demand('it stands', () => Promise.reject(refused))] })
  expect(row?.seen).toBe('Error: UPGRADE FAILED')
})

test('behavior: a group’s resources end with it, held or missed', async () => {
  const ended: string[] = []
  const group = (name: string, hold: () => Promise<string>) => ({
    name,
    demands: [demand('it stands', hold)],
    end: async () => void ended.push(name),
  })
  await holdAll(group('held', async () => 'so'))
  await holdAll(group('missed', () => Promise.reject(new Error('not so'))))
  expect(ended).toEqual(['held', 'missed'])
})
