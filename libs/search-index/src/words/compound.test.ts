import { expect, test } from 'vitest'
import { partsOf } from './compound.ts'

const HAVING: Readonly<Record<string, number>> = {
  ...{ weather: 40, forecast: 30, get: 90, image: 50, text: 60, texttoimage: 0, tos: 1, news: 9 },
  ...{ wetter: 4, bericht: 3, web: 5, webs: 1, earch: 1, search: 7, age: 2, ima: 1 },
}
const havingOf = (word: string) => HAVING[word] ?? 0

test.each([
  ['weatherforecast', ['weather', 'forecast']],
  ['getweatherforecast', ['get', 'weather', 'forecast']],
  ['wetterbericht', ['wetter', 'bericht']],
  ['websearch', ['web', 'search']],
])('%j is made of %j', (word, expected) => {
  expect(partsOf(word, havingOf)).toEqual(expected)
})

test.each(['weather', 'weatherx', 'xweather', 'getnewsimagetext', 'ab', '', 'weather'.repeat(9)])(
  '%j is not made of known words',
  (word) => {
    expect(partsOf(word, havingOf)).toEqual([])
  },
)
