import { createLogger } from '@callboard/runtime'
import { expect, test } from 'vitest'
import { RequestLog } from './request-log.ts'

/** The lines that a request's log writes, without times. */
function written(say: (log: RequestLog) => void, level = 'debug'): unknown[] {
  const lines: unknown[] = []
  const process = createLogger(level, {
    write(line: string) {
      const { time: _, ...rest } = JSON.parse(line) as Record<string, unknown>
      lines.push(rest)
    },
  })
  say(new RequestLog(process, { request_id: 'r-1' }))
  return lines
}
const named = { request_id: 'r-1' }

test('every line names the request, whatever its content', () => {
  expect(
    written((log) => {
      log.info({ status: 200 }, 'answered')
      log.warn('only words')
      log.debug('with %s words', 'more')
      log.trace('below the level')
    }),
  ).toEqual([
    { level: 'info', ...named, status: 200, msg: 'answered' },
    { level: 'warn', ...named, msg: 'only words' },
    { level: 'debug', ...named, msg: 'with more words' },
  ])
})

test('an error is written as the process writes it, alone and with other words', () => {
  const error = new Error('it broke')
  const told = { type: 'Error', message: 'it broke', stack: error.stack }
  expect(
    written((log) => {
      log.error(error)
      log.error(error, 'in words')
      log.error({ err: error }, 'a request failed')
    }),
  ).toEqual([
    { level: 'error', ...named, err: told, msg: 'it broke' },
    { level: 'error', ...named, err: told, msg: 'in words' },
    { level: 'error', ...named, err: told, msg: 'a request failed' },
  ])
})

test('child loggers name the request too', () => {
  expect(written((log) => log.child({ part: 'p' }).info('said'))).toEqual([
    { level: 'info', ...named, part: 'p', msg: 'said' },
  ])
})
