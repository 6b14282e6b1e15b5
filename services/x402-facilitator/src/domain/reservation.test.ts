import { describe, expect, test } from 'vitest'
import { admitPayers } from './reservation.ts'

const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const wish = (amount: bigint, balance: bigint, from: typeof payer | typeof other = payer) => ({
  payer: from,
  amount,
  balance,
})

describe('admitPayers', () => {
  test('default: whoever has the money goes', () => {
    expect(admitPayers([wish(5n, 5n), wish(5n, 9n, other)], new Map(), 5)).toEqual(['goes', 'goes'])
  })

  test('behavior: what is on its way is gone already', () => {
    const standings = new Map([[payer, { reserved: 6n, reverts: 0 }]] as const)
    expect(admitPayers([wish(5n, 10n), wish(4n, 10n)], standings, 5)).toEqual(['waits', 'goes'])
  })

  test('behavior: two payments of one list never move more than the payer has', () => {
    expect(admitPayers([wish(5n, 9n), wish(5n, 9n), wish(4n, 9n)], new Map(), 5)).toEqual(['goes', 'waits', 'goes'])
  })

  test('behavior: refused after as many reverts as the setting allows', () => {
    const standings = new Map([[payer, { reserved: 0n, reverts: 2 }]] as const)
    expect(admitPayers([wish(1n, 9n), wish(1n, 9n, other)], standings, 2)).toEqual(['refused', 'goes'])
    expect(admitPayers([wish(1n, 9n)], standings, 3)).toEqual(['goes'])
  })
})
