import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { freePort, pgQuery } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { environment, Instance, SOURCE } from './instance.ts'
import { sellsOnce } from './sells-once.ts'

const instance = new Instance(SOURCE)
let demoPort: string

beforeAll(async () => {
  demoPort = String(await freePort())
  await instance.start([], { DEMO_PORT: demoPort, STATS_CACHE_MS: '0' })
  await until('the demonstration is over', () => instance.says(/^Done\. Look|^The demonstration stopped/m), 60_000)
}, 120_000)
afterAll(() => instance.dispose())

/** Queries its Postgres. */
function asked(text: string) {
  const { port, username: user, pathname } = new URL(instance.databaseUrl)
  return pgQuery({ port: Number(port), user, database: pathname.slice(1) }, text)
}

/** Runs one of our programs next to it on its data folder, and returns the output; bundled, to start faster. */
function beside(program: string, words: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = { ...environment(), CALLBOARD_DATA: instance.folder, ...more }
  const main = join(inject('programs'), `${program}.mjs`)
  return spawnSync(process.execPath, [main, ...words], { env, encoding: 'utf8', timeout: 60_000 })
}
const operator = (...words: string[]) => beside('operator', words)

const get = async (path: string) => (await (await fetch(instance.baseUrl + path)).json()) as Record<string, never[]>

