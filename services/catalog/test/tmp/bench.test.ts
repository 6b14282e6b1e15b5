import { writeFileSync } from 'node:fs'
import { catalog as operations, listingChanged, probeCompleted } from '@callboard/contract'
import { test } from 'vitest'
import { startCatalog, NOW } from '../support/catalog.ts'
import { snapshot, mirrored, probe } from '../support/facts.ts'
test('bench', async () => {
  const c = await startCatalog()
  let out = ''
  await c.tell(listingChanged, mirrored('seed'))
  await c.tell(probeCompleted, probe('seed'))
  await c.database.query(`create temp table if not exists nothing(x int)`)
  await c.database.query(`
   insert into catalog.listing
   select 'l-' || n, 1, jsonb_set(snapshot, '{slug}', to_jsonb('l-'||n)), schemas, nm, lower(nm),
     case when n <= 20 then 0 when n <= 1500 then 1 when n<=1800 then 2 else 3 end,
     case when n % 3 = 0 and n <= 1800 then 'verified' else 'none' end, 'data', array['eip155:8453'], 1,
     to_tsvector('simple', nm), to_tsvector('simple', nm || ' ' || descr || ' host' || n || '.example'), false, true,
     (random()*1000)::int, -(1900000 + (random()*960)::int), to_timestamp(${NOW / 1000}) - random() * interval '3 days', now(), liveness, conformance, mpp
   from catalog.listing, generate_series(1,200000) n,
    lateral (select 'w' || floor(power(random(), 3) * 6000)::int || ' w' || floor(power(random(), 3) * 6000)::int || ' ' || substr(n::text,1,0) as nm) a,
    lateral (select string_agg('w' || floor(power(random(), 3) * 6000 + b.x*0 + n*0)::int, ' ') as descr from generate_series(1, 18) b(x)) b2
   where slug = 'seed'`)
  await c.database.query('analyze catalog.listing')
  const ask = async (label: string, q: Record<string, string>, times = 60) => {
    const t: number[] = []
    let n = 0
    let cursor: string | undefined
    for (let i = 0; i < times; i++) {
      const query = typeof q.q === 'string' && q.q.includes('#') ? { ...q, q: q.q.replaceAll('#', () => String(Math.floor(Math.random() ** 3 * 6000))) } : q
      const s = performance.now()
      const page = await c.ask(operations.discovery, { ...query, ...(cursor && q.deep ? { cursor } : {}) } as never)
      t.push(performance.now() - s)
      n += page.items.length
      cursor = page.nextCursor ?? undefined
    }
    t.sort((a, b) => a - b)
    out += `${label}: p50 ${t[Math.floor(times * 0.5)]?.toFixed(1)} p95 ${t[Math.floor(times * 0.95)]?.toFixed(1)} max ${t.at(-1)?.toFixed(1)} avg items ${n / times}\n`
  }

  await c.database.query('vacuum analyze catalog.listing')
  for (let i = 0; i < 60; i++) {
    const w = () => "'w" + Math.floor(Math.random() ** 3 * 6000) + "'"
    const q = (w() + ' & ' + w() + ' & ' + w() + ':*').replaceAll("'", "''")
    for (const col of ['name_words', 'words']) {
    const rows = (await c.database.query<Record<string,string>>(`explain (analyze, buffers) select slug, distrust, staleness from catalog.listing where published and group_rank = 3 and (verification = 'verified' or ok_at >= to_timestamp(${NOW / 1000 - 86400})) and ${col} @@ '${q}'::tsquery order by distrust, staleness, slug limit 21`)).map((r) => Object.values(r)[0] ?? '')
    const ms = Number(/Execution Time: ([0-9.]+)/.exec(rows.join(' '))?.[1])
    out += col + ' ' + q + ' ' + ms + ' ' + (rows.join(' ').includes('Bitmap') ? 'gin' : 'ordered') + ' est ' + /Scan.*?rows=(\d+)/.exec(rows.join(' '))?.[1] + '\n'
    if (ms > 60) out += rows.join('\n') + '\n'
    }
  }
  writeFileSync('/tmp/bench.out', out)
  await c.stop()
}, 300000)
