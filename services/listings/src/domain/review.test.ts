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
    ['the first letter', 'Beather', 'Weather'],
    ['the last letter', 'Weathes', 'Weather'],
    ['a letter more at the end', 'Weathe', 'Weather'],
    ['a letter less at the end', 'Weatherr', 'Weather'],
    ['a letter more at the beginning', 'eather', 'Weather'],
    ['the last letters swapped', 'Weathre', 'Weather'],
    ['the first letters swapped', 'eWather', 'Weather'],
    ['a word of five letters', 'Hello', 'Hallo'],
    ['a word in quotes and brackets', '(“Weahter”)', '(“Weather”)'],
    ['an accent in another form', 'Cafe\u0301 au lait', 'Caf\u00e9 au lait'],
    ['a letter of another script', 'Погода', 'Пагода'],
    ['two such words', 'Wether for agnets', 'Weather for agents'],
  ])('default: is true for %s', (_, before, after) => {
    expect(isSmallEdit(before, after)).toBe(true)
  })

  test.each([
    ['a word more', 'Weather for agents', 'Weather not for agents'],
    ['a word more at the end', 'Weather for agents', 'Weather for agents only'],
    ['three words', 'Wether forr agnets hourly', 'Weather fort agents hourlx'],
    ['a short word', 'It is free', 'It is fee'],
    ['a number', 'Costs 10000 units', 'Costs 10001 units'],
    ['a host', 'See acme.example', 'See acmee.example'],
    ['punctuation', 'Weather!', 'Weather?'],
    ['two mistakes in a word', 'Weather', 'Waethre'],
    ['everything', 'Weather for agents', 'Loans for everybody'],
    ['a word less', 'Weather for agents', 'Weather agents'],
    ['a word less at the end', 'Weather for agents only', 'Weather for agents'],
    ['the words in another order', 'agents for Weather', 'Weather for agents'],
    ['a word of four letters', 'Fast', 'Fest'],
    ['a word that becomes one of four letters', 'feast', 'east'],
    ['a word of four letters that becomes longer', 'east', 'feast'],
    ['the first digit', '1Costs', '2Costs'],
    ['the last digit', 'Costs1', 'Costs2'],
    ['a digit in place of a letter', 'Weather', 'Weathe4'],
    ['a letter in place of a digit', 'Weathe4', 'Weather'],
    ['punctuation within a word', 'We-ather', 'We-athor'],
    ['punctuation that moves into a word', '-Weather', 'We-ather'],
    ['punctuation before a word', '“Weather', 'Weather'],
    ['punctuation that moves behind a word', '-Weather', 'Weather-'],
    ['a word that becomes punctuation', '- Weather', 'Weather -'],
    ['letters that are swapped over a third', 'Weather', 'Whateer'],
    ['a swap and a letter', 'Weahters', 'Weather'],
    ['letters swapped, of which one is another', 'Weahter', 'Weatger'],
    ['letters swapped, of which the other is another', 'Weahter', 'Weaqher'],
    ['two letters more', 'Weather', 'Weatherer'],
    ['two letters less', 'Weather', 'Weath'],
  ])('default: is false for %s', (_, before, after) => {
    expect(isSmallEdit(before, after)).toBe(false)
  })
})
