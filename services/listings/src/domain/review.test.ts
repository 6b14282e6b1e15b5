import { describe, expect, test } from 'vitest'
import { isSmallEdit } from './review.ts'

describe('isSmallEdit', () => {
  test.each([
    ['the same', 'Weather for agents.', 'Weather for agents.'],
    ['other white space', 'Weather  for\nagents.', ' Weather for agents. '],
    ['a letter more', 'Wether for agents', 'Weather for agents'],
    ['a letter less', 'Weatther for agents', 'Weather for agents'],
    ['another letter', 'Weathar, for agents', 'Weather, for agents'],
    ['two letters swapped', 'Weahter for agents', 'Weather for agents'],
    ['two such words', 'Wether for agnets', 'Weather for agents'],
  ])('default: %s', (_, before, after) => {
    expect(isSmallEdit(before, after)).toBe(true)
  })

  test.each([
    ['a word more', 'Weather for agents', 'Weather not for agents'],
    ['three words', 'Wether forr agnets hourly', 'Weather fort agents hourlx'],
    ['a short word', 'It is free', 'It is fee'],
    ['a number', 'Costs 10000 units', 'Costs 10001 units'],
    ['a host', 'See acme.example', 'See acmee.example'],
    ['punctuation', 'Weather!', 'Weather?'],
    ['two mistakes in a word', 'Weather', 'Waethre'],
    ['everything', 'Weather for agents', 'Loans for everybody'],
  ])('default: not %s', (_, before, after) => {
    expect(isSmallEdit(before, after)).toBe(false)
  })
})
