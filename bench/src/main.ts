import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { commandLine, isProgram, misunderstood } from '@callboard/runtime/command-line'
import type { Figure, RunOptions } from './figure.ts'
import { PAYMENT_FIGURES, paymentTable } from './payment-table.ts'
import { keeping, page, type Result } from './results.ts'

const HERE = import.meta.dirname
const RESULTS = join(HERE, '../results')
const PAGE = join(HERE, '../results.md')

const USAGE = `usage: npm run bench [-- NAME …] [--page] [--payments N] [--trace] [--brief] [--help]
  Measures the named figures, or all of them, each next to its peers, and writes bench/results.md.
  payment       stands for the figures that make up a payment, and prints what they were and are in one table
  --page        writes the page from the stored results, and measures nothing
  --payments N  makes N payments where a figure makes many (payment-cost), and keeps nothing
  --trace       lists what one request does where a figure can (payment-cost), and keeps nothing
  --brief       measures only as long as it takes to show that a figure runs (router, budget-board, mirror), and keeps nothing`

const figures = (): string[] =>
  readdirSync(join(HERE, 'figures'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -3))
    .sort()

/** The stored results, in the order of the figures. */
const kept = (): Result[] =>
  figures()
    .map((name) => join(RESULTS, `${name}.json`))
    .filter(existsSync)
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Result)

/** bench/results.md, from the stored results. */
export function pageOfKept(): string {
  const results = kept()
  return page(results, ['## A payment, then and now', '', paymentTable(results), ''])
}

/** Measures one figure in this process and stores the result, unless the run deviates from a normal one. */
async function measure(name: string, options: RunOptions): Promise<void> {
  const { figure } = (await import(`./figures/${name}.ts`)) as { figure: Figure }
  console.log(`${figure.title} …`)
  const findings = await figure.run(options)
  const result: Result = {
    name,
    title: figure.title,
    method: figure.method,
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.versions.node,
    ...findings,
  }
  if (isUsual(options)) {
    mkdirSync(RESULTS, { recursive: true })
    const file = join(RESULTS, `${name}.json`)
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : undefined
    writeFileSync(file, `${JSON.stringify(keeping(result, before), null, 2)}\n`)
  }
  console.log(page([result]).split('\n').slice(6).join('\n'))
}

/** A name for several figures. */
const PAYMENT = 'payment'

const isUsual = ({ payments, trace, brief }: RunOptions): boolean => payments === undefined && !trace && !brief

/**
 * `npm run bench [-- NAME …]`: measures the named figures, or all, each in a process of its own so that none inherits
 * the heap of another, and writes bench/results.md. `--page` writes the page from the stored results.
 */
function measureAll(wanted: readonly string[], { payments, trace, brief }: RunOptions): void {
  const options = [
    ...(payments === undefined ? [] : ['--payments', String(payments)]),
    ...(trace ? ['--trace'] : []),
    ...(brief ? ['--brief'] : []),
  ]
  const named = wanted.flatMap((name) => (name === PAYMENT ? PAYMENT_FIGURES : [name]))
  const unknown = named.filter((name) => !figures().includes(name))
  if (unknown.length > 0) misunderstood(`There is no ${unknown.join(', ')}; there are ${figures().join(', ')}.`, USAGE)
  for (const name of named.length > 0 ? named : figures()) {
    const { status, signal } = spawnSync(process.execPath, [import.meta.filename, '--measure', name, ...options], {
      stdio: 'inherit',
    })
    if (status !== 0) {
      console.error(`${name} was not measured (${signal ?? `code ${status}`}).`)
      process.exitCode = 1
    }
  }
  writeFileSync(PAGE, pageOfKept())
  if (wanted.includes(PAYMENT)) console.log(paymentTable(kept()))
}

/** @throws nothing: an invalid number of payments ends the process */
function paymentsOf(given: string | undefined): Pick<RunOptions, 'payments'> {
  if (given === undefined) return {}
  if (!/^[1-9]\d{0,6}$/.test(given)) misunderstood(`${given} is no number of payments.`, USAGE)
  return { payments: Number(given) }
}

if (isProgram(import.meta, process.argv)) {
  const { values, positionals } = commandLine(process.argv.slice(2), {
    usage: USAGE,
    options: {
      page: { type: 'boolean' },
      measure: { type: 'string' },
      payments: { type: 'string' },
      trace: { type: 'boolean' },
      brief: { type: 'boolean' },
    },
    words: true,
  })
  const options = { ...paymentsOf(values.payments), trace: values.trace === true, brief: values.brief === true }
  if (values.measure) {
    const [{ endWithThisProcess }, { temporaryFolder }] = await Promise.all([
      import('@callboard/embedded'),
      import('@callboard/testkit/folder'),
    ])
    // A figure leaves no server and no folder behind, whether it ends, fails or is killed.
    const folder = temporaryFolder('callboard-figure-')
    endWithThisProcess().remove(folder)
    process.env.TMPDIR = folder
    await measure(values.measure, options)
    process.exit(0)
  } else if (values.page) writeFileSync(PAGE, pageOfKept())
  else measureAll(positionals, options)
}