describe('npm start', () => {
  test('says how each part runs and how to change it, then the base URL', () => {
    for (const setting of ['DATABASE_URL', 'RPC_URLS', 'NATS_URL', 'REDIS_URL'])
      expect(instance.output).toContain(`(${setting})`)
    expect(instance.output).toContain(`: ${instance.baseUrl}`)
  })

  test('the demonstration runs from sign-in to payout', () => {
    expect(instance.output).not.toContain('The demonstration stopped')
    expect(instance.output).toMatch(
      /0\.01 USDC: 0\.0095 USDC to the provider \(95 %\), 0\.0005 USDC to the network \(5 %\), 0 USDC left/,
    )
  })

  test('the settlement appears in the activity, the stats and the catalogue entry', async () => {
    const { items } = await get('/api/call/activity?listing=sample-weather')
    expect(items).toHaveLength(1)
    expect(items?.[0]).toMatchObject({ amountUsd: '0.01', listing: { ref: 'sample-weather', group: 'added' } })
    expect(await get('/api/call/stats')).toMatchObject({ totals: { calls: 1, volumeUsd: '0.01' } })
    expect(await get('/api/calls/sample-weather')).toMatchObject({ id: 'sample-weather', price: '0.01' })
  })

  test('a second, small source is mirrored; the directory shows it by default, as payable and without a fee', async () => {
    const { items } = await get('/api/call/discovery?q=tides')
    expect(items).toMatchObject([
      {
        ...{ group: 'external', provenance: 'indexed', verification: 'none', fee: { bps: 0 } },
        execution: { payable: true, mode: 'direct', url: expect.stringMatching(/\/tides$/) },
      },
    ])
    const [{ ref } = { ref: '' }] = items as unknown as { ref: string }[]
    const resync = await fetch(`${instance.baseUrl}/api/call/listings/${ref}/resync`, { method: 'POST' })
    expect([resync.status, await resync.json()]).toMatchObject([409, { error: 'mirrored' }])
    const listed = operator('sources', 'list').stdout
    expect(listed).toMatch(/^sample-source well-known http:\S+ every 1 h, by the file\n {2}names 2; imported 20/)
    expect(operator('mirror', 'look', ref).stdout).toContain('named by sample-source')
  })

  test('the operator adds, imports and removes a source of the mirror', () => {
    const url = `${instance.baseUrl}/x402/discovery/resources`
    expect(operator('sources', 'add', 'ourselves', 'facilitator', url, '2', 'type=http').stdout).toContain(
      `ourselves facilitator ${url} every 2 h, by the operator`,
    )
    expect(operator('sources', 'add', 'Ourselves', 'gopher', 'x').stderr).toMatch(/kind: [\s\S]*url: /)
    expect(operator('sources', 'run', 'ourselves').status).toBe(0)
    expect(operator('sources', 'remove', 'sample-source').stderr).toContain('is in the file of MIRROR_SOURCES')
    expect(operator('sources', 'remove', 'ourselves').stdout).not.toContain('ourselves')
    expect(operator('sources', 'run', 'ourselves').stderr).toContain('not_found')
    expect(operator('mirror', 'approve', 'sample-weather', 'seen').stderr).toContain('sample-weather: not_found')
  }, 60_000)

  test('an owner’s top-up pays for a streamed completion, to the nano-USD', () => {
    expect(instance.output).toContain(
      '{"status":"accepted","usd":1,"owner":"0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"}',
    )
    const [, tokensIn = '', tokensOut = ''] = /(\d+) tokens in, (\d+) out/.exec(instance.output) ?? []
    const [, spent = '', left = ''] = /spent (0\.\d+) USD, left (0\.\d+) USD/.exec(instance.output) ?? []
    expect(Number(spent)).toBeCloseTo((Number(tokensIn) * 0.5 + Number(tokensOut) * 1.5) / 1e6, 9)
    expect(Number(spent) + Number(left)).toBeCloseTo(1, 9)
  })

  test('the operator lists and checks what is sold, without seeing a secret', () => {
    const listed = operator('models', 'list')
    expect(listed).toMatchObject({ status: 0, stderr: '' })
    expect(listed.stdout).toMatch(/^sample-small \(.*chat.*\): context \d+, .*prompt 0\.\d+/m)
    const checked = operator('models', 'check', '--call')
    expect(checked.stdout).toMatch(/^sample.*: reached, 3 models$/m)
    expect(checked.stdout).toMatch(/^sample-small: \S+ answers$/m)
    expect(checked).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/, 0 faults\n$/) })
  })

  test('the operator lists support reports as they were written', async () => {
    const report = { kind: 'listing', message: 'It forecasts another city.', slug: 'sample-weather' }
    const headers = { 'content-type': 'application/json' }
    const sent = await fetch(`${instance.baseUrl}/api/support/reports`, {
      ...{ method: 'POST', headers, body: JSON.stringify(report) },
    })
    expect(sent.status).toBe(201)
    const { id } = (await sent.json()) as { id: string }
    const listed = operator('reports', 'list')
    expect(listed).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/1 shown\n$/) })
    expect(JSON.parse(listed.stdout.split('\n')[0] ?? '')).toMatchObject({ ...report, id })
  })

  test('the operator takes a posting down for good, with a reason', async () => {
    const id = `posting_${crypto.randomUUID()}`
    await asked(
      `insert into listings.posting (id, version, kind, owner, title, description, category, amount_usd, accepts, contact_url, status,
         has_verified_listing, created_at, updated_at, expires_at)
       values ('${id}', 1, 'service_offer', '0x90F79bf6EB2c4f870365E785982E1f101E93b906', 'Work', 'By hand', 'data', '5',
         '[{"network":"eip155:31337","asset":"0x90F79bf6EB2c4f870365E785982E1f101E93b906"}]', 'https://work.example/', 'open', false,
         now(), now(), now() + interval '1 day')`,
    )
    expect(operator('posting', 'look', id).stdout).toMatch(/^\| Work\n\| By hand\n\| .*\nposting_.* open, until /)
    expect(operator('posting', 'take-down', id).stderr).toMatch(/^reason: /m)
    expect(operator('posting', 'take-down', id, '--reason', 'It is not theirs.').stdout).toContain('taken_down')
    expect(operator('audit', id).stdout).toMatch(
      /posting take-down posting_\S+ \{"reason":"It is not theirs."\} done\n1 shown/,
    )
    expect(await asked(`select status, ended_because from listings.posting where id = '${id}'`)).toEqual([
      ['taken_down', 'It is not theirs.'],
    ])
    expect(operator('posting', 'look', 'a-slug').stderr).toContain('id: must be the id of a posting')
  })

  test('the operator says what a key could spend at a moment, and what refused it', async () => {
    const [[keyId = '', at = ''] = []] = (await asked(
      `select key_id, to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from router.call
       order by settled_at desc limit 1`,
    )) as string[][]
    const said = operator('router', 'why', keyId, at, '1')
    expect(said).toMatchObject({ status: 0, stderr: '' })
    expect(said.stdout).toMatch(/^ {2}balance +0\.9\d+ USD left of 1: 0\.0\d+ spent, 0 held$/m)
    expect(said.stdout).toContain('A call of 1 USD would have been refused by the balance limit.')
  })

  test('an unchanged @x402/fetch repeats the demonstration’s payment at the listed endpoint', async () => {
    const { devnet } = instance
    const buyer = mnemonicToAccount(devnet.mnemonic, { addressIndex: 5 })
    const client = new x402Client()
      .register('eip155:*', new ExactEvmScheme(buyer))
      .setSpendControls({ allowedAssets: true })
    const { items } = (await get('/api/call/discovery?includeUnverified=true')) as unknown as {
      items: { ref: string; execution: { url: string } }[]
    }
    const url = items.find(({ ref }) => ref === 'sample-weather')?.execution.url ?? ''
    const answer = await wrapFetchWithPayment(fetch, client)(`${url}?city=Bergen`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ city: 'Bergen' })
    const evidence = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '')
    expect(evidence).toMatchObject({ success: true, payer: buyer.address })
    await until('it is in the activity', async () =>
      ((await get('/api/call/activity')).items as { txHash?: string }[]).some(
        ({ txHash }) => txHash === evidence.transaction,
      ),
    )
    const told = operator('payment', evidence.transaction)
    expect(told).toMatchObject({ status: 0, stderr: '' })
    expect(told.stdout).toMatch(
      /^payment eip155:31337\/0x\w{40}\/0x\w{40}\/0x\w{64}\n {2}final since .* by request [\w-]{36}\n/,
    )
    expect(told.stdout).toMatch(
      new RegExp(`^ {2}attempt ${evidence.transaction} of 0x\\w{40}, nonce \\d+, signed `, 'm'),
    )
    expect(told.stdout).toMatch(/ x402-facilitator told payment\.settled\.v1, published /)
    expect(told.stdout).toMatch(/ chain-indexer told settlement\.observed\.v1, published /)
    expect(told.stdout).toMatch(/^credited by catalog: listing sample-weather has 0\.01 USD as a call$/m)
    const [, key = '', requestId = ''] = /^payment (\S+)[\s\S]* by request (\S+)\n/.exec(told.stdout) ?? []
    expect(operator('payment', key).stdout).toBe(told.stdout)
    expect(operator('payment', requestId).stdout).toBe(told.stdout)
    expect(operator('payment', `0x${'0'.repeat(64)}`)).toMatchObject({ status: 1 })
  }, 60_000)

  test('npm run demo repeats it against the running instance', () => {
    const run = beside('demo', ['--decode'], { DEMO_PORT: demoPort })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(0)
    expect(run.stdout).toContain('finds its listing from an earlier demonstration')
    expect(run.stdout).toMatch(/^Done\. Look/m)
  })

  test('the instance’s own service has a listing, which shows what the demonstration paid for it', async () => {
    const { items } = await get('/api/call/activity?listing=x402-decode')
    expect(items).toMatchObject([
      {
        kind: 'call',
        amountUsd: '0.001',
        listing: { ref: 'x402-decode', group: 'svc' },
        payTo: instance.devnet.treasury,
      },
    ])
    expect(await get('/api/calls/x402-decode')).toMatchObject({ group: 'svc', verified: true, price: '0.001' })
    const stats = (await get('/api/call/stats')) as { totals?: { volumeUsd?: string } }
    expect(stats.totals?.volumeUsd).toMatch(/\.\d*1$/)
  })

  test('the operator verifies a listing; the directory then shows it by default', async () => {
    const groups = async () =>
      ((await get('/api/call/discovery')).items as unknown as { group: string }[]).map(({ group }) => group)
    expect(await groups()).toEqual(['svc', 'external', 'external'])
    const [, seen = ''] =
      / verify sample-weather (\S+) --checked /.exec(operator('look', 'sample-weather').stdout) ?? []
    const unchecked = operator('verify', 'sample-weather', seen, '--checked', 'price')
    expect(unchecked).toMatchObject({ status: 1, stderr: expect.stringContaining('Not checked: description') })
    const checked = ['--checked', 'description,price,impersonation,terms', '--note', 'Called once.']
    expect(operator('verify', 'sample-weather', seen, ...checked).stdout).toBe(
      'sample-weather: status live, verification verified\n',
    )
    await until('it is shown', async () => (await groups())[1] === 'added')
  }, 60_000)

  test('the operator is told why a listing is shown or hidden, and what operators did', async () => {
    const why = operator('why', 'sample-weather')
    expect(why).toMatchObject({ status: 0, stderr: '' })
    expect(why.stdout).toMatch(
      /^sample-weather: group added, owner 0x\w+, status live, verification verified, version \d+ /,
    )
    expect(why.stdout).toMatch(/^ {2}discovery: shown at place \d+$/m)
    expect(why.stdout).toMatch(/last probe at \S+ found ok_402/)
    expect(why.stdout).toMatch(/" verify sample-weather .* done$/m)
    const audit = operator('audit', 'sample-weather')
    expect(audit.stdout).toMatch(/verify sample-weather .* done\n.* refused: .*Not checked/)
    expect(operator('audit', '--limit', '1').stdout).toMatch(/1 shown\n$/)
    expect(operator('audit').stdout).toContain('sources remove ourselves')
    expect(operator('suspend', 'sample-weather').stderr).toContain('needs a reason')
    expect(operator('why', 'no-such-listing').status).toBe(1)
  }, 60_000)

  test('npm run rebuild catalog makes the same catalogue again', async () => {
    const paths = ['/api/call/discovery', '/api/call/services', '/api/call/stats', '/api/calls/sample-weather']
    // How far a chain is read changes all the time.
    const all = async () => (await Promise.all(paths.map(get))).map(({ chains: _, ...rest }) => rest)
    const before = await all()
    expect(beside('rebuild', ['catalog']).stdout).toMatch(/^catalog: rebuilt from \d+ events/)
    const same = async () => isDeepStrictEqual(await all(), before)
    await until('it is the same, its calls judged anew', same).catch(async () => expect(await all()).toEqual(before))
  })

  test('an event that was given up is handled when the operator replays it, once', async () => {
    const [row] = await asked(`select id from chain_indexer.outbox where name = 'settlement.observed.v1' limit 1`)
    const id = row?.[0] ?? ''
    const kept = `select jsonb_build_object('id', id, 'name', name, 'key', key, 'sequence', sequence, 'source', 'chain-indexer',
      'occurredAt', to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)
      from chain_indexer.outbox where id = '${id}'`
    const calls = async () => ((await get('/api/call/activity')).items ?? []).length
    const before = await calls()
    await asked(`delete from catalog.inbox where event_id = '${id}'`)
    await asked(
      `delete from catalog.settlement where tx_hash = (select key from chain_indexer.outbox where id = '${id}')`,
    )
    await asked(`insert into catalog.dead_letter (consumer, event_id, name, reason, envelope, attempts)
      values ('settlement.observed.v1', '${id}', 'settlement.observed.v1', 'a bug', (${kept}), 6)`)
    expect(await calls()).toBe(before - 1)

    const letters = (...verbs: string[]) => operator('dead-letters', ...verbs)
    expect(letters('list').stdout).toMatch(
      new RegExp(`^catalog ${id} settlement.observed.v1 .* after 6 attempts: a bug\n1 kept\n$`),
    )
    const shown = letters('show', 'catalog', id).stdout
    expect(shown).toMatch(/^because: a bug$/m)
    expect(shown).toContain(`"id": "${id}"`)
    expect(shown).toContain(`npm run operator -- dead-letters replay catalog ${id}`)
    // This needs only the database setting: the consumer runs where its service runs.
    const bare = { CALLBOARD_DATA: '', DATABASE_URL: instance.databaseUrl }
    expect(beside('operator', ['dead-letters', 'replay', 'catalog', id], bare)).toMatchObject({
      stdout: `catalog: ${id} is handled\n`,
      stderr: '',
    })
    expect(await calls()).toBe(before)
    expect(letters('list').stdout).toBe('0 kept\n')
  }, 60_000)

  test('an unreadable event is shown as it came, and discarded with a reason that stays on record', async () => {
    const bytes = Buffer.from('no JSON\u001b[2J').toString('base64')
    await asked(`insert into catalog.dead_letter (consumer, event_id, name, reason, envelope, attempts)
      values ('listing.changed.v1', 'unreadable-1', 'listing.changed.v1', 'not JSON', '{"unreadable":"${bytes}"}', 1)`)
    // This needs only the database setting.
    const bare = (...words: string[]) =>
      beside('operator', words, { CALLBOARD_DATA: '', DATABASE_URL: instance.databaseUrl })
    const shown = bare('dead-letters', 'show', 'catalog', 'unreadable-1')
    expect(shown).toMatchObject({ status: 0, stderr: '' })
    expect(shown.stdout).toContain('11 bytes that are no JSON: no JSON\\u001b[2J\n')
    expect(shown.stdout).toContain('it cannot be replayed, because it is no event: id: ')
    expect(operator('dead-letters', 'replay', 'catalog', 'unreadable-1').stderr).toContain(
      'cannot be replayed, because it is no event',
    )
    expect(bare('dead-letters', 'discard', 'catalog', 'unreadable-1')).toMatchObject({ status: 2 })
    const discarded = ['dead-letters', 'discard', 'catalog', 'unreadable-1', '--reason', 'A test wrote it.']
    expect(bare(...discarded, '--by', '')).toMatchObject({ status: 2, stderr: expect.stringContaining('--by must be') })
    expect(bare(...discarded, '--by', 'Ada').status).toBe(0)
    expect(bare('dead-letters', 'list').stdout).toBe('0 kept\n')
    const audit = bare('audit', 'unreadable-1').stdout
    expect(audit).toMatch(/"Ada" dead-letters discard unreadable-1 .*"reason":"A test wrote it\.".* done\n/)
    expect(audit).toMatch(/dead-letters replay unreadable-1 .* failed: /)
    expect(
      await asked(
        "select saw->0->'envelope'->>'unreadable' from catalog.operator_action where verb = 'dead-letters discard'",
      ),
    ).toEqual([[bytes]])
    expect(bare('dead-letters', 'show', 'catalog', 'unreadable-1')).toMatchObject({
      status: 1,
      stderr: 'catalog keeps no event unreadable-1.\n',
    })
  }, 60_000)

  test('the demonstration’s seller answers one of the requests that present a payment at once', async () => {
    const { items } = (await get('/api/call/discovery?q=weather')) as unknown as {
      items: [{ execution: { url: string } }]
    }
    await sellsOnce(items[0].execution.url, mnemonicToAccount(instance.devnet.mnemonic, { addressIndex: 5 }))
  }, 60_000)

  test('--print-config without a running instance starts nothing and writes nothing', () => {
    const folder = `${instance.folder}-none`
    const run = beside('main', ['--print-config'], { CALLBOARD_DATA: folder })
    expect(run).toMatchObject({ status: 0, stderr: '' })
    expect(run.stdout).toMatch(/^DATABASE_URL=\(given by a part that the instance embeds\)$/m)
    expect(run.stdout).toMatch(/^DATABASE_POOL_SIZE=8$/m)
    expect(existsSync(folder)).toBe(false)
  })

  test('--print-config works beside it, and shows the configuration in use', () => {
    const run = beside('main', ['--print-config'], { PORT: new URL(instance.baseUrl).port })
    expect(run).toMatchObject({ status: 0, stderr: '' })
    expect(run.stdout).toContain(`BASE_URL=${instance.baseUrl}\n`)
    expect(run.stdout).toMatch(/^DATABASE_URL=/m)
    expect(run.stdout).not.toContain('Ready after')
    expect(instance.runs).toBe(true)
  })

  test('SIGTERM stops everything that it started, and a second start finds its data again', async () => {
    expect(await instance.end('SIGTERM')).toBe(0)
    expect(await fetch(`http://127.0.0.1:${demoPort}/about`).catch(() => 'gone')).toBe('gone')
    expect(await fetch(instance.devnet.rpcUrl).catch(() => 'gone')).toBe('gone')
    await instance.start(['--no-demo'])
    expect((await get('/api/call/activity')).items?.length).toBeGreaterThanOrEqual(3)
  }, 60_000)

  test('a taken port makes the start fail with one sentence that names the setting', () => {
    const taken = { CALLBOARD_DATA: `${instance.folder}-other`, PORT: new URL(instance.baseUrl).port }
    const run = beside('main', [], taken)
    expect(run.status).toBe(1)
    expect(run.stderr.trim().split('\n')).toHaveLength(1)
    expect(run.stderr).toContain('set PORT to another port')
  })
})
