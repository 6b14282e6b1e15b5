import { expect, test } from 'vitest'
import { VisitedSites } from './visited-sites.ts'

const visiting = (atOnce: number, ...origins: string[]) => {
  const sites = new VisitedSites(atOnce)
  for (const origin of origins) sites.began(origin)
  return sites
}

test('a site is full with an eighth of the visits, through any of its hosts', () => {
  const sites = visiting(32, 'https://a.x.example', 'https://b.x.example', 'http://c.x.example:81')
  expect([sites.full, sites.room]).toEqual([[], 1])
  sites.began('https://d.x.example')
  expect([sites.full, sites.room]).toEqual([['x.example'], 4])
  sites.began('https://y.example')
  expect([sites.full, sites.room]).toEqual([['x.example'], 3])
  sites.ended('https://a.x.example')
  expect([sites.full, sites.room]).toEqual([[], 1])
})

test('a replica that makes few visits makes one of a site', () => {
  expect(visiting(3).room).toBe(1)
  expect(visiting(3, 'https://x.example').full).toEqual(['x.example'])
})
